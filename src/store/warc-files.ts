/** Names the WARC files of one agent. Files are numbered in the order they were written. */
import { join } from 'node:path';

/** Behind the name of a file that is still written to. */
const OPEN = '.open';
/** Files that others put beside them are none of an agent's. */
const NAME = /^drumline-(\d{14})-(\d{3,})-(\d{5,})\.warc\.gz$/;

export class WarcFiles {
  readonly directory: string;
  readonly agent: number;
  readonly #time: string;

  /** `started` is when the crawl began, in ms since 1970: it keeps the names of several crawls apart. */
  constructor(directory: string, agent: number, started: number) {
    this.directory = directory;
    this.agent = agent;
    this.#time = new Date(started).toISOString().replace(/\D/g, '').slice(0, 14);
  }

  name(serial: number): string {
    return fileName(this.#time, this.agent, serial);
  }

  path(name: string): string {
    return join(this.directory, name);
  }

  openPath(name: string): string {
    return join(this.directory, name + OPEN);
  }

  /** The serial of a file of this agent, whenever the crawl was started; -1 if the file is none. */
  serialOf(name: string): number {
    const parts = partsOf(name);
    return parts?.agent === this.agent ? parts.serial : -1;
  }

  /** The name that an agent's file has when it is complete, if it is among the names, open or complete. */
  nameOf(names: readonly string[], agent: number, serial: number): string | undefined {
    const found = names.find((name) => {
      const parts = partsOf(name);
      return parts?.agent === agent && parts.serial === serial;
    });
    return found === undefined ? undefined : completeName(found);
  }
}

/** What the name of a file says, open or complete. */
export interface FileNameParts {
  /** When the agent's life began, in 14 digits. */
  readonly time: string;
  readonly agent: number;
  readonly serial: number;
}

/** Null if the file is none of an agent's. */
export function partsOf(name: string): FileNameParts | null {
  const parts = NAME.exec(completeName(name));
  return parts === null ? null : { time: parts[1]!, agent: Number(parts[2]), serial: Number(parts[3]) };
}

/** Of a complete file. */
export function fileName(time: string, agent: number, serial: number): string {
  return `drumline-${time}-${String(agent).padStart(3, '0')}-${String(serial).padStart(5, '0')}.warc.gz`;
}

const completeName = (name: string): string => (name.endsWith(OPEN) ? name.slice(0, -OPEN.length) : name);
