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
 *
 * A thread that wakes itself needs no shared memory for it, so the wait for others goes on meanwhile and serves the next
 * sleep too: `rings` did not change since it began, or it is about to end and wakes the sleeper once for nothing.
 */
import { LONGEST_TIMER } from './timer.js';

const RINGS = 0;
const SLEEPING = 1;
export const DOORBELL_BYTES = 64;

export type Waking = 'rung' | 'timed-out' | 'work';

export class Doorbell {
  readonly #words: Int32Array;
  /** A wait for others is under way. */
  #isListening = false;
  /** The thread rang for itself since it lay down. */
  #rangOwn = false;
  /** Ends the sleep under way; null while awake. */
  #wake: ((why: Waking) => void) | null = null;
  /** Keeps the thread alive while it sleeps, which a pending `waitAsync` alone does not. */
  #keepAlive: NodeJS.Timeout | null = null;

  constructor(memory: SharedArrayBuffer, offset: number) {
    this.#words = new Int32Array(memory, offset, 2);
  }

  /** Wakes the sleeper, if it sleeps. Call after publishing what it should see. */
  ring(): void {
    if (Atomics.load(this.#words, SLEEPING) === 0) return;
    Atomics.add(this.#words, RINGS, 1);
    Atomics.notify(this.#words, RINGS);
  }

  /** As `ring`, for the thread that sleeps by this very object: one of its own callbacks has something for its loop. */
  ringOwn(): void {
    this.#rangOwn = true;
    this.#wake?.('rung');
  }

  /** Announces a sleep to whoever drives turns without sleeping; returns what `hasRung` takes. */
  lieDown(): number {
    Atomics.store(this.#words, SLEEPING, 1);
    this.#rangOwn = false;
    return Atomics.load(this.#words, RINGS);
  }

  hasRung(since: number): boolean {
    return this.#rangOwn || Atomics.load(this.#words, RINGS) !== since;
  }

  rise(): void {
    Atomics.store(this.#words, SLEEPING, 0);
  }

  /** Sleeps as `sleep` does, but stops the whole thread: nothing else of it goes on meanwhile. */
  sleepHard(hasWork: () => boolean, timeoutMs: number): void {
    Atomics.store(this.#words, SLEEPING, 1);
    const before = Atomics.load(this.#words, RINGS);
    if (!hasWork()) Atomics.wait(this.#words, RINGS, before, timeoutMs);
    Atomics.store(this.#words, SLEEPING, 0);
  }

  /**
   * Sleeps until rung or until `timeoutMs` have passed, but no longer than a timer can wait, unless `hasWork` says after the announcement that there is
   * something to do. Uses `Atomics.waitAsync`, so that the thread's own timers and sockets go on.
   */
  async sleep(hasWork: () => boolean, timeoutMs: number = Number.POSITIVE_INFINITY): Promise<Waking> {
    Atomics.store(this.#words, SLEEPING, 1);
    const before = Atomics.load(this.#words, RINGS);
    let timer: NodeJS.Timeout | undefined;
    try {
      if (hasWork()) return 'work';
      if (!this.#listen(before)) return 'rung';
      return await new Promise<Waking>((resolve) => {
        this.#wake = resolve;
        if (timeoutMs === Number.POSITIVE_INFINITY) this.#stayAlive();
        else timer = setTimeout(resolve, Math.min(LONGEST_TIMER, Math.ceil(timeoutMs)), 'timed-out');
      });
    } finally {
      this.#wake = null;
      clearTimeout(timer);
      this.#keepAlive?.unref();
      Atomics.store(this.#words, SLEEPING, 0);
    }
  }

  /** Makes sure that a ring since `rings` was `before` ends the sleep; false if there was one already. */
  #listen(before: number): boolean {
    if (this.#isListening) return true;
    const wait = Atomics.waitAsync(this.#words, RINGS, before);
    if (!wait.async) return false;
    this.#isListening = true;
    void wait.value.then(() => {
      this.#isListening = false;
      this.#wake?.('rung');
    });
    return true;
  }

  /** One timer for all sleeps without end: making it costs more than waking it up. */
  #stayAlive(): void {
    if (this.#keepAlive === null) this.#keepAlive = setInterval(() => {}, LONGEST_TIMER);
    else this.#keepAlive.ref();
  }
}
