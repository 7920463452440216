/** Names the WARC files of one agent. Files are numbered in the order they were written. */
import { join } from 'node:path';

/** Behind the name of a file that is still written to. */
const OPEN = '.open';
const NAME = /^(.+-)(\d+)-(\d{5,})\.warc\.gz$/;

export class WarcFiles {
  readonly directory: string;
  readonly #prefix: string;

  /** `started` is when the crawl began, in ms since 1970: it keeps the names of several crawls apart. */
  constructor(directory: string, agent: number, started: number) {
    this.directory = directory;
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
    const parts = NAME.exec(name.endsWith(OPEN) ? name.slice(0, -OPEN.length) : name);
    const mine = NAME.exec(this.name(0))!;
    return parts !== null && parts[2] === mine[2] ? Number(parts[3]) : -1;
  }
}
