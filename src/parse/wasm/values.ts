/**
 * Attributes' values, decoded: character references by the rules for attributes, CR and NUL as the standard has them, and
 * in UTF-8. What is not plain is left to JavaScript.
 */
import { AMPERSAND, CR, EQUALS, HASH } from '../byte-values';
import { isDigit, isLetter } from './bytes';
import { decodeValue } from './host';

/** No value grows by more: NUL becomes three bytes. */
export const MAX_GROWTH: usize = 3;
/** `amp;`, which in links is nearly all there is. */
const AMP = 0x3b706d61;

/** Whether the page is valid UTF-8, so that its other characters than ASCII are as they must be. */
export let isUtf8: bool = false;

export function setUtf8(is: bool): void {
  isUtf8 = is;
}

/** Writes the value [at, end) to `to`; returns its end there. REQUIRES: room for MAX_GROWTH times the bytes. */
export function writeValue(at: usize, end: usize, to: usize): usize {
  const first = at;
  const start = to;
  while (at < end) {
    const bytes = v128.load(at);
    v128.store(to, bytes);
    const found = oddBytes(bytes);
    const plain: usize = found === 0 ? 16 : ctz(found);
    const left = end - at;
    at += plain;
    if (plain >= left) return to + left;
    to += plain;
    if (found === 0) continue;
    const after = plainAmpersand(at, end);
    if (after === 0) return decodeValue(first, end, start);
    store<u8>(to++, AMPERSAND);
    at = after;
  }
  return to;
}

/** Which of 16 bytes may not stand for themselves, a bit each. */
function oddBytes(bytes: v128): i32 {
  const controls = v128.or(i8x16.eq(bytes, i8x16.splat(0)), i8x16.eq(bytes, i8x16.splat(CR as i8)));
  const odd = v128.or(controls, i8x16.eq(bytes, i8x16.splat(AMPERSAND as i8)));
  return i8x16.bitmask(isUtf8 ? odd : v128.or(odd, bytes));
}

/** The place after what begins at `at` and stands for a plain ampersand; 0 if it is something else. */
function plainAmpersand(at: usize, end: usize): usize {
  if (load<u8>(at) !== AMPERSAND) return 0;
  at++;
  if (at + 4 <= end && load<u32>(at) === AMP) return at + 4;
  if (at === end) return at;
  let stop = at;
  while (stop < end && isAlphanumeric(load<u8>(stop))) stop++;
  if (stop === at) return load<u8>(at) === HASH ? 0 : at;
  // In an attribute, a name without its semicolon before `=` is part of a query.
  return stop < end && load<u8>(stop) === EQUALS ? at : 0;
}

function isAlphanumeric(byte: i32): bool {
  return isLetter(byte) || isDigit(byte);
}
