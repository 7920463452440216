/**
 * Copies a piece of a page's text as valid UTF-8, whatever the page's encoding: as it is where the page is
 * valid UTF-8, through a table for single-byte encodings, through a decoder where UTF-8 is broken.
 */
import { singleByteTable } from './encodings.js';

const replacing = new TextDecoder('utf-8', { ignoreBOM: true });
const encoder = new TextEncoder();

export class TextCopier {
  #way: 'plain' | 'repair' | 'table' = 'plain';
  #table: readonly Uint8Array[] = [];

  /** For a page that is valid UTF-8. */
  usePlain(): void {
    this.#way = 'plain';
  }

  /** For a page in UTF-8 with ill-formed sequences. */
  useRepair(): void {
    this.#way = 'repair';
  }

  /** For a page in a single-byte encoding. */
  useTable(encoding: string): void {
    this.#way = 'table';
    this.#table = singleByteTable(encoding);
  }

  /** Copies `page[start, end)` to `to` at `at`; returns the end, or -1 if that lies beyond `limit`. */
  copy(page: Uint8Array, start: number, end: number, to: Uint8Array, at: number, limit: number): number {
    if (at + end - start > limit) return -1;
    if (this.#way === 'plain') {
      while (start < end) to[at++] = page[start++]!;
      return at;
    }
    while (start < end && page[start]! < 0x80) to[at++] = page[start++]!;
    return start === end ? at : this.#copyOther(page, start, end, to, at, limit);
  }

  #copyOther(
    page: Uint8Array,
    start: number,
    end: number,
    to: Uint8Array,
    at: number,
    limit: number,
  ): number {
    if (this.#way === 'repair') {
      const repaired = encoder.encode(replacing.decode(page.subarray(start, end)));
      if (at + repaired.length > limit) return -1;
      to.set(repaired, at);
      return at + repaired.length;
    }
    for (; start < end; start++) {
      const byte = page[start]!;
      if (at + 3 > limit) return -1;
      if (byte < 0x80) to[at++] = byte;
      else for (const part of this.#table[byte - 0x80]!) to[at++] = part;
    }
    return at;
  }
}
