/**
 * Tags rewritten for sax-wasm, so plainly that it can't misread them: the attributes of all tags as attributes of one
 * element, `<x e="rel" a="href" ... />`, in the vocabulary of elements.ts. One element is read in half the time of
 * many, and with one call back into JavaScript.
 */
import { MAX_URL_BYTES } from '../model/url-list.js';
import {
  A_LETTER,
  ATTRIBUTE_COUNT,
  ATTRIBUTE_LETTERS,
  type Element,
  FIRST_LINK_BIT,
  HREF,
  HREF_INDEX,
  HTTP_EQUIV,
  HTTP_EQUIV_INDEX,
  knownAttribute,
  NAME,
  NAME_INDEX,
  REFRESH,
  REL,
  REL_INDEX,
} from './elements.js';
import {
  AMPERSAND,
  asciiBytes,
  DOUBLE_QUOTE,
  EQUALS,
  GREATER,
  hasToken,
  SINGLE_QUOTE,
  SLASH,
  SPACE,
} from './markup-bytes.js';
import { RepeatedLinks } from './repeated-links.js';
import type { TextCopier } from './text-copier.js';

/** A batch is handed over once it is this large: what sax-wasm keeps of it then stays in the processor's cache. */
const FULL_BATCH_BYTES = 8 * 1024;
/** A tag may take as much: a value that does not fit is no URL that the crawler would take. */
const MAX_TAG_BYTES = 32 * 1024;
/** sax-wasm takes at most 64 KB a write. */
const BATCH_BYTES = FULL_BATCH_BYTES + MAX_TAG_BYTES;
const OPENING = asciiBytes('<x');
/** `/>` at the batch's end. */
const CLOSING_BYTES = 2;
const SAYING = REL | NAME | HTTP_EQUIV;
const PRAGMAS = [REFRESH];
const QUOTE_REFERENCE = asciiBytes('&quot;');

export class TagBatch {
  readonly #bytes = new Uint8Array(BATCH_BYTES);
  readonly #flush: (element: Uint8Array) => void;
  readonly #copier: TextCopier;
  readonly #robotsNames: readonly Uint8Array[];
  #length = OPENING.length;
  /** The open tag: what it is, the attributes it has, and where in the page their values lie. */
  #element: Element | null = null;
  #seen = 0;
  readonly #starts = new Int32Array(ATTRIBUTE_COUNT);
  readonly #ends = new Int32Array(ATTRIBUTE_COUNT);
  readonly #quotes = new Int32Array(ATTRIBUTE_COUNT);
  /** Tags that carry a link longer than a tag may be. */
  tooLong = 0;
  /** Tags left out because their link stood in the page before. */
  repeated = 0;
  readonly #repeatedLinks = new RepeatedLinks();
  #keepsRepeated = true;

  /** `flush` gets a whole element, and must not keep the bytes. */
  constructor(copier: TextCopier, robotsNames: readonly Uint8Array[], flush: (element: Uint8Array) => void) {
    this.#copier = copier;
    this.#robotsNames = robotsNames;
    this.#flush = flush;
    this.#bytes.set(OPENING);
  }

  /** For the next page: `keepsRepeated` says whether a link counts as often as it stands there. */
  begin(keepsRepeated: boolean): void {
    this.#length = OPENING.length;
    this.tooLong = 0;
    this.repeated = 0;
    this.#keepsRepeated = keepsRepeated;
    if (!keepsRepeated) this.#repeatedLinks.clear();
  }

  open(element: Element): void {
    this.#element = element;
    this.#seen = 0;
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
    const attribute = knownAttribute(page, nameStart, nameEnd);
    // Of duplicate attributes the first counts.
    if (attribute === null || (attribute.bit & this.#element!.wanted & ~this.#seen) === 0) return;
    this.#seen |= attribute.bit;
    this.#starts[attribute.index] = valueStart;
    this.#ends[attribute.index] = valueEnd;
    this.#quotes[attribute.index] = quote;
  }

  /** The open tag has ended: keeps it if it can carry a link. */
  close(page: Uint8Array): void {
    const { needed, letter } = this.#element!;
    if ((this.#seen & needed) !== needed) return;
    const kept = (this.#seen & SAYING) === 0 ? this.#seen : this.#telling(page);
    if ((kept & needed) !== needed || !this.#hasOneNeeded(kept)) return;
    if (kept === HREF && letter === A_LETTER && !this.#keepsRepeated && this.#isRepeated(page)) {
      this.repeated++;
      return;
    }
    if (this.#length >= FULL_BATCH_BYTES) this.flush();
    const start = this.#length;
    for (let i = 0; i < ATTRIBUTE_COUNT; i++) {
      const bit = 1 << i;
      if ((kept & bit) === 0) continue;
      const isLink = bit >= FIRST_LINK_BIT;
      if (this.#write(isLink ? letter : ATTRIBUTE_LETTERS[i]!, page, i, start + MAX_TAG_BYTES)) continue;
      this.#length = start;
      this.tooLong++;
      return;
    }
  }

  /** A link so long that it may be too long is not looked at: whether it counts is decided when it is written. */
  #isRepeated(page: Uint8Array): boolean {
    const start = this.#starts[HREF_INDEX]!;
    const end = this.#ends[HREF_INDEX]!;
    return end - start <= MAX_URL_BYTES && this.#repeatedLinks.testAndAdd(page, start, end);
  }

  #hasOneNeeded(kept: number): boolean {
    const { neededOne } = this.#element!;
    return neededOne === 0 || (kept & neededOne) !== 0;
  }

  /** The attributes of the open tag, without those that say nothing about a link: most `rel` and `name` don't. */
  #telling(page: Uint8Array): number {
    let kept = this.#seen;
    if ((kept & REL) !== 0 && !this.#mayHold(page, REL_INDEX, this.#element!.relations)) kept &= ~REL;
    if ((kept & NAME) !== 0 && !this.#mayHold(page, NAME_INDEX, this.#robotsNames)) kept &= ~NAME;
    if ((kept & HTTP_EQUIV) !== 0 && !this.#mayHold(page, HTTP_EQUIV_INDEX, PRAGMAS)) kept &= ~HTTP_EQUIV;
    return kept;
  }

  /** Whether a value holds one of the words, or character references, which are decoded later. */
  #mayHold(page: Uint8Array, i: number, words: readonly Uint8Array[]): boolean {
    const start = this.#starts[i]!;
    const end = this.#ends[i]!;
    for (let at = start; at < end; at++) if (page[at] === AMPERSAND) return true;
    return hasToken(page, start, end, words);
  }

  flush(): void {
    if (this.#length === OPENING.length) return;
    this.#bytes[this.#length++] = SLASH;
    this.#bytes[this.#length++] = GREATER;
    const element = this.#bytes.subarray(0, this.#length);
    this.#length = OPENING.length;
    this.#flush(element);
  }

  /** Writes ` letter="value"`, or nothing and false if it would reach beyond `limit`. */
  #write(letter: number, page: Uint8Array, i: number, limit: number): boolean {
    const to = this.#bytes;
    const quote = this.#quotes[i]!;
    const mark = quote === SINGLE_QUOTE ? SINGLE_QUOTE : DOUBLE_QUOTE;
    let at = this.#length;
    if (at + 5 > limit) return false;
    to[at++] = SPACE;
    to[at++] = letter;
    to[at++] = EQUALS;
    to[at++] = mark;
    const room = limit - CLOSING_BYTES - 1;
    at =
      quote === 0
        ? this.#copyUnquoted(page, this.#starts[i]!, this.#ends[i]!, at, room)
        : this.#copier.copy(page, this.#starts[i]!, this.#ends[i]!, to, at, room);
    if (at < 0) return false;
    to[at++] = mark;
    this.#length = at;
    return true;
  }

  /** An unquoted value may hold quotes, which are written as references. */
  #copyUnquoted(page: Uint8Array, start: number, end: number, at: number, limit: number): number {
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
