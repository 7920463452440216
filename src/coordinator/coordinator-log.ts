/**
 * The coordinator's part of crawl.log. It seldom has lines, and sleeps long: so a timer sees that they reach the file, and
 * pauses the crawl while the disk has no room for them.
 */

import type { StopConditions } from '../boards/stop-conditions.js';
import type { CrawlLog } from '../log/crawl-log.js';
import type { Cancel, MainWorld } from '../model/world.js';

export interface CoordinatorLogParts {
  readonly world: Pick<MainWorld, 'clock' | 'every'>;
  readonly log: CrawlLog;
  readonly stop: StopConditions;
  readonly onFailure: (error: unknown) => void;
}

/** Milliseconds between two looks. */
const LOOKS = 250;

export class CoordinatorLog {
  readonly #parts: CoordinatorLogParts;
  readonly #stopLooking: Cancel;

  constructor(parts: CoordinatorLogParts) {
    this.#parts = parts;
    this.#stopLooking = parts.world.every(LOOKS, () => this.look());
  }

  /** A site is given up; `url[start, end)` is the root page of its origin. */
  siteGivenUp(url: Uint8Array, start: number, end: number, reason: string): void {
    this.#parts.log.siteGivenUp(url, start, end, this.#parts.world.clock(), reason);
  }

  look(): void {
    const { log, onFailure, stop, world } = this.#parts;
    try {
      // While the crawl is paused, it is told when to try again.
      if (log.isBlocked ? !stop.isPaused : log.delay(world.clock()) === 0) log.flush();
      if (log.isBlocked) stop.pause();
    } catch (error) {
      this.#stopLooking();
      onFailure(error);
    }
  }

  save(): number {
    return this.#parts.log.save();
  }

  close(): void {
    this.#stopLooking();
    this.#parts.log.close();
  }
}
