/**
 * Emulates a network of a given bandwidth for one agent (fc2l-udcbot, section 4.1), as a token bucket in time.
 *
 * Reading a page at the target bandwidth takes its bytes divided by the bandwidth. Time that the crawler spent beyond
 * that goes to the excess-time account; time it saved is taken from there, and when the account runs dry, the reader is
 * suspended until the page's due time. Departure from the paper: the account has a bound, so that a long pause (a merge,
 * a sleeping laptop) is not followed by an unbounded burst.
 */
import type { Clock } from '../model/clock.js';

const MAX_EXCESS_MS = 1000;

export class BandwidthPacer {
  readonly #msPerByte: number;
  readonly #clock: Clock;
  /** When the page read last was, or will be, through at the target bandwidth. */
  #due: number;

  /** `bitsPerSecond` may be Infinity: nothing ever waits. */
  constructor(bitsPerSecond: number, clock: Clock) {
    this.#msPerByte = 8000 / bitsPerSecond;
    this.#clock = clock;
    this.#due = clock();
  }

  /** Accounts for a page that was read now. */
  charge(bytes: number): void {
    this.#due = Math.max(this.#due, this.#clock() - MAX_EXCESS_MS) + bytes * this.#msPerByte;
  }

  /** Milliseconds until the next page may be read; 0 if at once. */
  wait(): number {
    if (this.#msPerByte === 0) return 0;
    return Math.max(0, this.#due - this.#clock());
  }
}
