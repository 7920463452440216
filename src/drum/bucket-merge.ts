/** Merges one bucket of operations with the store: sort by key, look the keys up once, apply in order. */
import type { KeyStore } from './key-store.js';
import type { MemoryPlan } from './memory-plan.js';
import { CHECK, KIND_BITS, KIND_MASK, UPDATE } from './operation.js';
import type { PendingBuckets } from './pending-buckets.js';
import type { PendingLog } from './pending-log.js';
import { ENTRY_WORDS, sortEntries } from './radix-sort.js';
import { SortedKeys } from './sorted-keys.js';

export class BucketMerge {
  readonly #plan: MemoryPlan;
  readonly #valueBytes: number;
  readonly #keys: SortedKeys;
  #entries = new Uint32Array(0);
  #scratch = new Uint32Array(0);

  constructor(plan: MemoryPlan, valueBytes: number) {
    this.#plan = plan;
    this.#valueBytes = valueBytes;
    this.#keys = new SortedKeys(valueBytes);
  }

  /** Answers in `log.duplicates` and `log.values`; what is new goes to the store. */
  merge(buckets: PendingBuckets, bucket: number, prefixBits: number, log: PendingLog, store: KeyStore): void {
    const count = buckets.size(bucket);
    if (count === 0) return;
    this.#reserve(count);
    buckets.load(bucket, this.#entries);
    sortEntries(this.#entries, this.#scratch, count, prefixBits);
    this.#collectKeys(count);
    store.find(this.#keys);
    store.add(this.#keys, this.#apply(count, log));
  }

  /** Buckets differ little in size: a quarter more than needed saves making room again and again. */
  #reserve(count: number): void {
    if (ENTRY_WORDS * count <= this.#entries.length) return;
    const capacity = Math.min(count + (count >>> 2), this.#plan.bucketEntries);
    this.#entries = new Uint32Array(ENTRY_WORDS * capacity);
    this.#scratch = new Uint32Array(ENTRY_WORDS * capacity);
    this.#keys.reserve(capacity);
  }

  #collectKeys(count: number): void {
    const entries = this.#entries;
    const { high, low } = this.#keys;
    let keys = 0;
    for (let i = 0; i < ENTRY_WORDS * count; i += ENTRY_WORDS) {
      const entryHigh = entries[i]!;
      const entryLow = entries[i + 1]!;
      if (keys !== 0 && high[keys - 1] === entryHigh && low[keys - 1] === entryLow) continue;
      high[keys] = entryHigh;
      low[keys] = entryLow;
      keys++;
    }
    this.#keys.count = keys;
  }

  /** Applies the operations, key by key. Moves the keys to be stored to the front and returns their number. */
  #apply(count: number, log: PendingLog): number {
    const entries = this.#entries;
    const { high, low, found, values } = this.#keys;
    const { duplicates } = log;
    const size = this.#valueBytes;
    const end = ENTRY_WORDS * count;
    let changedKeys = 0;
    let at = 0;
    for (let key = 0; at < end; key++) {
      const keyHigh = high[key]!;
      const keyLow = low[key]!;
      let stored = found[key] === 1;
      let changed = false;
      do {
        const tag = entries[at + 2]!;
        const kind = tag & KIND_MASK;
        const number = tag >>> KIND_BITS;
        at += ENTRY_WORDS;
        if (kind === UPDATE || (kind !== CHECK && !stored)) {
          stored = true;
          changed = true;
          if (size !== 0) copy(log.values, number, values, key, size);
        } else if (stored) {
          duplicates[number >>> 5] = duplicates[number >>> 5]! | (1 << (number & 31));
          if (size !== 0) copy(values, key, log.values, number, size);
        }
      } while (at < end && entries[at] === keyHigh && entries[at + 1] === keyLow);
      if (!changed) continue;
      high[changedKeys] = keyHigh;
      low[changedKeys] = keyLow;
      if (size !== 0) copy(values, key, values, changedKeys, size);
      changedKeys++;
    }
    return changedKeys;
  }
}

function copy(from: Uint8Array, i: number, into: Uint8Array, j: number, size: number): void {
  for (let k = 0; k < size; k++) into[j * size + k] = from[i * size + k]!;
}
