/**
 * Tags rewritten for sax-wasm, collected so that one call into wasm reads many of them. A tag is written as
 * `<name attribute="value".../>`, closed at once: sax-wasm keeps every element that stays open.
 */
import { ATTRIBUTE_NAMES, type Element } from './elements.js';
import {
  asciiBytes,
  DOUBLE_QUOTE,
  EQUALS,
  GREATER,
  LESS,
  matchesWord,
  SINGLE_QUOTE,
  SLASH,
  SPACE,
} from './markup-bytes.js';
import type { TextCopier } from './text-copier.js';

/** sax-wasm takes at most 64 KB a write. */
const BATCH_BYTES = 60 * 1024;
/** A tag may take half of it: a value that does not fit is no URL that the crawler would take. */
export const MAX_TAG_BYTES = BATCH_BYTES / 2;
const QUOTE_REFERENCE = asciiBytes('&quot;');

export class TagBatch {
  readonly #bytes = new Uint8Array(BATCH_BYTES);
  readonly #flush: (tags: Uint8Array) => void;
  readonly #copier: TextCopier;
  #length = 0;
  #element: Element | null = null;
  #start = 0;
  #seen = 0;
  #kept = 0;
  /** Tags that carry a link whose value is longer than a tag may be. */
  tooLong = 0;

  /** `flush` gets whole tags, and must not keep the bytes. */
  constructor(copier: TextCopier, flush: (tags: Uint8Array) => void) {
    this.#copier = copier;
    this.#flush = flush;
  }

  clear(): void {
    this.#length = 0;
    this.tooLong = 0;
  }

  open(element: Element): void {
    if (this.#length > BATCH_BYTES - MAX_TAG_BYTES) this.flush();
    this.#element = element;
    this.#start = this.#length;
    this.#seen = 0;
    this.#kept = 0;
    this.#bytes[this.#length++] = LESS;
    this.#append(element.name);
  }

  /** One attribute of the open tag as it stands in the page; `quote` is 0 for an unquoted value. */
  attribute(
    page: Uint8Array,
    nameStart: number,
    nameEnd: number,
    valueStart: number,
    valueEnd: number,
    quote: number,
  ): void {
    const wanted = this.#element!.wanted;
    for (let i = 0; i < ATTRIBUTE_NAMES.length; i++) {
      const bit = 1 << i;
      if ((wanted & bit) === 0) continue;
      const name = ATTRIBUTE_NAMES[i]!;
      if (nameEnd - nameStart !== name.length || !matchesWord(page, nameStart, name)) continue;
      // Of duplicate attributes the first counts.
      if ((this.#seen & bit) === 0 && this.#write(name, page, valueStart, valueEnd, quote)) this.#kept |= bit;
      this.#seen |= bit;
      return;
    }
  }

  /** Keeps the open tag if it can carry a link. */
  close(): void {
    const needed = this.#element!.needed;
    if ((this.#kept & needed) === needed) {
      this.#bytes[this.#length++] = SLASH;
      this.#bytes[this.#length++] = GREATER;
      return;
    }
    if ((this.#seen & needed) === needed) this.tooLong++;
    this.cancel();
  }

  cancel(): void {
    this.#length = this.#start;
  }

  flush(): void {
    if (this.#length === 0) return;
    const tags = this.#bytes.subarray(0, this.#length);
    this.#length = 0;
    this.#flush(tags);
  }

  #append(bytes: Uint8Array): void {
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** Writes ` name="value"`, or nothing and false if there is no room for it. */
  #write(name: Uint8Array, page: Uint8Array, start: number, end: number, quote: number): boolean {
    const to = this.#bytes;
    const from = this.#length;
    // Names, quotes and the end of this and later attributes take less than 128 bytes.
    const limit = this.#start + MAX_TAG_BYTES - 128;
    if (from + end - start > limit) return false;
    to[this.#length++] = SPACE;
    this.#append(name);
    to[this.#length++] = EQUALS;
    const mark = quote === SINGLE_QUOTE ? SINGLE_QUOTE : DOUBLE_QUOTE;
    to[this.#length++] = mark;
    const after =
      quote === 0
        ? this.#copyUnquoted(page, start, end, limit)
        : this.#copier.copy(page, start, end, to, this.#length, limit);
    if (after < 0) {
      this.#length = from;
      return false;
    }
    to[after] = mark;
    this.#length = after + 1;
    return true;
  }

  /** An unquoted value may hold quotes, which are written as references. */
  #copyUnquoted(page: Uint8Array, start: number, end: number, limit: number): number {
    let at = this.#length;
    while (at >= 0 && start < end) {
      let next = start;
      while (next < end && page[next] !== DOUBLE_QUOTE) next++;
      at = this.#copier.copy(page, start, next, this.#bytes, at, limit);
      if (at >= 0 && next < end) {
        if (at + QUOTE_REFERENCE.length > limit) return -1;
        this.#bytes.set(QUOTE_REFERENCE, at);
        at += QUOTE_REFERENCE.length;
      }
      start = next + 1;
    }
    return at;
  }
}
