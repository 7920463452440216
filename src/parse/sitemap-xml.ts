/**
 * A sitemap in XML through sax-wasm: `loc` and `lastmod` of each `url` in a `urlset`, of each `sitemap` in a
 * `sitemapindex`. Names count with the namespace prefix of the root element, so that `image:loc` is no `loc`.
 */
import { SaxEventType } from 'sax-wasm';
import { DrumlineError } from '../model/errors.js';
import { GREATER } from './byte-values.js';
import { decodeValue, MAX_DECODED_GROWTH } from './character-references.js';
import { GuardedSax, TAG_NAME, TEXT_VALUE } from './guarded-sax.js';
import { isSpace } from './markup-bytes.js';
import { MAX_LOC_BYTES, type SitemapEntries } from './sitemap-entries.js';
import { w3cTime } from './w3c-time.js';

const { Cdata, CloseTag, OpenTag, Text } = SaxEventType;
/** What is handed over at once, up to its last `>`: cut inside a tag or a mark, sax-wasm can lose it. */
const BLOCK_BYTES = 32 * 1024;
/** A document that makes it hold more, by a text or a tag without end, is given up. */
const MAX_MEMORY_BYTES = 16 * 1024 * 1024;
const LONGEST_NAME = 64;
/** By the root element's name: what its entries are called. */
const ENTRY_NAMES: Readonly<Record<string, string>> = { urlset: 'url', sitemapindex: 'sitemap' };

/** The text of an element, bounded. */
class Field {
  readonly bytes = new Uint8Array(MAX_DECODED_GROWTH * MAX_LOC_BYTES);
  length = 0;
  isTooLong = false;
  isComplete = false;

  clear(): void {
    this.length = 0;
    this.isTooLong = false;
    this.isComplete = false;
  }

  append(memory: Uint8Array, start: number, end: number, isRaw: boolean): void {
    // Space before the text is dropped as it comes, so that it takes no room.
    if (this.length === 0) while (start < end && isSpace(memory[start]!)) start++;
    if (this.length + MAX_DECODED_GROWTH * (end - start) > this.bytes.length) this.isTooLong = true;
    else if (isRaw) {
      this.bytes.set(memory.subarray(start, end), this.length);
      this.length += end - start;
    } else this.length = decodeValue(memory, start, end, this.bytes, this.length);
  }

  complete(): void {
    while (this.length > 0 && isSpace(this.bytes[this.length - 1]!)) this.length--;
    this.isComplete = true;
  }
}

export class SitemapXml {
  readonly #sax = new GuardedSax(OpenTag | CloseTag | Text | Cdata, (event, word) =>
    this.#onEvent(event, word),
  );
  readonly #entries: SitemapEntries;
  readonly #block = new Uint8Array(BLOCK_BYTES);
  #length = 0;
  /** What stands before the names that count: '' or `prefix:`; null until the root element. */
  #prefix: string | null = null;
  /** What entries are called; '' in a document that is no sitemap. */
  #entryName = '';
  readonly #loc = new Field();
  readonly #lastmod = new Field();
  /** The field whose element is open. */
  #open: Field | null = null;

  constructor(entries: SitemapEntries) {
    this.#entries = entries;
  }

  /** REQUIRES: the pieces of a document together are valid UTF-8. */
  write(piece: Uint8Array): void {
    for (let at = 0; at < piece.length; ) {
      const count = Math.min(piece.length - at, BLOCK_BYTES - this.#length);
      this.#block.set(piece.subarray(at, at + count), this.#length);
      this.#length += count;
      at += count;
      if (this.#length === BLOCK_BYTES) this.#handOver(this.#block.lastIndexOf(GREATER) + 1 || BLOCK_BYTES);
    }
  }

  end(): void {
    this.#handOver(this.#length);
    this.#sax.finish();
    this.#endEntry();
  }

  /** Gives the first `count` bytes of the block to sax-wasm, and keeps the rest for later. */
  #handOver(count: number): void {
    this.#sax.feed(this.#block.subarray(0, count));
    this.#block.copyWithin(0, count, this.#length);
    this.#length -= count;
    if (this.#sax.memory.byteLength > MAX_MEMORY_BYTES)
      throw new DrumlineError('MARKUP', 'sitemap with a text or a tag too long to keep', 'drop-url');
  }

  #onEvent(event: number, word: number): void {
    if (event === Text || event === Cdata) {
      if (this.#open === null) return;
      const words = new Uint32Array(this.#sax.memory);
      const start = words[word + TEXT_VALUE]!;
      const end = start + words[word + TEXT_VALUE + 1]!;
      this.#open.append(new Uint8Array(this.#sax.memory), start, end, event === Cdata);
    } else if (event === OpenTag) this.#onOpen(this.#name(word));
    else this.#onClose(this.#name(word));
  }

  #name(word: number): string {
    const words = new Uint32Array(this.#sax.memory);
    const length = Math.min(words[word + TAG_NAME + 1]!, LONGEST_NAME);
    return String.fromCharCode(...new Uint8Array(this.#sax.memory, words[word + TAG_NAME]!, length));
  }

  #onOpen(name: string): void {
    this.#open = null;
    if (this.#prefix === null) {
      const colon = name.indexOf(':') + 1;
      this.#prefix = name.slice(0, colon);
      this.#entryName = ENTRY_NAMES[name.slice(colon)] ?? '';
      return;
    }
    if (this.#is(name, this.#entryName)) this.#endEntry();
    else if (this.#is(name, 'loc')) this.#open = this.#loc;
    else if (this.#is(name, 'lastmod')) this.#open = this.#lastmod;
    this.#open?.clear();
  }

  #onClose(name: string): void {
    if (this.#is(name, 'loc')) this.#loc.complete();
    else if (this.#is(name, 'lastmod')) this.#lastmod.complete();
    else if (this.#is(name, this.#entryName)) this.#endEntry();
    this.#open = null;
  }

  #is(name: string, local: string): boolean {
    return this.#entryName !== '' && name === this.#prefix + local;
  }

  #endEntry(): void {
    const loc = this.#loc;
    const lastmod = this.#lastmod;
    if (loc.isComplete && (loc.length > 0 || loc.isTooLong)) {
      const time = lastmod.isComplete ? w3cTime(lastmod.bytes, lastmod.length) : Number.NaN;
      const length = loc.isTooLong ? MAX_LOC_BYTES + 1 : loc.length;
      this.#entries.add(loc.bytes, length, time, this.#entryName === 'sitemap');
    }
    loc.clear();
    lastmod.clear();
  }
}
