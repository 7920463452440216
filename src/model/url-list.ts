/**
 * A reused list of canonical URLs: their bytes back to back, and for each its end, host range and keys.
 * What a page's links become; cleared and filled again for the next page, so nothing is allocated per URL.
 */
export const MAX_URL_BYTES = 2048;

export class UrlList {
  count = 0;
  bytes: Uint8Array;
  /** URL i is `bytes[i === 0 ? 0 : ends[i - 1], ends[i])`. */
  readonly ends: Uint32Array;
  /** Its host (the site) is `bytes[hostStarts[i], hostEnds[i])`. */
  readonly hostStarts: Uint32Array;
  readonly hostEnds: Uint32Array;
  /** Low and high half of the 64-bit hash of URL i at 2i and 2i + 1. */
  readonly keys: Uint32Array;
  /** Low and high half of the 64-bit hash of its site (the host's bytes). */
  readonly siteKeys: Uint32Array;
  readonly capacity: number;

  /** `capacity` URLs; their bytes grow as needed, at most MAX_URL_BYTES each. */
  constructor(capacity: number) {
    this.capacity = capacity;
    this.bytes = new Uint8Array(Math.min(capacity, 512) * 128 + MAX_URL_BYTES);
    this.ends = new Uint32Array(capacity);
    this.hostStarts = new Uint32Array(capacity);
    this.hostEnds = new Uint32Array(capacity);
    this.keys = new Uint32Array(2 * capacity);
    this.siteKeys = new Uint32Array(2 * capacity);
  }

  clear(): void {
    this.count = 0;
  }

  start(i: number): number {
    return i === 0 ? 0 : this.ends[i - 1]!;
  }

  /** Where the next URL's bytes begin. */
  get length(): number {
    return this.start(this.count);
  }

  /** Makes room for URLs of `size` bytes in all; `bytes` may be replaced. */
  reserve(size: number): void {
    const needed = this.length + size;
    if (needed <= this.bytes.length) return;
    const larger = new Uint8Array(Math.min(2 * needed, this.capacity * MAX_URL_BYTES));
    larger.set(this.bytes);
    this.bytes = larger;
  }

  /** For messages and tests. */
  toStrings(): string[] {
    const decoder = new TextDecoder();
    return Array.from({ length: this.count }, (_, i) =>
      decoder.decode(this.bytes.subarray(this.start(i), this.ends[i]!)),
    );
  }
}
