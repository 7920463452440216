/**
 * A reused list of the raw links of one page: decoded attribute values as UTF-8, back to back, each with its
 * kind. Cleared and filled again for the next page, so nothing is allocated per link.
 */

/** What made the link: the low bits of `kinds[i]`. */
export const LINK_ANCHOR = 0;
export const LINK_AREA = 1;
export const LINK_FRAME = 2;
export const LINK_REFRESH = 3;
export const LINK_NEXT = 4;
export const LINK_PREV = 5;
export const LINK_CANONICAL = 6;
export const LINK_ALTERNATE = 7;
export const LINK_KIND_MASK = 0x0f;
/** Set in `kinds[i]` when the link itself says `rel=nofollow`. */
export const LINK_NOFOLLOW = 0x80;

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
  base = new Uint8Array(256);
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

  /** Room for a link of at most `size` bytes: where it begins in `bytes`, or -1 if the list is full. */
  reserve(size: number): number {
    if (this.count === this.capacity) {
      this.dropped++;
      return -1;
    }
    const start = this.start(this.count);
    if (start + size > this.bytes.length) {
      const larger = new Uint8Array(2 * (start + size));
      larger.set(this.bytes);
      this.bytes = larger;
    }
    return start;
  }

  /** REQUIRES: `reserve` gave room, and the link's bytes end at `end`. */
  commit(end: number, kind: number): void {
    this.ends[this.count] = end;
    this.kinds[this.count] = kind;
    this.count++;
  }

  /** Adds a link whose bytes lie elsewhere. */
  append(link: Uint8Array, kind: number): void {
    const start = this.reserve(link.length);
    if (start < 0) return;
    this.bytes.set(link, start);
    this.commit(start + link.length, kind);
  }

  /** Room for a base of at most `size` bytes. */
  reserveBase(size: number): Uint8Array {
    if (size > this.base.length) this.base = new Uint8Array(2 * size);
    return this.base;
  }

  /** For messages and tests. */
  toStrings(): string[] {
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
    return Array.from({ length: this.count }, (_, i) =>
      decoder.decode(this.bytes.subarray(this.start(i), this.ends[i]!)),
    );
  }
}
