/** SIGINT and SIGTERM: the first ends a crawl cleanly, the second at once. What that means changes as a crawl goes on. */
const NAMES = ['SIGINT', 'SIGTERM'] as const;
/** The exit code of a crawl that was interrupted, and saved. */
export const INTERRUPTED = 130;

export class StopSignals {
  #signals = 0;
  #first: () => void = () => {};
  #second: () => void = () => {};

  constructor() {
    for (const name of NAMES) process.on(name, this.#onSignal);
  }

  onFirst(act: () => void): void {
    this.#first = act;
  }

  onSecond(act: () => void): void {
    this.#second = act;
  }

  close(): void {
    for (const name of NAMES) process.off(name, this.#onSignal);
  }

  readonly #onSignal = (): void => {
    if (++this.#signals === 1) this.#first();
    else this.#second();
  };
}
