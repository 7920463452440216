/**
 * Where agents post whether they have anything to do, and how the coordinator finds that the crawl is exhausted:
 * exactly, without time-outs; and where they give signs of life. It survives the thread that writes to it.
 *
 * | offset         | size | name  | writes             | reads       |
 * |----------------|------|-------|--------------------|-------------|
 * | 64 agent       | 4    | idle  | agent, coordinator | coordinator | 1: nothing to do until a record arrives
 * | 64 agent + 4   | 4    | turns | agent              | coordinator | grows with each turn of its loop
 * | 64 agent + 8   | 8    | hand  | agent              | coordinator | key of the URL whose page it reads; 0 if none
 * | 64 agent + 16  | 4    | signs | agent              | coordinator | grows with each sign of life between two turns
 * | 64 agent + 20  | 4    | waits | agent, coordinator | coordinator | more than 0: it waits, and gives no sign
 *
 * Invariants
 * 1. An agent is idle only while its frontier, DRUM buffers, outboxes and unassigned list are empty and no fetch is
 *    under way; only receiving a record ends that, and it clears `idle` before it takes the record.
 * 2. The coordinator clears `idle` of an agent that died, before anything else.
 *
 * The crawl is over if two looks, one after the other, find every agent idle and every ring empty, and nothing was
 * published between them. For then, whatever was published before the first look was taken before it, and each agent
 * that took something had come to the end of it when the second look found it idle, without having published anything.
 */

import { assert } from '../model/assert.js';
import { keyText } from '../model/key.js';
import type { LifeSigns } from '../model/life-signs.js';
import { recordKeyHigh, recordKeyLow } from '../model/record.js';
import { type MeshMemory, newHeads, readHeads } from '../ring/mesh.js';

const LINE_WORDS = 16;
const IDLE = 0;
const TURNS = 1;
const HAND = 2;
const SIGNS = 4;
const WAITS = 5;

export const allocateActivityBoard = (agents: number): SharedArrayBuffer =>
  new SharedArrayBuffer(agents * LINE_WORDS * 4);

export class ActivityPoster implements LifeSigns {
  readonly #words: Int32Array;
  /** Kept here: what an earlier life of the agent left on the board does not count. */
  #waits = 0;

  constructor(memory: SharedArrayBuffer, agent: number) {
    this.#words = new Int32Array(memory, agent * LINE_WORDS * 4, LINE_WORDS);
  }

  postBusy(): void {
    if (Atomics.load(this.#words, IDLE) !== 0) Atomics.store(this.#words, IDLE, 0);
    Atomics.add(this.#words, TURNS, 1);
  }

  /** As it posted last. */
  get isIdle(): boolean {
    return Atomics.load(this.#words, IDLE) !== 0;
  }

  alive(): void {
    Atomics.add(this.#words, SIGNS, 1);
  }

  beginWait(): void {
    Atomics.store(this.#words, WAITS, ++this.#waits);
  }

  endWait(): void {
    assert(this.#waits > 0, 'a wait that ends was begun');
    this.alive();
    Atomics.store(this.#words, WAITS, --this.#waits);
  }

  /** REQUIRES: invariant 1. */
  postIdle(): void {
    Atomics.store(this.#words, IDLE, 1);
  }

  /** The page of this record's URL is being read; null when it is done. Whoever finds the agent dead knows what of. */
  postHand(record: Uint8Array | null): void {
    this.#words[HAND] = record === null ? 0 : recordKeyLow(record, 0);
    this.#words[HAND + 1] = record === null ? 0 : recordKeyHigh(record, 0);
  }
}

export class ActivityBoard {
  readonly #words: Int32Array;
  readonly #agents: number;
  readonly #rings: MeshMemory;
  readonly #firstHeads: Int32Array;
  readonly #secondHeads: Int32Array;

  constructor(memory: SharedArrayBuffer, agents: number, rings: MeshMemory) {
    this.#words = new Int32Array(memory);
    this.#agents = agents;
    this.#rings = rings;
    this.#firstHeads = newHeads(rings);
    this.#secondHeads = newHeads(rings);
  }

  /** Is the crawl over, given that the coordinator itself has nothing to do? */
  isExhausted(): boolean {
    if (!this.#areIdle() || !readHeads(this.#rings, this.#firstHeads)) return false;
    if (!this.#areIdle() || !readHeads(this.#rings, this.#secondHeads)) return false;
    return this.#firstHeads.every((head, i) => head === this.#secondHeads[i]);
  }

  /** The agent died: it is not idle, and whatever it held is known no more. */
  clear(agent: number): void {
    this.clearIdle(agent);
    Atomics.store(this.#words, agent * LINE_WORDS + WAITS, 0);
    this.#words[agent * LINE_WORDS + HAND] = 0;
    this.#words[agent * LINE_WORDS + HAND + 1] = 0;
  }

  /** The agent will die: it must not be taken for idle meanwhile. */
  clearIdle(agent: number): void {
    Atomics.store(this.#words, agent * LINE_WORDS + IDLE, 0);
  }

  /** A number that changes with each turn of the agent's loop. */
  turnsOf(agent: number): number {
    return Atomics.load(this.#words, agent * LINE_WORDS + TURNS);
  }

  /** A number that changes while the agent's thread gets on with something. */
  signsOf(agent: number): number {
    return (this.turnsOf(agent) + Atomics.load(this.#words, agent * LINE_WORDS + SIGNS)) | 0;
  }

  /** Does it wait for something outside of its thread? */
  isWaiting(agent: number): boolean {
    return Atomics.load(this.#words, agent * LINE_WORDS + WAITS) > 0;
  }

  /** The key of the URL whose page the agent reads, in hexadecimal; '' if none. */
  handOf(agent: number): string {
    const low = this.#words[agent * LINE_WORDS + HAND]! >>> 0;
    const high = this.#words[agent * LINE_WORDS + HAND + 1]! >>> 0;
    return low === 0 && high === 0 ? '' : keyText(low, high);
  }

  #areIdle(): boolean {
    for (let agent = 0; agent < this.#agents; agent++) {
      if (Atomics.load(this.#words, agent * LINE_WORDS + IDLE) === 0) return false;
    }
    return true;
  }
}
