/**
 * The coordinator's part of crawl.log. It seldom has lines, and sleeps long: so a timer sees that they reach the file, and
 * pauses the crawl while the disk has no room for them.
 */

import type { StopConditions } from '../boards/stop-conditions.js';
import type { CrawlLog } from '../log/crawl-log.js';
import { sharedClock } from '../throttle/shared-clock.js';

export interface CoordinatorLogParts {
  readonly log: CrawlLog;
  readonly stop: StopConditions;
  readonly onFailure: (error: unknown) => void;
}

/** Milliseconds between two looks. */
const LOOKS = 250;

export class CoordinatorLog {
  readonly #parts: CoordinatorLogParts;
  readonly #timer: NodeJS.Timeout;

  constructor(parts: CoordinatorLogParts) {
    this.#parts = parts;
    this.#timer = setInterval(() => this.look(), LOOKS).unref();
  }

  /** A site is given up; `url[start, end)` is the root page of its origin. */
  siteGivenUp(url: Uint8Array, start: number, end: number, reason: string): void {
    this.#parts.log.siteGivenUp(url, start, end, sharedClock(), reason);
  }

  look(): void {
    const { log, onFailure, stop } = this.#parts;
    try {
      // While the crawl is paused, it is told when to try again.
      if (log.isBlocked ? !stop.isPaused : log.delay(sharedClock()) === 0) log.flush();
      if (log.isBlocked) stop.pause();
    } catch (error) {
      clearInterval(this.#timer);
      onFailure(error);
    }
  }

  save(): number {
    return this.#parts.log.save();
  }

  close(): void {
    clearInterval(this.#timer);
    this.#parts.log.close();
  }
}
