/**
 * Origins about which everything or nothing is allowed, the usual case: 16 bytes each in a table of fixed size.
 *
 * | word | name                                                       |
 * |------|------------------------------------------------------------|
 * | 0, 1 | key of the origin, low half first; both 0: the slot is free |
 * | 2    | second at which the entry is too old                       |
 * | 3    | crawl delay in ms; with ALL_DISALLOWED nothing is allowed   |
 *
 * A bucket is four slots, a line of the processor's cache; a new entry takes the slot that gets old first.
 */
import { writeKey } from '../model/key.js';

const SLOT_WORDS = 4;
const BUCKET_WORDS = 4 * SLOT_WORDS;
const ALL_DISALLOWED = 0x8000_0000;
/** No entry for the origin. */
export const NO_ENTRY = -1;

export class PlainOrigins {
  readonly #words: Uint32Array;
  readonly #key = new Uint32Array(2);
  #bucket = 0;

  constructor(memoryBytes: number) {
    this.#words = new Uint32Array(2 ** Math.floor(Math.log2(Math.max(16 * BUCKET_WORDS, memoryBytes / 4))));
  }

  /** The slot of an origin, or NO_ENTRY. */
  find(origin: Uint8Array, start: number, end: number, second: number): number {
    this.#look(origin, start, end);
    const words = this.#words;
    for (let slot = this.#bucket; slot < this.#bucket + BUCKET_WORDS; slot += SLOT_WORDS) {
      if (words[slot] === this.#key[0] && words[slot + 1] === this.#key[1]) {
        return words[slot + 2]! > second ? slot : NO_ENTRY;
      }
    }
    return NO_ENTRY;
  }

  isDisallowed(slot: number): boolean {
    return this.#words[slot + 3]! >= ALL_DISALLOWED;
  }

  crawlDelay(slot: number): number {
    return (this.#words[slot + 3]! & ~ALL_DISALLOWED) >>> 0;
  }

  set(
    origin: Uint8Array,
    start: number,
    end: number,
    expires: number,
    isDisallowed: boolean,
    crawlDelay: number,
  ): void {
    this.#look(origin, start, end);
    const words = this.#words;
    let taken = this.#bucket;
    for (let slot = this.#bucket; slot < this.#bucket + BUCKET_WORDS; slot += SLOT_WORDS) {
      if (words[slot] === this.#key[0] && words[slot + 1] === this.#key[1]) {
        taken = slot;
        break;
      }
      if (words[slot + 2]! < words[taken + 2]!) taken = slot;
    }
    words[taken] = this.#key[0]!;
    words[taken + 1] = this.#key[1]!;
    words[taken + 2] = expires;
    words[taken + 3] = crawlDelay + (isDisallowed ? ALL_DISALLOWED : 0);
  }

  /** Forgets an origin: rules of its own came. */
  remove(origin: Uint8Array, start: number, end: number): void {
    const slot = this.find(origin, start, end, 0);
    if (slot !== NO_ENTRY) this.#words.fill(0, slot, slot + SLOT_WORDS);
  }

  #look(origin: Uint8Array, start: number, end: number): void {
    writeKey(origin.subarray(start, end), this.#key, 0);
    this.#bucket = (this.#key[0]! * BUCKET_WORDS) & (this.#words.length - 1);
  }
}
