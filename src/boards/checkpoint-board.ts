/**
 * How the threads of a crawl make a checkpoint together, without a message.
 *
 * | offset          | size | name      | writes      | reads       |
 * |-----------------|------|-----------|-------------|-------------|
 * | 0               | 4    | requested | coordinator | agents      | the generation to be made
 * | 4               | 4    | drained   | coordinator | agents      | the generation for which all rings are empty
 * | 8               | 4    | confirmed | coordinator | agents      | the generation that is on disk, whole
 * | 12              | 4    | last      | coordinator | agents      | the generation after which none will be made
 * | 64 (agent + 1)  | 4    | flushed   | agent       | coordinator | the generation for which it sends no more
 * |            + 4  | 4    | waiting   | agent       | coordinator | records in its outboxes
 * |            + 8  | 4    | saved     | agent       | coordinator | the generation whose part it wrote
 *
 * A consistent cut: every thread answers what is pending and sends what comes of it, then says so and sends no more.
 * When all have, they take what is still on its way out of the rings, unread, until nothing is. Then each writes what it
 * has. What was sent is then in the state of its receiver, and in nobody else's.
 */
import { assert } from '../model/assert.js';

const LINE_WORDS = 16;
const REQUESTED = 0;
const DRAINED = 1;
const CONFIRMED = 2;
const LAST = 3;
const NONE = -1;
const FLUSHED = 0;
const WAITING = 1;
const SAVED = 2;

export const allocateCheckpointBoard = (agents: number): SharedArrayBuffer =>
  new SharedArrayBuffer((agents + 1) * LINE_WORDS * 4);

/** The agents' side. */
export class CheckpointPoster {
  readonly #words: Int32Array;
  readonly #line: number;

  constructor(memory: SharedArrayBuffer, agent: number) {
    this.#words = new Int32Array(memory);
    this.#line = (agent + 1) * LINE_WORDS;
  }

  get requested(): number {
    return Atomics.load(this.#words, REQUESTED);
  }

  get drained(): number {
    return Atomics.load(this.#words, DRAINED);
  }

  get confirmed(): number {
    return Atomics.load(this.#words, CONFIRMED);
  }

  /** Is this the checkpoint that a crawl which is stopped ends with? Known as soon as it is requested. */
  isLast(generation: number): boolean {
    return Atomics.load(this.#words, LAST) === generation;
  }

  /** REQUIRES: nothing will be sent before the generation is drained, but what waits. */
  postFlushed(generation: number, waiting: number): void {
    assert(generation === this.requested, 'a checkpoint that an agent flushes for was asked for');
    Atomics.store(this.#words, this.#line + WAITING, waiting);
    Atomics.store(this.#words, this.#line + FLUSHED, generation);
  }

  postSaved(generation: number): void {
    assert(generation === this.drained, 'the rings are empty for a checkpoint that an agent saved');
    Atomics.store(this.#words, this.#line + SAVED, generation);
  }
}

/** The coordinator's side. */
export class CheckpointBoard {
  readonly #words: Int32Array;
  readonly #agents: number;

  constructor(memory: SharedArrayBuffer, agents: number) {
    this.#words = new Int32Array(memory);
    this.#agents = agents;
  }

  /** The crawl goes on from this generation. REQUIRES: the agents do not run yet. */
  begin(generation: number): void {
    Atomics.store(this.#words, LAST, NONE);
    this.request(generation, false);
    this.confirm(generation);
  }

  request(generation: number, isLast: boolean): void {
    assert(generation >= Atomics.load(this.#words, REQUESTED), 'checkpoints are asked for in their order');
    if (isLast) Atomics.store(this.#words, LAST, generation);
    Atomics.store(this.#words, REQUESTED, generation);
  }

  postDrained(generation: number): void {
    assert(generation === Atomics.load(this.#words, REQUESTED), 'a checkpoint that is drained was asked for');
    Atomics.store(this.#words, DRAINED, generation);
  }

  confirm(generation: number): void {
    assert(generation >= this.confirmed, 'checkpoints become whole in their order');
    Atomics.store(this.#words, CONFIRMED, generation);
  }

  get confirmed(): number {
    return Atomics.load(this.#words, CONFIRMED);
  }

  /** The agent died, and may go back to an older checkpoint. */
  forgetSaved(agent: number): void {
    Atomics.store(this.#words, (agent + 1) * LINE_WORDS + SAVED, 0);
  }

  /** Has every agent flushed, and nothing waiting in an outbox? */
  isFlushed(generation: number): boolean {
    for (let agent = 1; agent <= this.#agents; agent++) {
      const line = agent * LINE_WORDS;
      if (Atomics.load(this.#words, line + FLUSHED) !== generation) return false;
      if (Atomics.load(this.#words, line + WAITING) !== 0) return false;
    }
    return true;
  }

  isSaved(generation: number): boolean {
    for (let agent = 1; agent <= this.#agents; agent++) {
      if (Atomics.load(this.#words, agent * LINE_WORDS + SAVED) !== generation) return false;
    }
    return true;
  }
}
