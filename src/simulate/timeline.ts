/** Made-up time, and what is to happen when: the earliest first, and what is due at the same time in the order it was asked for. */
import { assert } from '../model/assert.js';
import type { Cancel } from '../model/world.js';

interface Event {
  readonly at: number;
  readonly happen: () => void;
  isCancelled: boolean;
}

export class Timeline {
  readonly #events: Event[] = [];
  now = 0;

  /** Infinity is never. */
  after(delayMs: number, happen: () => void): Cancel {
    const event: Event = { at: this.now + delayMs, happen, isCancelled: false };
    if (delayMs === Number.POSITIVE_INFINITY) return () => {};
    let place = this.#events.length;
    while (place > 0 && this.#events[place - 1]!.at > event.at) place--;
    this.#events.splice(place, 0, event);
    return () => {
      event.isCancelled = true;
    };
  }

  every(intervalMs: number, happen: () => void): Cancel {
    let cancel: Cancel = () => {};
    const next = (): void => {
      cancel = this.after(intervalMs, () => {
        next();
        happen();
      });
    };
    next();
    return () => cancel();
  }

  /** When the next event is due; Infinity if there is none. */
  get nextAt(): number {
    while (this.#events[0]?.isCancelled) this.#events.shift();
    return this.#events[0]?.at ?? Number.POSITIVE_INFINITY;
  }

  /** Lets the next event happen. REQUIRES: it is due. */
  step(): void {
    assert(this.nextAt <= this.now, 'an event that happens is due');
    this.#events.shift()!.happen();
  }
}
