/**
 * Attributes' values that the module leaves to JavaScript: those with other characters than ASCII in a page that may not be
 * UTF-8, and those with other character references than `&amp;`.
 */
import { isUtf8 } from 'node:buffer';
import { decodeValue } from './character-references.js';
import { singleByteTable } from './encodings.js';

const replacing = new TextDecoder('utf-8', { ignoreBOM: true });
const encoder = new TextEncoder();

export class PageText {
  #page: Uint8Array = new Uint8Array(0);
  /** For a page in a single-byte encoding, its characters from 0x80 on. */
  #table: readonly Uint8Array[] | null = null;
  /** Whether the page is valid UTF-8; null before it is known. */
  #isUtf8: boolean | null = null;
  /** A value in UTF-8. */
  #value = new Uint8Array(1024);

  /** For a page that is valid UTF-8 for certain. */
  beginUtf8(): void {
    this.#isUtf8 = true;
  }

  /** For a page that is scanned as it is. */
  begin(page: Uint8Array, encoding: string): void {
    this.#page = page;
    this.#isUtf8 = encoding === 'utf-8' ? null : false;
    this.#table = encoding === 'utf-8' ? null : singleByteTable(encoding);
  }

  /** Whether the page is valid UTF-8, as far as that had to be known. */
  get isKnownUtf8(): boolean {
    return this.#isUtf8 === true;
  }

  /** Decodes the value `bytes[at, end)` to `to`, in `bytes` too, and returns the end there. */
  decode(bytes: Uint8Array, at: number, end: number, to: number): number {
    let isAscii = true;
    for (let i = at; isAscii && i < end; i++) isAscii = bytes[i]! < 0x80;
    if (isAscii || this.#pageIsUtf8()) return decodeValue(bytes, at, end, bytes, to);
    const length = this.#convert(bytes, at, end);
    return decodeValue(this.#value, 0, length, bytes, to);
  }

  /** Most pages have no such value, and need not be looked through. */
  #pageIsUtf8(): boolean {
    this.#isUtf8 ??= isUtf8(this.#page);
    return this.#isUtf8;
  }

  /** Writes a value that is not valid UTF-8 to `#value` as it should be, and returns its length there. */
  #convert(bytes: Uint8Array, at: number, end: number): number {
    if (this.#table === null) {
      this.#value = encoder.encode(replacing.decode(bytes.subarray(at, end)));
      return this.#value.length;
    }
    if (this.#value.length < 3 * (end - at)) this.#value = new Uint8Array(3 * (end - at));
    let length = 0;
    for (; at < end; at++) {
      const byte = bytes[at]!;
      if (byte < 0x80) this.#value[length++] = byte;
      else for (const part of this.#table[byte - 0x80]!) this.#value[length++] = part;
    }
    return length;
  }
}
