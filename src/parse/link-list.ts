/**
 * A reused list of the raw links of one page: decoded attribute values as UTF-8, back to back, each with its
 * kind. Cleared and filled again for the next page, so nothing is allocated per link.
 */

import type { LinkModule } from './link-module.js';

export const DEFAULT_MAX_LINKS = 6000;
const FIRST_BYTES = 64 * 1024;
const MAX_KEPT_BYTES = 1024 * 1024;

export class LinkList {
  count = 0;
  /** The first so many links are from the `Link` header: resolved against the page's URL, whatever its base is. */
  headerCount = 0;
  bytes = new Uint8Array(FIRST_BYTES);
  /** Link i is `bytes[i === 0 ? 0 : ends[i - 1], ends[i])`. */
  readonly ends: Uint32Array;
  readonly kinds: Uint8Array;
  readonly capacity: number;
  /** Links over `capacity`, and links whose value is longer than any URL the crawler takes. */
  dropped = 0;
  /** Links that were left out because they stood before in the page, but for the fragment. */
  repeated = 0;
  /** Else most links of `a` elements that stood before are left out. */
  readonly keepsRepeated: boolean;
  /** The first `<base href>` is `base[0, baseLength)`; -1 if there is none. */
  base = new Uint8Array(0);
  baseLength = -1;
  /** The page's encoding by its name in the Encoding standard, lower case. */
  encoding = 'utf-8';
  /** What `<meta name=robots>` and `X-Robots-Tag` ask for. */
  nofollow = false;
  noindex = false;

  constructor(capacity = DEFAULT_MAX_LINKS, keepsRepeated = true) {
    this.keepsRepeated = keepsRepeated;
    this.capacity = capacity;
    this.ends = new Uint32Array(capacity);
    this.kinds = new Uint8Array(capacity);
  }

  clear(): void {
    this.count = 0;
    this.headerCount = 0;
    // One hostile page must not hold its memory for the rest of the crawl.
    if (this.bytes.length > MAX_KEPT_BYTES) this.bytes = new Uint8Array(FIRST_BYTES);
    this.dropped = 0;
    this.repeated = 0;
    this.baseLength = -1;
    this.encoding = 'utf-8';
    this.nofollow = false;
    this.noindex = false;
  }

  start(i: number): number {
    return i === 0 ? 0 : this.ends[i - 1]!;
  }

  /** Where the next link begins in `bytes`. */
  get length(): number {
    return this.start(this.count);
  }

  /** Adds a link whose bytes lie elsewhere. */
  append(link: Uint8Array, kind: number): void {
    if (this.count === this.capacity) {
      this.dropped++;
      return;
    }
    const start = this.length;
    this.#grow(link.length);
    this.bytes.set(link, start);
    this.ends[this.count] = start + link.length;
    this.kinds[this.count] = kind;
    this.count++;
  }

  /** Makes room for `size` more bytes. */
  #grow(size: number): void {
    const needed = this.length + size;
    if (needed <= this.bytes.length) return;
    const larger = new Uint8Array(2 * needed);
    larger.set(this.bytes);
    this.bytes = larger;
  }

  /** Takes over links that lie in the module's memory. REQUIRES: there is room, and their ends go on from `length`. */
  appendAll({ bytes, words, exports }: LinkModule, count: number): void {
    const from = exports.bytesAt();
    const length = exports.linkBytes();
    this.#grow(length);
    this.bytes.set(bytes.subarray(from, from + length), this.length);
    const ends = exports.endsAt() / 4;
    this.ends.set(words.subarray(ends, ends + count), this.count);
    const kinds = exports.kindsAt();
    this.kinds.set(bytes.subarray(kinds, kinds + count), this.count);
    this.count += count;
  }

  setBase(base: Uint8Array): void {
    this.base = base.slice();
    this.baseLength = base.length;
  }

  /** For messages and tests. */
  toStrings(): string[] {
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
    return Array.from({ length: this.count }, (_, i) =>
      decoder.decode(this.bytes.subarray(this.start(i), this.ends[i]!)),
    );
  }
}
