/**
 * A byte ring in shared memory between one producer thread and one consumer thread, for records of any length.
 *
 * | offset | size     | name    | writes   | reads    |
 * |--------|----------|---------|----------|----------|
 * | 0      | 4        | head    | producer | consumer | bytes ever published, modulo 2^32
 * | 4      | 4        | blocked | both     | both     | 1: the producer found no room; the consumer sets it back to 0
 * | 64     | 4        | tail    | consumer | producer | bytes ever consumed, modulo 2^32
 * | 128    | capacity | data    | producer | consumer | records: length (4 bytes), then that many bytes, padded to 4
 *
 * Each cursor has a 64-byte line of its own, so that the two threads do not fight over one.
 *
 * Invariants
 * 1. capacity is a power of two, and 0 <= head - tail <= capacity (modulo 2^32).
 * 2. data[tail, head) holds whole records; a record may wrap around the end.
 * 3. Only the producer stores head, and only after the bytes before it are written.
 * 4. Only the consumer stores tail, and only after it is done with the bytes before it.
 * 5. A producer that found no room says so in `blocked` and looks at tail once more; a consumer that made room stores
 *    tail and then looks at `blocked`. So one of the two always sees the other, and no producer waits for ever.
 */
import { assert } from '../model/assert.js';
import type { RecordVisitor } from '../model/record.js';

const HEAD = 0;
const BLOCKED = 1;
const TAIL = 16;
/** Bytes before the data. */
export const RING_HEADER = 128;
const LENGTH_BYTES = 4;

const padded = (length: number): number => LENGTH_BYTES + ((length + 3) & ~3);

export function checkCapacity(capacity: number): void {
  if (capacity < 64 || (capacity & (capacity - 1)) !== 0)
    throw new RangeError(`ring capacity ${capacity} is no power of two from 64`);
}

/** Where a ring is. Sent to the two threads that it joins. */
export interface RingMemory {
  readonly buffer: SharedArrayBuffer;
  readonly offset: number;
  readonly capacity: number;
}

/** Gives the memory of a ring; producer and consumer attach to it, each in its thread. */
export function allocateRing(capacity: number): RingMemory {
  checkCapacity(capacity);
  return { buffer: new SharedArrayBuffer(RING_HEADER + capacity), offset: 0, capacity };
}

/** The head of the ring at `words[at]` if it has nothing in it now, else null. For a third thread to ask. */
export function headOfEmpty(words: Int32Array, at: number): number | null {
  const head = Atomics.load(words, at + HEAD);
  return Atomics.load(words, at + TAIL) === head ? head : null;
}

class RingEnd {
  protected readonly cursors: Int32Array;
  protected readonly data: Uint8Array;
  protected readonly words: Int32Array;
  protected readonly mask: number;
  readonly capacity: number;

  constructor({ buffer, capacity, offset }: RingMemory) {
    this.capacity = capacity;
    this.mask = capacity - 1;
    this.cursors = new Int32Array(buffer, offset, RING_HEADER / 4);
    this.data = new Uint8Array(buffer, offset + RING_HEADER, capacity);
    this.words = new Int32Array(buffer, offset + RING_HEADER, capacity / 4);
    const used = (Atomics.load(this.cursors, HEAD) - Atomics.load(this.cursors, TAIL)) | 0;
    assert(used >= 0 && used <= capacity, 'a ring holds no more than its capacity');
  }
}

export class SpscProducer extends RingEnd {
  /** Bytes written, published or not. */
  #written: number;
  /** The consumer's cursor as last seen: it only grows, so an old value is safe, and most writes need no new one. */
  #tail: number;

  constructor(ring: RingMemory) {
    super(ring);
    this.#written = Atomics.load(this.cursors, HEAD);
    this.#tail = Atomics.load(this.cursors, TAIL);
  }

  /** Writes one record behind those written before, unpublished; false if it does not fit now. */
  tryWrite(bytes: Uint8Array, start: number, end: number): boolean {
    const length = end - start;
    const size = padded(length);
    assert(length >= 0 && size <= this.capacity, 'a record fits an empty ring');
    if (!this.#hasRoom(size)) return false;
    const at = this.#written & this.mask;
    this.words[at >>> 2] = length;
    const from = (at + LENGTH_BYTES) & this.mask;
    const straight = Math.min(length, this.capacity - from);
    this.data.set(bytes.subarray(start, start + straight), from);
    if (straight < length) this.data.set(bytes.subarray(start + straight, end), 0);
    this.#written = (this.#written + size) | 0;
    return true;
  }

  /** Would a record of this length fit now? */
  hasRoom(length: number): boolean {
    return this.#hasRoom(padded(length));
  }

  #hasRoom(size: number): boolean {
    if (size <= this.capacity - ((this.#written - this.#tail) | 0)) return true;
    Atomics.store(this.cursors, BLOCKED, 1);
    this.#tail = Atomics.load(this.cursors, TAIL);
    if (size > this.capacity - ((this.#written - this.#tail) | 0)) return false;
    Atomics.store(this.cursors, BLOCKED, 0);
    return true;
  }

  /** The consumer made no room since a write failed. One that died when it had made some did not say so in `blocked`. */
  get isBlocked(): boolean {
    return Atomics.load(this.cursors, BLOCKED) === 1 && Atomics.load(this.cursors, TAIL) === this.#tail;
  }

  /** Shows all records written so far to the consumer; false if there were none. */
  publish(): boolean {
    if (this.#written === this.cursors[HEAD]) return false;
    // Publishes the bytes of every record before #written.
    Atomics.store(this.cursors, HEAD, this.#written);
    return true;
  }
}

export class SpscConsumer extends RingEnd {
  #tail: number;
  /** A wrapped record is put together here. */
  #joined = new Uint8Array(256);

  constructor(ring: RingMemory) {
    super(ring);
    this.#tail = Atomics.load(this.cursors, TAIL);
  }

  get isEmpty(): boolean {
    return Atomics.load(this.cursors, HEAD) === this.#tail;
  }

  /** True once after making room for a producer that found none: it wants to be woken. */
  takeBlocked(): boolean {
    return Atomics.load(this.cursors, BLOCKED) === 1 && Atomics.exchange(this.cursors, BLOCKED, 0) === 1;
  }

  /** Visits up to `limit` records in order, then frees their room at once, after `beforeFree`; returns how many. */
  drain(limit: number, visit: RecordVisitor, beforeFree?: () => void): number {
    const head = Atomics.load(this.cursors, HEAD);
    let count = 0;
    let tail = this.#tail;
    while (tail !== head && count < limit) {
      const at = tail & this.mask;
      const length = this.words[at >>> 2]!;
      const from = (at + LENGTH_BYTES) & this.mask;
      assert(length >= 0 && padded(length) <= ((head - tail) | 0), 'a ring holds whole records');
      tail = (tail + padded(length)) | 0;
      count++;
      if (from + length <= this.capacity) visit(this.data, from, from + length);
      else visit(this.#join(from, length), 0, length);
    }
    if (count === 0) return 0;
    beforeFree?.();
    this.#tail = tail;
    // Publishes that the bytes before #tail may be overwritten. If a visit throws, all of them come again.
    Atomics.store(this.cursors, TAIL, tail);
    return count;
  }

  #join(from: number, length: number): Uint8Array {
    if (length > this.#joined.length) this.#joined = new Uint8Array(2 * length);
    const straight = this.capacity - from;
    this.#joined.set(this.data.subarray(from, this.capacity));
    this.#joined.set(this.data.subarray(0, length - straight), straight);
    return this.#joined;
  }
}
