/**
 * When the next request to a host may start, in memory that all agents share: it outlives the agent that knew it.
 *
 * | offset           | size | name     | writes                         | reads |
 * |------------------|------|----------|--------------------------------|-------|
 * | 0                | 8    | agents   | allocateHostTable, once        | all   |
 * | 8 + 16 a         | 8    | born     | agent a, when a life begins    | all   | the shared clock's time
 * | 16 + 16 a        | 4    | life     | agent a, right after `born`    | all   |
 * | 20 + 16 a        | 4    |          |                                |       |
 * | 8 + 16 agents    |      | buckets  |                                |       |
 *
 * | offset in bucket | size | name     | writes                         | reads |
 * |------------------|------|----------|--------------------------------|-------|
 * | 0                | 4    | lock     | who takes: 1 + its number, 0   | all   |
 * | 4                | 4    |          |                                |       |
 * | 8 + 24 c         | 8    | key      | who takes, under the lock      | under the lock |
 * | 16 + 24 c        | 4    | state    | who takes, under the lock; then who has taken | under the lock |
 * | 20 + 24 c        | 4    | pause    | who takes, under the lock      | under the lock |
 * | 24 + 24 c        | 8    | until    | who has taken                  | under the lock |
 *
 * A cell holds the whole key of its host, so no host ever waits for another's pause. A host that is taken has a request
 * under way; when that is over, it rests until a time. A cell whose host may be asked again is free.
 *
 * Invariants
 * 1. Nobody waits for a lock: who finds it closed asks again later. A lock whose holder died is opened by its next life.
 * 2. `state` is written after what it stands for: a cell that was half written says no less than it did before.
 * 3. A host taken in a life that is over had its request end with it: it rests for `pause` since the next life began.
 * 4. A host is only taken if there is a cell for it. Where all are in use, one gives way that rests by a pause that is on
 *    disk, too; else the host waits. A full table makes the crawl slower, and never a pause shorter.
 */
import { assert } from '../model/assert.js';
import type { KeyPlaces } from '../model/key-hash.js';

const HEADER_BYTES = 8;
const LIFE_BYTES = 16;
const CELLS = 8;
const CELL_WORDS = 6;
const BUCKET_WORDS = 2 + CELLS * CELL_WORDS;
const KEY_LOW = 0;
const KEY_HIGH = 1;
const STATE = 2;
const PAUSE = 3;
const UNTIL = 4;

const RESTING = 0;
/** Rests, and so it stands on disk. */
const RESTING_LONG = -1;
/** Any other state is 1 + the agent's number + LIFE * its life. */
const LIFE = 1024;
const LIVES = 2 ** 20;

const LEAST_BUCKETS = 8;
/** Milliseconds until to look again: at a closed lock, and at a host with a request under way. */
const CLOSED_MS = 1;
const TAKEN_MS = 50;

/** `bytes` of shared memory for the hosts, beside a few for each agent. */
export function allocateHostTable(bytes: number, agents: number): SharedArrayBuffer {
  if (agents >= LIFE) throw new RangeError(`${agents} agents in a table of hosts`);
  const buckets = 2 ** Math.floor(Math.log2(Math.max(LEAST_BUCKETS, bytes / (4 * BUCKET_WORDS))));
  const memory = new SharedArrayBuffer(HEADER_BYTES + LIFE_BYTES * agents + 4 * BUCKET_WORDS * buckets);
  new Int32Array(memory, 0, 1)[0] = agents;
  return memory;
}

export class HostTable {
  readonly #agent: number;
  readonly #agents: number;
  readonly #words: Int32Array;
  readonly #times: Float64Array;
  readonly #firstBucket: number;
  readonly #mask: number;
  readonly #hash: KeyPlaces;
  #self = 0;
  /** Of the host taken last. */
  cell = -1;

  /** `hash` is the same for all agents: hosts are found by the seed of the crawl, so that nobody can fill another's bucket. */
  constructor(memory: SharedArrayBuffer, agent: number, hash: KeyPlaces = { of: spread }) {
    this.#hash = hash;
    this.#words = new Int32Array(memory);
    this.#times = new Float64Array(memory);
    this.#agent = agent;
    this.#agents = this.#words[0]!;
    this.#firstBucket = (HEADER_BYTES + LIFE_BYTES * this.#agents) / 4;
    this.#mask = (this.#words.length - this.#firstBucket) / BUCKET_WORDS - 1;
  }

  /** All that the agent took before it began now is over. REQUIRES: its last life is. */
  beginLife(now: number): void {
    const words = this.#words;
    const life = lifeWord(this.#agent);
    this.#times[life / 2 - 1] = now;
    // Publishes the time: from now on the earlier life's requests are over.
    this.#self = 1 + this.#agent + LIFE * ((Atomics.add(words, life, 1) + 1) % LIVES);
    for (let lock = this.#firstBucket; lock < words.length; lock += BUCKET_WORDS)
      Atomics.compareExchange(words, lock, 1 + this.#agent, 0);
  }

  /**
   * 0 if a request to the host may start now: its cell is `cell`, and should the agent die meanwhile, the host rests
   * `pause` ms. Else the milliseconds after which to ask again. REQUIRES: a life began.
   */
  take(low: number, high: number, now: number, pause: number): number {
    assert(this.#self > 0, "a host is taken in an agent's life");
    const lock = this.#firstBucket + BUCKET_WORDS * (this.#hash.of(low, high) & this.#mask);
    if (Atomics.compareExchange(this.#words, lock, 0, 1 + this.#agent) !== 0) return CLOSED_MS;
    const wait = this.#takeIn(lock + 2, low | 0, high | 0, now, pause);
    Atomics.store(this.#words, lock, 0);
    return wait;
  }

  /** The request to the host that was taken is over; the next may start at `until`. `isOnDisk`: should this be lost, it is known. */
  rest(cell: number, until: number, isOnDisk: boolean): void {
    this.#times[(cell + UNTIL) / 2] = until;
    // Publishes the time.
    Atomics.store(this.#words, cell + STATE, isOnDisk ? RESTING_LONG : RESTING);
  }

  #takeIn(first: number, low: number, high: number, now: number, pause: number): number {
    const words = this.#words;
    let chosen = -1;
    let givesWay = -1;
    let soonest = Number.POSITIVE_INFINITY;
    for (let cell = first; cell < first + CELLS * CELL_WORDS; cell += CELL_WORDS) {
      const state = Atomics.load(words, cell + STATE);
      const wait = this.#wait(cell, state, now);
      if (words[cell + KEY_LOW] === low && words[cell + KEY_HIGH] === high) {
        if (wait > 0) return wait;
        chosen = cell;
        break;
      }
      if (wait <= 0) chosen = cell;
      else if (state === RESTING_LONG) givesWay = cell;
      else soonest = Math.min(soonest, wait);
    }
    if (chosen < 0) chosen = givesWay;
    if (chosen < 0) return soonest;
    words[chosen + PAUSE] = Math.min(Math.ceil(pause), 0x7fff_ffff);
    // Under the earlier key, if it has one: its rest is over, or known elsewhere.
    Atomics.store(words, chosen + STATE, this.#self);
    words[chosen + KEY_LOW] = low;
    words[chosen + KEY_HIGH] = high;
    this.cell = chosen;
    return 0;
  }

  /** Milliseconds until the cell is free. */
  #wait(cell: number, state: number, now: number): number {
    if (state === RESTING || state === RESTING_LONG) return this.#times[(cell + UNTIL) / 2]! - now;
    const life = lifeWord((state - 1) % LIFE);
    if (Atomics.load(this.#words, life) % LIVES === Math.floor((state - 1) / LIFE)) return TAKEN_MS;
    return this.#times[life / 2 - 1]! + this.#words[cell + PAUSE]! - now;
  }
}

const lifeWord = (agent: number): number => (HEADER_BYTES + LIFE_BYTES * agent) / 4 + 2;

/** Keys are hashes, but the shared part of their bits is used elsewhere to tell agents apart. */
function spread(low: number, high: number): number {
  const hash = Math.imul(low ^ high, 0x9e3779b1);
  return (hash ^ (hash >>> 15)) >>> 0;
}
