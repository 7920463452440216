/**
 * Where what is not markup ends: comments, raw text, script data, CDATA sections, as the HTML standard's
 * tokenizer finds it. Every function takes the place just inside and returns the place just after, or its end
 * if the page ends first; each looks at a byte once, so time stays linear on hostile pages.
 */
import { asciiBytes, BANG, DASH, GREATER, isSpace, LESS, matchesWord, SLASH } from './markup-bytes.js';

const OPENING_BRACKET = 0x5b;
const SCRIPT = asciiBytes('script');
/**
 * A Buffer's search, far quicker than a Uint8Array's, and good for either. A page is a plain Uint8Array all the same, as
 * all other bytes here are: two kinds of arrays would make every loop over bytes slower.
 */
const nativeIndexOf = Buffer.prototype.indexOf;
/** In runs this short a loop beats the call into native code. */
const SHORT_RUN = 4;

/** The place of the next `byte` in `bytes` from `at`, or the end. */
export function findByte(bytes: Uint8Array, byte: number, at: number): number {
  const limit = bytes.length;
  const near = Math.min(limit, at + SHORT_RUN);
  for (; at < near; at++) if (bytes[at] === byte) return at;
  if (at === limit) return limit;
  const found = nativeIndexOf.call(bytes, byte, at);
  return found < 0 ? limit : found;
}

/** Just after the next `>`: the end of a bogus comment, a DOCTYPE or an end of nothing. */
export function skipBogusComment(bytes: Uint8Array, at: number): number {
  return Math.min(findByte(bytes, GREATER, at) + 1, bytes.length);
}

/** `at` is just after `<!--`. */
export function skipComment(bytes: Uint8Array, at: number): number {
  const limit = bytes.length;
  if (at < limit && bytes[at] === GREATER) return at + 1;
  if (at + 1 < limit && bytes[at] === DASH && bytes[at + 1] === GREATER) return at + 2;
  const first = at;
  while (at < limit) {
    at = findByte(bytes, GREATER, at);
    if (at === limit) break;
    // `-->` or `--!>`, of which no byte may belong to the `<!--` before.
    const dashes = bytes[at - 1] === BANG ? at - 3 : at - 2;
    if (dashes >= first && bytes[dashes] === DASH && bytes[dashes + 1] === DASH) return at + 1;
    at++;
  }
  return limit;
}

/** Just after the next `mark`: the end of a CDATA section, or of XML's comments and processing instructions. */
export function skipPast(bytes: Uint8Array, mark: string, at: number): number {
  const found = nativeIndexOf.call(bytes, mark, at, 'latin1');
  return found < 0 ? bytes.length : found + mark.length;
}

/** XML's DOCTYPE, whose brackets may hold declarations with a `>` of their own. */
export function skipDoctype(bytes: Uint8Array, at: number): number {
  const end = findByte(bytes, GREATER, at);
  const bracket = findByte(bytes.subarray(0, end), OPENING_BRACKET, at);
  return skipBogusComment(bytes, bracket < end ? skipPast(bytes, ']', bracket) : end);
}

/** Whether `name` stands at `at` and ends there, as the name of a tag does. */
function isTagName(bytes: Uint8Array, at: number, name: Uint8Array): boolean {
  const limit = bytes.length;
  if (!matchesWord(bytes, at, name)) return false;
  const end = at + name.length;
  if (end >= limit) return false;
  const byte = bytes[end]!;
  return byte === GREATER || byte === SLASH || isSpace(byte);
}

/** Just after `</name` of the end tag that closes raw text; its attributes still follow. */
export function skipRawText(bytes: Uint8Array, at: number, name: Uint8Array): number {
  const limit = bytes.length;
  while (at < limit) {
    at = findByte(bytes, LESS, at) + 1;
    if (at < limit && bytes[at] === SLASH && isTagName(bytes, at + 1, name)) {
      return at + 1 + name.length;
    }
  }
  return limit;
}

/** As `skipRawText` for `script`, whose text may hold `<!-- <script> </script> -->`. */
export function skipScript(bytes: Uint8Array, at: number): number {
  const limit = bytes.length;
  while (at < limit) {
    at = findByte(bytes, LESS, at) + 1;
    if (at >= limit) return limit;
    if (bytes[at] === SLASH) {
      if (isTagName(bytes, at + 1, SCRIPT)) return at + 1 + SCRIPT.length;
    } else if (bytes[at] === BANG && at + 2 < limit && bytes[at + 1] === DASH && bytes[at + 2] === DASH) {
      at = skipEscapedScript(bytes, at + 1);
      if (at < 0) return -at;
    }
  }
  return limit;
}

/**
 * The escaped states of script data, from the two dashes of `<!--`. Returns the place after `-->`, where plain
 * script data goes on, or minus the place after `</script`, where the script ends.
 */
function skipEscapedScript(bytes: Uint8Array, first: number): number {
  const limit = bytes.length;
  let doubled = false;
  let less = findByte(bytes, LESS, first);
  let greater = findByte(bytes, GREATER, first);
  for (;;) {
    if (greater < less) {
      if (greater - 2 >= first && bytes[greater - 1] === DASH && bytes[greater - 2] === DASH)
        return greater + 1;
      greater = findByte(bytes, GREATER, greater + 1);
      continue;
    }
    if (less >= limit) return limit;
    const at = less + 1;
    if (at < limit && bytes[at] === SLASH) {
      if (isTagName(bytes, at + 1, SCRIPT)) {
        if (!doubled) return -(at + 1 + SCRIPT.length);
        doubled = false;
      }
    } else if (!doubled) doubled = isTagName(bytes, at, SCRIPT);
    less = findByte(bytes, LESS, at);
  }
}
