/**
 * Where agents post how far their files of stored pages are written. It survives the thread that writes to it, so that
 * an agent which is started again goes on behind what it wrote: other agents may have referred to that.
 *
 * | offset           | size | name     | writes | reads  |
 * |------------------|------|----------|--------|--------|
 * | 256 agent        | 8    | place    | agent  | agents | serial x 2^40 + offset: where its last whole record ends
 * | 256 agent + 8    | 4    | current  | agent  | agent  | which of the two posts holds; one is filled while the other does
 * | 256 agent + 16   | 80   | post 0   | agent  | agent  | serial, offset, counts
 * | 256 agent + 96   | 80   | post 1   | agent  | agent  |
 * | 256 agent + 12   | 4    | saved    | agent  | agent  | the checkpoint that it wrote its part of last; 0 if none
 * | 256 agent + 176  | 80   | post 2   | agent  | agent  | as of that checkpoint
 */
import type { StoreCounts, StoredPlace, WrittenPlaces } from '../store/page-store.js';
import type { SavedPosition } from '../store/repeated-tail.js';

type Posted = Omit<SavedPosition, 'generation'>;

const LINE_BYTES = 256;
const CURRENT = 2;
const SAVED = 3;
const SAVED_POST = 2;
const POSTS_AT = 16;
const POST_NUMBERS = 10;
const RECORD_TYPES = ['warcinfo', 'request', 'response', 'revisit', 'metadata'] as const;
const OFFSET_BITS = 40n;
/** Milliseconds that a record of another agent is waited for: only a full disk keeps it longer from writing it. */
const LONGEST_WAIT = 1000;

export const allocateStoreBoard = (agents: number): SharedArrayBuffer =>
  new SharedArrayBuffer(LINE_BYTES * agents);

export class StoreBoard implements WrittenPlaces {
  readonly #memory: SharedArrayBuffer;
  readonly #places: BigInt64Array;
  readonly #words: Int32Array;
  readonly #posts: readonly Float64Array[];
  readonly #agent: number;
  readonly #longestWait: number;

  constructor(memory: SharedArrayBuffer, agent: number, longestWait = LONGEST_WAIT) {
    this.#memory = memory;
    this.#longestWait = longestWait;
    this.#agent = agent;
    this.#places = new BigInt64Array(memory);
    const line = LINE_BYTES * agent;
    this.#words = new Int32Array(memory, line, 4);
    this.#posts = [0, 1, SAVED_POST].map(
      (i) => new Float64Array(memory, line + POSTS_AT + 8 * POST_NUMBERS * i, POST_NUMBERS),
    );
  }

  post(serial: number, offset: number, counts: StoreCounts): void {
    const next = 1 - this.#words[CURRENT]!;
    this.#fill(next, serial, offset, counts);
    Atomics.store(this.#words, CURRENT, next);
    const line = this.#lineOf(this.#agent);
    Atomics.store(this.#places, line, packed({ serial, offset }));
    Atomics.notify(this.#places, line);
  }

  postSaved(generation: number, serial: number, offset: number, counts: StoreCounts): void {
    // Should the thread die in the middle, nothing was saved.
    Atomics.store(this.#words, SAVED, 0);
    this.#fill(SAVED_POST, serial, offset, counts);
    Atomics.store(this.#words, SAVED, generation);
  }

  /** What was posted last, maybe by another life of the agent; null if it has no files. */
  get last(): Posted | null {
    const last = this.#read(this.#words[CURRENT]!);
    return last.counts.files === 0 ? null : last;
  }

  /** The same as of a checkpoint after `generation`; null if it wrote its part of none. */
  savedAfter(generation: number): SavedPosition | null {
    const saved = Atomics.load(this.#words, SAVED);
    return saved > generation ? { generation: saved, ...this.#read(SAVED_POST) } : null;
  }

  #fill(which: number, serial: number, offset: number, counts: StoreCounts): void {
    const post = this.#posts[which]!;
    post[0] = serial;
    post[1] = offset;
    post[2] = counts.files;
    post[3] = counts.bytes;
    post[4] = counts.duplicateBytes;
    for (const [i, type] of RECORD_TYPES.entries()) post[5 + i] = counts.records[type]!;
  }

  #read(which: number): Posted {
    const [serial, offset, files, bytes, duplicateBytes, ...records] = this.#posts[which]!;
    const byType = Object.fromEntries(RECORD_TYPES.map((type, i) => [type, records[i]!]));
    const duplicates = byType['revisit']!;
    const counts = { files: files!, bytes: bytes!, duplicates, duplicateBytes: duplicateBytes! };
    return { serial: serial!, offset: offset!, counts: { ...counts, records: byType } };
  }

  isWritten(place: StoredPlace): boolean {
    const line = this.#lineOf(place.agent);
    if (8 * line >= this.#memory.byteLength) return false;
    const end = performance.now() + this.#longestWait;
    for (;;) {
      const written = Atomics.load(this.#places, line);
      if (written > packed(place)) return true;
      const left = end - performance.now();
      if (left <= 0) return false;
      Atomics.wait(this.#places, line, written, left);
    }
  }

  #lineOf(agent: number): number {
    return (LINE_BYTES * agent) / 8;
  }
}

/** What an agent has stored, by its last post; undefined if it has no files. */
export const lastCounts = (memory: SharedArrayBuffer, agent: number): StoreCounts | undefined =>
  new StoreBoard(memory, agent).last?.counts;

const packed = ({ serial, offset }: Pick<StoredPlace, 'serial' | 'offset'>): bigint =>
  (BigInt(serial) << OFFSET_BITS) | BigInt(offset);
