/**
 * Pauses a crawl that stores pages while there is little room on the disk, lets one that found it full try again, and says
 * so.
 */

import type { StopConditions } from '../boards/stop-conditions.js';
import { formatBytes } from '../model/quantity.js';

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
      // A checkpoint may be due since.
      wake();
      this.#parts.say('there is room on the disk: the crawl goes on');
    }
  }

  /** Where it can't be told, only a write can find out: that neither pauses a crawl nor keeps it paused. */
  #free(): number {
    try {
      return this.#parts.freeBytes();
    } catch {
      return Number.POSITIVE_INFINITY;
    }
  }

  #tell(reason: string): void {
    if (!this.#isTold) this.#parts.say(`the crawl is paused: ${reason}`);
    this.#isTold = true;
  }
}
