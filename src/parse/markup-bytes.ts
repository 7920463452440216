/** The classes of bytes that the HTML standard's tokenizer tells apart. */

import { CR, EQUALS, FF, GREATER, LF, SLASH, SPACE, TAB } from './byte-values.js';

/** What ends a name: whitespace (1; CR counts because the standard normalises it to LF), `/` and `>` (2), `=` (4). */
const SPACES = 1;
const TAG_NAME_ENDS = 3;
const ATTRIBUTE_NAME_ENDS = 7;
const classes = new Uint8Array(256);
for (const byte of [SPACE, LF, TAB, CR, FF]) classes[byte] = 1;
for (const byte of [SLASH, GREATER]) classes[byte] = 2;
classes[EQUALS] = 4;

export function isSpace(byte: number): boolean {
  return classes[byte] === SPACES;
}

export function endsTagName(byte: number): boolean {
  return (classes[byte]! & TAG_NAME_ENDS) !== 0;
}

export function endsAttributeName(byte: number): boolean {
  return (classes[byte]! & ATTRIBUTE_NAME_ENDS) !== 0;
}

export function isLetter(byte: number): boolean {
  const folded = byte | 0x20;
  return folded >= 0x61 && folded <= 0x7a;
}

export function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}

/** Whether `bytes[at, at + word.length)` is `word`, a lower-case ASCII word, in any case. */
export function matchesWord(bytes: Uint8Array, at: number, word: Uint8Array): boolean {
  if (at + word.length > bytes.length) return false;
  for (let i = 0; i < word.length; i++) {
    const byte = bytes[at + i]!;
    const folded = byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte;
    if (folded !== word[i]!) return false;
  }
  return true;
}

/** Whether one of `words`, lower-case ASCII, is among the tokens of `bytes[at, end)`, parted by whitespace, in any case. */
export function hasToken(bytes: Uint8Array, at: number, end: number, words: readonly Uint8Array[]): boolean {
  while (at < end) {
    const start = at;
    while (at < end && !isSpace(bytes[at]!)) at++;
    for (const word of words) if (word.length === at - start && matchesWord(bytes, start, word)) return true;
    at++;
  }
  return false;
}

export function asciiBytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
