/**
 * Where agents post whether they have anything to do, and how the coordinator finds that the crawl is exhausted:
 * exactly, by counting, without time-outs.
 *
 * | offset         | size | name     | writes | reads       |
 * |----------------|------|----------|--------|-------------|
 * | 64 agent       | 4    | idle     | agent  | coordinator | 1: nothing to do until a record arrives
 * | 64 agent + 4   | 4    | sent     | agent  | coordinator | records ever sent, modulo 2^32
 * | 64 agent + 8   | 4    | received | agent  | coordinator | records ever received, modulo 2^32
 *
 * Invariants
 * 1. An agent is idle only while its frontier, DRUM buffers, outboxes and unassigned list are empty and no fetch is
 *    under way; only receiving a record ends that, and it clears `idle` before it takes the record.
 * 2. `sent` counts a record from the moment it is handed to an outbox, and is posted before `idle` is.
 *
 * So if two looks, one after the other, find everyone idle with the same sums, nobody sent or received in between;
 * and if as many records were received as sent, there was a moment between the looks when nobody had work and nothing
 * was on its way: the crawl was over (the four-counter method of distributed termination detection).
 */
const LINE_WORDS = 16;
const IDLE = 0;
const SENT = 1;
const RECEIVED = 2;

export const allocateActivityBoard = (agents: number): SharedArrayBuffer =>
  new SharedArrayBuffer(agents * LINE_WORDS * 4);

export class ActivityPoster {
  readonly #words: Int32Array;

  constructor(memory: SharedArrayBuffer, agent: number) {
    this.#words = new Int32Array(memory, agent * LINE_WORDS * 4, LINE_WORDS);
  }

  postBusy(): void {
    if (Atomics.load(this.#words, IDLE) !== 0) Atomics.store(this.#words, IDLE, 0);
  }

  /** REQUIRES: invariant 1. */
  postIdle(sent: number, received: number): void {
    Atomics.store(this.#words, SENT, sent);
    Atomics.store(this.#words, RECEIVED, received);
    Atomics.store(this.#words, IDLE, 1);
  }
}

export class ActivityBoard {
  readonly #words: Int32Array;
  readonly #agents: number;

  constructor(memory: SharedArrayBuffer, agents: number) {
    this.#words = new Int32Array(memory);
    this.#agents = agents;
  }

  /** Is the crawl over, given that the coordinator itself has nothing to do and sent and received this many records? */
  isExhausted(sent: number, received: number): boolean {
    const first = this.#look(sent, received);
    if (first === null || first.sent !== first.received) return false;
    const second = this.#look(sent, received);
    return second !== null && second.sent === first.sent && second.received === first.received;
  }

  #look(sent: number, received: number): { sent: number; received: number } | null {
    const sums = { sent: sent | 0, received: received | 0 };
    for (let agent = 0; agent < this.#agents; agent++) {
      const at = agent * LINE_WORDS;
      if (Atomics.load(this.#words, at + IDLE) === 0) return null;
      sums.sent = (sums.sent + Atomics.load(this.#words, at + SENT)) | 0;
      sums.received = (sums.received + Atomics.load(this.#words, at + RECEIVED)) | 0;
    }
    return sums;
  }
}
