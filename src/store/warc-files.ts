/** Names the WARC files of one agent. Files are numbered in the order they were written. */
import { join } from 'node:path';

/** Behind the name of a file that is still written to. */
const OPEN = '.open';
/** Files that others put beside them are none of an agent's. */
const NAME = /^drumline-\d{14}-(\d{3,})-(\d{5,})\.warc\.gz$/;

export class WarcFiles {
  readonly directory: string;
  readonly agent: number;
  readonly #prefix: string;

  /** `started` is when the crawl began, in ms since 1970: it keeps the names of several crawls apart. */
  constructor(directory: string, agent: number, started: number) {
    this.directory = directory;
    this.agent = agent;
    const time = new Date(started).toISOString().replace(/\D/g, '').slice(0, 14);
    this.#prefix = `drumline-${time}-${String(agent).padStart(3, '0')}-`;
  }

  name(serial: number): string {
    return `${this.#prefix}${String(serial).padStart(5, '0')}.warc.gz`;
  }

  path(name: string): string {
    return join(this.directory, name);
  }

  openPath(name: string): string {
    return join(this.directory, name + OPEN);
  }

  /** The serial of a file of this agent, whenever the crawl was started; -1 if the file is none. */
  serialOf(name: string): number {
    const { agent, serial } = partsOf(name);
    return agent === this.agent ? serial : -1;
  }

  /** The name that an agent's file has when it is complete, if it is among the names, open or complete. */
  nameOf(names: readonly string[], agent: number, serial: number): string | undefined {
    const found = names.find((name) => {
      const parts = partsOf(name);
      return parts.agent === agent && parts.serial === serial;
    });
    return found === undefined ? undefined : completeName(found);
  }
}

function partsOf(name: string): { agent: number; serial: number } {
  const parts = NAME.exec(completeName(name));
  return parts === null ? { agent: -1, serial: -1 } : { agent: Number(parts[1]), serial: Number(parts[2]) };
}

const completeName = (name: string): string => (name.endsWith(OPEN) ? name.slice(0, -OPEN.length) : name);
