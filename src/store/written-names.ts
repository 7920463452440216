/**
 * Which names the files of all agents have. A name has the time at which the agent's life began, so it is found by listing
 * the directory; of a listing only what can't be computed is kept: for each agent, with which serial each time begins. That
 * is small however many files there are, and is listed again only for a serial beyond those that were there. Names do not
 * change: a file that is gone is missed when it is opened.
 */
import type { Disk } from '../model/disk.js';
import type { StoredPlace } from './page-store.js';
import { fileName, partsOf, type WarcFiles } from './warc-files.js';

interface Lives {
  /** The serials that each life begins with, ascending, and its time. */
  readonly firsts: number[];
  readonly times: string[];
  /** The last serial that was listed. */
  last: number;
}

export class WrittenNames {
  readonly #disk: Disk;
  readonly #files: WarcFiles;
  #agents = new Map<number, Lives>();

  constructor(disk: Disk, files: WarcFiles) {
    this.#disk = disk;
    this.#files = files;
  }

  /** What a place's file is called when it is complete; '' if there is none. */
  nameOf({ agent, serial }: Omit<StoredPlace, 'offset'>): string {
    let lives = this.#agents.get(agent);
    if (lives === undefined || serial > lives.last) {
      this.#list();
      lives = this.#agents.get(agent);
    }
    if (lives === undefined || serial > lives.last) return '';
    const life = lives.firsts.findLastIndex((first) => first <= serial);
    return life < 0 ? '' : fileName(lives.times[life]!, agent, serial);
  }

  #list(): void {
    const listed = this.#disk
      .list(this.#files.directory)
      .flatMap((name) => partsOf(name) ?? [])
      .sort((a, b) => a.serial - b.serial);
    this.#agents = new Map();
    for (const { agent, serial, time } of listed) {
      const lives = this.#agents.get(agent) ?? { firsts: [], times: [], last: 0 };
      this.#agents.set(agent, lives);
      lives.last = serial;
      if (lives.times.at(-1) === time) continue;
      lives.firsts.push(serial);
      lives.times.push(time);
    }
  }
}
