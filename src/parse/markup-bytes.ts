/** The classes of bytes that the HTML standard's tokenizer tells apart. */

import { CR, FF, LF, SPACE, TAB } from './byte-values.js';

/** CR counts because the standard normalises it to LF. */
export function isSpace(byte: number): boolean {
  return byte === SPACE || byte === LF || byte === TAB || byte === CR || byte === FF;
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

export function asciiBytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
