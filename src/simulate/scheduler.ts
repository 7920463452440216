/**
 * Decides who goes on. Threads are turns taken one at a time; bells, sleeps and time are made up, and every choice is
 * drawn from one seed. A bell that nobody rang leaves its thread asleep, as in a crawl.
 */
import { AGAIN, HELD, OVER, type TurnTaker } from '../model/turn.js';
import type { Doorbell } from '../ring/doorbell.js';
import type { Random } from './random.js';
import type { Timeline } from './timeline.js';
import type { Trace } from './trace.js';

/** As the loop of a thread, which looks again after so long in case that a bell was missed. */
const LONGEST_HOLD_MS = 20;
/** A turn takes less than this in made-up time. */
const LONGEST_TURN_MS = 2;
/** Steps without an end: nothing goes forward. */
const MOST_STEPS = 60_000;

interface Thread {
  readonly name: string;
  readonly taker: TurnTaker;
  readonly bell: Doorbell;
  readonly end: (error: unknown) => void;
  /** While it sleeps: the rings when it lay down, and when it gets up unasked. */
  rings: number | null;
  wakeAt: number;
  /** None of its events may happen: a checkpoint is being made. */
  isHeld: boolean;
}

export class Stuck extends Error {}

export class Scheduler {
  readonly #random: Random;
  readonly #timeline: Timeline;
  readonly #trace: Trace;
  #threads: Thread[] = [];
  steps = 0;
  /** Something was settled that others wait for by promise: they go on before the next step. */
  #hasSettled = true;

  constructor(random: Random, timeline: Timeline, trace: Trace) {
    this.#random = random;
    this.#timeline = timeline;
    this.#trace = trace;
  }

  /** Has turns taken from now on; the promise is kept after the last. */
  drive(name: string, taker: TurnTaker, bell: Doorbell): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = (error: unknown): void => {
        this.#hasSettled = true;
        if (error === null) resolve();
        else reject(error);
      };
      this.#threads.push({ name, taker, bell, end, rings: null, wakeAt: 0, isHeld: false });
    });
  }

  /** The thread takes no more turns, and nobody hears of it. */
  drop(name: string): void {
    this.#threads = this.#threads.filter((thread) => thread.name !== name);
  }

  /** May events of the thread happen now? */
  isHeld(name: string): boolean {
    return this.#threads.some((thread) => thread.name === name && thread.isHeld);
  }

  /** Whoever waits by promise goes on before the next step. */
  settle(): void {
    this.#hasSettled = true;
  }

  /** Lets threads and events go on until `isOver`. */
  async run(isOver: () => boolean): Promise<void> {
    for (;;) {
      if (this.#hasSettled) {
        this.#hasSettled = false;
        await new Promise(setImmediate);
      }
      if (isOver()) return;
      if (++this.steps > MOST_STEPS) throw new Stuck('nothing goes forward');
      this.#step();
    }
  }

  #step(): void {
    const awake = this.#threads.filter((thread) => this.#isAwake(thread));
    const isEventDue = this.#timeline.nextAt <= this.#timeline.now;
    const choices = awake.length + (isEventDue ? 1 : 0);
    if (choices === 0) {
      this.#passTime();
      return;
    }
    const chosen = this.#random.below(choices);
    const thread = awake[chosen];
    this.#trace.decide(thread?.name ?? 'event', this.#timeline.now);
    this.#timeline.now += this.#random.below(16) / (16 / LONGEST_TURN_MS);
    if (thread === undefined) {
      this.#timeline.step();
      this.#hasSettled = true;
    } else this.#takeTurn(thread);
  }

  #isAwake({ bell, rings, wakeAt }: Thread): boolean {
    return rings === null || wakeAt <= this.#timeline.now || bell.hasRung(rings);
  }

  #passTime(): void {
    const next = Math.min(this.#timeline.nextAt, ...this.#threads.map(({ wakeAt }) => wakeAt));
    if (next === Number.POSITIVE_INFINITY)
      throw new Stuck(`everyone sleeps: ${this.#threads.map(({ name }) => name).join(', ')}`);
    this.#timeline.now = next;
  }

  #takeTurn(thread: Thread): void {
    const { bell, name, taker } = thread;
    if (thread.rings !== null) bell.rise();
    thread.rings = null;
    thread.isHeld = false;
    try {
      const next = taker.turn();
      thread.isHeld = next === HELD;
      if (next === OVER) {
        this.drop(name);
        thread.end(null);
      } else if (next !== AGAIN) {
        thread.wakeAt = this.#timeline.now + (next === HELD ? LONGEST_HOLD_MS : next);
        thread.rings = bell.lieDown();
        // As in a thread: who finds work after the announcement does not sleep.
        if (taker.hasWork()) thread.wakeAt = this.#timeline.now;
      }
    } catch (error) {
      this.drop(name);
      thread.end(error);
    }
  }
}
