/**
 * SIGINT, SIGTERM and SIGHUP (the terminal or the connection is gone): the first ends a crawl cleanly, the second at once.
 * What that means changes as a crawl goes on. SIGUSR1 and SIGUSR2 are nothing to it.
 */
const STOPPING = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const IGNORED = ['SIGUSR1', 'SIGUSR2'] as const;
/** The exit code of a crawl that was interrupted, and saved. */
export const INTERRUPTED = 130;

export class StopSignals {
  #signals = 0;
  #first: () => void;
  #second: () => void = () => {};

  /** `first` is what the first signal does until `onFirst` says otherwise. */
  constructor(first: () => void) {
    this.#first = first;
    for (const name of STOPPING) process.on(name, this.#onSignal);
    for (const name of IGNORED) process.on(name, ignore);
  }

  onFirst(act: () => void): void {
    this.#first = act;
  }

  onSecond(act: () => void): void {
    this.#second = act;
  }

  close(): void {
    for (const name of STOPPING) process.off(name, this.#onSignal);
    for (const name of IGNORED) process.off(name, ignore);
  }

  readonly #onSignal = (): void => {
    if (++this.#signals === 1) this.#first();
    else this.#second();
  };
}

function ignore(): void {}
