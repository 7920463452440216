/**
 * New keys that no run holds yet: an open-addressed table in memory, so that a flush of a few keys writes
 * nothing. It is written as a run when it is full, and at a commit.
 */
import { KeyHash, type KeyPlaces } from '../model/key-hash.js';
import { ENTRY_WORDS } from './radix-sort.js';
import type { SortedKeys } from './sorted-keys.js';

export class RecentKeys {
  count = 0;
  readonly #valueBytes: number;
  readonly #hash: KeyPlaces;
  /** Entries in the order they came: high and low half. */
  #keys = new Uint32Array(32);
  #values: Uint8Array;
  /** Number of the entry and one, or 0 for a free slot. Twice as many slots as there is room for entries. */
  #slots = new Uint32Array(32);

  constructor(valueBytes: number, hash: KeyPlaces = new KeyHash()) {
    this.#hash = hash;
    this.#valueBytes = valueBytes;
    this.#values = new Uint8Array(16 * valueBytes);
  }

  find(keys: SortedKeys): void {
    if (this.count === 0) return;
    const size = this.#valueBytes;
    for (let i = 0; i < keys.count; i++) {
      const entry = this.#slots[this.#slotOf(keys.high[i]!, keys.low[i]!)]! - 1;
      if (entry < 0) continue;
      keys.found[i] = 1;
      for (let j = 0; j < size; j++) keys.values[i * size + j] = this.#values[entry * size + j]!;
    }
  }

  /** Adds keys `[0, count)`, or replaces their values. */
  add(high: Uint32Array, low: Uint32Array, values: Uint8Array, count: number): void {
    const size = this.#valueBytes;
    for (let i = 0; i < count; i++) {
      if (2 * this.count === this.#slots.length) this.#grow();
      const slot = this.#slotOf(high[i]!, low[i]!);
      let entry = this.#slots[slot]! - 1;
      if (entry < 0) {
        entry = this.count++;
        this.#slots[slot] = entry + 1;
        this.#keys[2 * entry] = high[i]!;
        this.#keys[2 * entry + 1] = low[i]!;
      }
      for (let j = 0; j < size; j++) this.#values[entry * size + j] = values[i * size + j]!;
    }
  }

  /** Writes all keys into `entries`, unsorted, each with the number that `copyValue` takes as its tag. */
  copyTo(entries: Uint32Array): void {
    for (let i = 0; i < this.count; i++) {
      entries[ENTRY_WORDS * i] = this.#keys[2 * i]!;
      entries[ENTRY_WORDS * i + 1] = this.#keys[2 * i + 1]!;
      entries[ENTRY_WORDS * i + 2] = i;
    }
  }

  copyValue(number: number, into: Uint8Array, at: number): void {
    const size = this.#valueBytes;
    for (let j = 0; j < size; j++) into[at + j] = this.#values[number * size + j]!;
  }

  clear(): void {
    this.count = 0;
    this.#slots.fill(0);
  }

  #slotOf(high: number, low: number): number {
    const keys = this.#keys;
    const mask = this.#slots.length - 1;
    let slot = this.#hash.of(low, high) & mask;
    for (;;) {
      const entry = this.#slots[slot]! - 1;
      if (entry < 0 || (keys[2 * entry] === high && keys[2 * entry + 1] === low)) return slot;
      slot = (slot + 1) & mask;
    }
  }

  #grow(): void {
    const keys = new Uint32Array(2 * this.#keys.length);
    keys.set(this.#keys);
    this.#keys = keys;
    const values = new Uint8Array(2 * this.#values.length);
    values.set(this.#values);
    this.#values = values;
    this.#slots = new Uint32Array(2 * this.#slots.length);
    for (let i = 0; i < this.count; i++) {
      this.#slots[this.#slotOf(keys[2 * i]!, keys[2 * i + 1]!)] = i + 1;
    }
  }
}
