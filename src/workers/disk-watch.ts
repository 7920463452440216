/** Pauses a crawl that stores pages while there is little room on the disk, and says so. */
import { formatBytes } from '../model/quantity.js';
import type { StopConditions } from './stop-conditions.js';

export interface DiskWatchParts {
  /** Less room than this pauses the crawl. */
  readonly minFree: number;
  readonly freeBytes: () => number;
  readonly stop: StopConditions;
  /** Wakes all threads. */
  readonly wake: () => void;
  readonly say: (message: string) => void;
}

export class DiskWatch {
  readonly #parts: DiskWatchParts;
  #isTold = false;

  constructor(parts: DiskWatchParts) {
    this.#parts = parts;
  }

  /** To be called every second or so. */
  check(): void {
    const { minFree, stop, wake } = this.#parts;
    const free = this.#free();
    if (free === null) return;
    if (free < minFree) {
      this.#tell(`${formatBytes(free)} free on the disk, less than --min-free ${formatBytes(minFree)}`);
      stop.pause();
    } else if (stop.isPaused) {
      // An agent could not write; it tries again, and pauses the crawl again if it still can't.
      this.#tell('a write found the disk full');
      stop.tryAgain();
      wake();
    } else if (this.#isTold) {
      this.#isTold = false;
      stop.resume();
      this.#parts.say('there is room on the disk: the crawl goes on');
    }
  }

  /** Null if that can't be told now. */
  #free(): number | null {
    try {
      return this.#parts.freeBytes();
    } catch {
      return null;
    }
  }

  #tell(reason: string): void {
    if (!this.#isTold) this.#parts.say(`the crawl is paused: ${reason}`);
    this.#isTold = true;
  }
}
