/**
 * How a thread sleeps and is woken: the only place that waits. A doorbell is one line of shared memory per thread.
 *
 * | offset | size | name     | written by      | read by         |
 * |--------|------|----------|-----------------|-----------------|
 * | 0      | 4    | rings    | whoever rings   | the sleeper     | grows by one each ring
 * | 4      | 4    | sleeping | the sleeper     | whoever rings   | 1 while it sleeps or is about to
 *
 * Ringing a thread that is awake costs one atomic load. A wake-up can't be lost: the sleeper announces itself, then
 * looks for work once more, and only then waits for `rings` to change from what it was before that look.
 */
const RINGS = 0;
const SLEEPING = 1;
export const DOORBELL_BYTES = 64;
const LONGEST_TIMER = 2 ** 31 - 1;

export class Doorbell {
  readonly #words: Int32Array;

  constructor(memory: SharedArrayBuffer, offset: number) {
    this.#words = new Int32Array(memory, offset, 2);
  }

  /** Wakes the sleeper, if it sleeps. Call after publishing what it should see. */
  ring(): void {
    if (Atomics.load(this.#words, SLEEPING) === 0) return;
    Atomics.add(this.#words, RINGS, 1);
    Atomics.notify(this.#words, RINGS);
  }

  get isSleeping(): boolean {
    return Atomics.load(this.#words, SLEEPING) === 1;
  }

  /** Sleeps as `sleep` does, but stops the whole thread: nothing else of it goes on meanwhile. */
  sleepHard(hasWork: () => boolean, timeoutMs: number): void {
    Atomics.store(this.#words, SLEEPING, 1);
    const before = Atomics.load(this.#words, RINGS);
    if (!hasWork()) Atomics.wait(this.#words, RINGS, before, timeoutMs);
    Atomics.store(this.#words, SLEEPING, 0);
  }

  /**
   * Sleeps until rung or until `timeoutMs` have passed, unless `hasWork` says after the announcement that there is
   * something to do. Uses `Atomics.waitAsync`, so that the thread's own timers and sockets go on.
   */
  async sleep(
    hasWork: () => boolean,
    timeoutMs: number = Number.POSITIVE_INFINITY,
  ): Promise<'rung' | 'timed-out' | 'work'> {
    Atomics.store(this.#words, SLEEPING, 1);
    const before = Atomics.load(this.#words, RINGS);
    // A pending `waitAsync` alone does not keep a thread alive.
    let keepAlive: NodeJS.Timeout | undefined;
    try {
      if (hasWork()) return 'work';
      keepAlive = setTimeout(() => {}, LONGEST_TIMER);
      const wait = Atomics.waitAsync(this.#words, RINGS, before, timeoutMs);
      const result = wait.async ? await wait.value : wait.value;
      return result === 'timed-out' ? 'timed-out' : 'rung';
    } finally {
      clearTimeout(keepAlive);
      Atomics.store(this.#words, SLEEPING, 0);
    }
  }
}
