/**
 * The inside of a tag, from the end of its name, as the HTML standard's tokenizer reads it. A place one past the page's
 * end says that the page ends inside the tag, which then is none.
 */
import {
  DOUBLE_QUOTE,
  EQUALS,
  endsAttributeName,
  endsTagName,
  GREATER,
  isSpace,
  SINGLE_QUOTE,
  SLASH,
} from './markup-bytes.js';
import { findByte } from './skipped-text.js';

/** Where a tag's name ends that begins at `at`. */
export function tagNameEnd(bytes: Uint8Array, at: number): number {
  const limit = bytes.length;
  while (at < limit && !endsTagName(bytes[at]!)) at++;
  return at;
}

/** Where an unquoted value ends. */
export function unquotedEnd(bytes: Uint8Array, at: number): number {
  const limit = bytes.length;
  while (at < limit && bytes[at] !== GREATER && !isSpace(bytes[at]!)) at++;
  return at;
}

/** The place after a tag's `>`, whatever its attributes are. */
export function skipTag(bytes: Uint8Array, at: number): number {
  const limit = bytes.length;
  while (at < limit) {
    const byte = bytes[at]!;
    if (byte === GREATER) return at + 1;
    if (isSpace(byte) || byte === SLASH) at++;
    else at = skipAttribute(bytes, at);
  }
  return limit + 1;
}

/** The place after the attribute whose name begins at `at`. */
function skipAttribute(bytes: Uint8Array, at: number): number {
  const limit = bytes.length;
  // Whatever a name begins with is part of it, even `=`.
  at++;
  while (at < limit && !endsAttributeName(bytes[at]!)) at++;
  while (at < limit && isSpace(bytes[at]!)) at++;
  if (at >= limit || bytes[at] !== EQUALS) return at;
  at++;
  while (at < limit && isSpace(bytes[at]!)) at++;
  if (at >= limit) return at;
  const quote = bytes[at]!;
  if (quote === DOUBLE_QUOTE || quote === SINGLE_QUOTE) return findByte(bytes, quote, at + 1) + 1;
  return quote === GREATER ? at : unquotedEnd(bytes, at + 1);
}

/** Whether the tag whose name ends at `at`, and which ends before `after`, ends in `/>`. */
export function isSelfClosing(bytes: Uint8Array, at: number, after: number): boolean {
  const slash = after - 2;
  if (bytes[slash] !== SLASH) return false;
  // The slash may be the end of an unquoted value.
  while (at < slash) at = isSpace(bytes[at]!) || bytes[at] === SLASH ? at + 1 : skipAttribute(bytes, at);
  return at === slash;
}
