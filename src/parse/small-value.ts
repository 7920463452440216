/** The decoded value of an attribute that is looked at, not kept: `rel`, `name`, `http-equiv`, `content`. */
import { decodeValue, MAX_DECODED_GROWTH } from './character-references.js';
import { hasToken, matchesWord } from './markup-bytes.js';

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

export class SmallValue {
  #bytes = new Uint8Array(256);
  #length = 0;

  clear(): void {
    this.#length = 0;
  }

  set(from: Uint8Array, start: number, end: number): void {
    const room = MAX_DECODED_GROWTH * (end - start);
    if (room > this.#bytes.length) this.#bytes = new Uint8Array(room);
    this.#length = decodeValue(from, start, end, this.#bytes, 0);
  }

  /** Whether it is `word`, a lower-case ASCII word, in any case. */
  is(word: Uint8Array): boolean {
    return this.#length === word.length && matchesWord(this.#bytes, 0, word);
  }

  /** Whether one of `words` is among its tokens, parted by whitespace, in any case. */
  hasToken(words: readonly Uint8Array[]): boolean {
    return hasToken(this.#bytes, 0, this.#length, words);
  }

  toString(): string {
    return decoder.decode(this.#bytes.subarray(0, this.#length));
  }
}
