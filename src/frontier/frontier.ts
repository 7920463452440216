/**
 * What an agent fetches next: first in, first out over all its sites, so that each site is crawled breadth first and
 * many sites at once. In memory to a bound, then on disk.
 */
import type { Disk } from '../model/disk.js';
import { SpillQueue } from '../spill/spill-queue.js';

export class Frontier {
  readonly #queue: SpillQueue;

  constructor(disk: Disk, path: string, memoryBytes: number) {
    this.#queue = new SpillQueue(disk, path, memoryBytes);
  }

  get count(): number {
    return this.#queue.count;
  }

  /** Takes a copy of a PAGE_URL record. */
  push(record: Uint8Array, start: number, end: number): void {
    this.#queue.push(record, start, end);
  }

  /** The next record, valid until the next call; null if there is none. */
  take(): { readonly bytes: Uint8Array; readonly start: number; readonly end: number } | null {
    return this.#queue.take() ? this.#queue : null;
  }

  close(): void {
    this.#queue.close();
  }
}
