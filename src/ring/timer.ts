/**
 * Timers of any length. Node counts milliseconds in 31 bits, 24.8 days: one that is asked for more fires at once.
 */
export const LONGEST_TIMER = 2 ** 31 - 1;

/** Calls `act` after so many milliseconds, in as many timers as it takes; never if that is Infinity. */
export class Timer {
  readonly #act: () => void;
  #left: number;
  #part: NodeJS.Timeout | undefined;

  constructor(delayMs: number, act: () => void) {
    this.#act = act;
    this.#left = delayMs;
    if (delayMs !== Number.POSITIVE_INFINITY) this.#next();
  }

  cancel(): void {
    clearTimeout(this.#part);
  }

  #next(): void {
    const part = Math.min(this.#left, LONGEST_TIMER);
    this.#left -= part;
    this.#part = setTimeout(() => (this.#left > 0 ? this.#next() : this.#act()), part);
  }
}
