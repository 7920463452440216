/**
 * What is known of origins, 16 bytes each in a table of fixed size: that all or nothing is allowed, the usual case, or
 * where in a file their rules stand.
 *
 * | word | name                                                              |
 * |------|-------------------------------------------------------------------|
 * | 0, 1 | key of the origin, low half first; both 0: the slot is free        |
 * | 2    | second at which the entry is too old                              |
 * | 3    | kind in the two upper bits; crawl delay in ms, or block in the file |
 *
 * A bucket is eight slots, two lines of the processor's cache; a new entry takes the slot that gets old first.
 *
 * Keys are made with a random seed: nobody can think of a name that has another site's key, and speak for it.
 */
import { randomBytes } from 'node:crypto';
import { writeKey } from '../model/key.js';

const SLOT_WORDS = 4;
const BUCKET_WORDS = 8 * SLOT_WORDS;
const KIND_SHIFT = 30;
const VALUE_MASK = (1 << KIND_SHIFT) - 1;

/** No entry for the origin. */
export const NO_ENTRY = -1;

/** Kinds of entries. The value of the first is the crawl delay in ms, that of the last a block of the file. */
export const ALL_ALLOWED = 0;
export const ALL_DISALLOWED = 1;
export const IN_FILE = 2;
export type EntryKind = typeof ALL_ALLOWED | typeof ALL_DISALLOWED | typeof IN_FILE;

export class OriginTable {
  readonly #words: Uint32Array;
  readonly #buckets: number;
  readonly #seed = randomBytes(8).readBigUInt64LE();
  /** Of the origin that was looked at last: low half, high half. */
  readonly key = new Uint32Array(2);
  #bucket = 0;

  constructor(memoryBytes: number) {
    this.#buckets = Math.max(1, Math.floor(memoryBytes / (4 * BUCKET_WORDS)));
    this.#words = new Uint32Array(this.#buckets * BUCKET_WORDS);
  }

  /** The slot of an origin, or NO_ENTRY. */
  find(origin: Uint8Array, start: number, end: number, second: number): number {
    this.#look(origin, start, end);
    const slot = this.#own();
    return slot !== NO_ENTRY && this.#words[slot + 2]! > second ? slot : NO_ENTRY;
  }

  kind(slot: number): EntryKind {
    return (this.#words[slot + 3]! >>> KIND_SHIFT) as EntryKind;
  }

  value(slot: number): number {
    return this.#words[slot + 3]! & VALUE_MASK;
  }

  expires(slot: number): number {
    return this.#words[slot + 2]!;
  }

  set(origin: Uint8Array, start: number, end: number, expires: number, kind: EntryKind, value: number): void {
    this.#look(origin, start, end);
    const words = this.#words;
    let taken = this.#own();
    if (taken === NO_ENTRY) {
      taken = this.#bucket;
      for (let slot = taken; slot < this.#bucket + BUCKET_WORDS; slot += SLOT_WORDS)
        if (words[slot + 2]! < words[taken + 2]!) taken = slot;
    }
    words[taken] = this.key[0]!;
    words[taken + 1] = this.key[1]!;
    words[taken + 2] = expires;
    words[taken + 3] = (kind << KIND_SHIFT) | value;
  }

  /** Forgets an origin. */
  remove(origin: Uint8Array, start: number, end: number): void {
    this.#look(origin, start, end);
    const slot = this.#own();
    if (slot !== NO_ENTRY) this.#words.fill(0, slot, slot + SLOT_WORDS);
  }

  #look(origin: Uint8Array, start: number, end: number): void {
    writeKey(origin.subarray(start, end), this.key, 0, this.#seed);
    this.#bucket = Math.floor((this.key[0]! / 2 ** 32) * this.#buckets) * BUCKET_WORDS;
  }

  /** The slot that has the key, or NO_ENTRY. */
  #own(): number {
    const words = this.#words;
    for (let slot = this.#bucket; slot < this.#bucket + BUCKET_WORDS; slot += SLOT_WORDS)
      if (words[slot] === this.key[0] && words[slot + 1] === this.key[1]) return slot;
    return NO_ENTRY;
  }
}
