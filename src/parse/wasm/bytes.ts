/**
 * The page's bytes and how they are searched, 16 at a time. A search may look up to 16 bytes beyond its end: the memory
 * goes on there, and what is found there does not count.
 */
import { CR, EQUALS, GREATER, SPACE, TAB } from '../byte-values';

/** No load or store of 16 bytes that begins in a region leaves it by more. */
export const SLACK: usize = 64;

/**
 * What ends a tag's name, whitespace, `>` and `/`, each at the index of its low four bits: a byte is one of them if it equals what its low four
 * bits lead to.
 */
const NAME_ENDS = i8x16(0x20, 0, 0, 0, 0, 0, 0, 0, 0, 0x09, 0x0a, 0, 0x0c, 0x0d, 0x3e, 0x2f);
const LOW_BITS = i8x16.splat(0x0f);

/** Which of the 16 bytes end a tag's name, a bit each. */
function nameEnds(bytes: v128): i32 {
  return i8x16.bitmask(i8x16.eq(i8x16.swizzle(NAME_ENDS, v128.and(bytes, LOW_BITS)), bytes));
}

/** The place of the first `byte` in [at, end), or the end. Most are near: 32 bytes at a time are one step for them. */
export function findByte(byte: i32, at: usize, end: usize): usize {
  const wanted = i8x16.splat(byte as i8);
  for (; at < end; at += 32) {
    const first = i8x16.bitmask(i8x16.eq(v128.load(at), wanted));
    const found = first | (i8x16.bitmask(i8x16.eq(v128.load(at, 16), wanted)) << 16);
    if (found !== 0) return min(at + ctz(found), end);
  }
  return end;
}

/** Where a tag's name ends that has begun before `at`. */
export function tagNameEnd(at: usize, end: usize): usize {
  for (; at < end; at += 16) {
    const found = nameEnds(v128.load(at));
    if (found !== 0) return min(at + ctz(found), end);
  }
  return end;
}

/** The same for an attribute's name, which `=` ends too. */
export function attributeNameEnd(at: usize, end: usize): usize {
  for (; at < end; at += 16) {
    const bytes = v128.load(at);
    const found = nameEnds(bytes) | i8x16.bitmask(i8x16.eq(bytes, i8x16.splat(EQUALS as i8)));
    if (found !== 0) return min(at + ctz(found), end);
  }
  return end;
}

export function isSpace(byte: i32): bool {
  return byte === SPACE || (byte <= CR && byte >= TAB && byte !== 0x0b);
}

export function isLetter(byte: i32): bool {
  return (((byte | 0x20) - 0x61) as u32) < 26;
}

export function isDigit(byte: i32): bool {
  return ((byte - 0x30) as u32) < 10;
}

/** Where the whitespace at `at` ends. */
export function skipSpaces(at: usize, end: usize): usize {
  while (at < end && isSpace(load<u8>(at))) at++;
  return at;
}

/** Where an unquoted value ends that has begun before `at`. */
export function unquotedEnd(at: usize, end: usize): usize {
  while (at < end) {
    const byte: i32 = load<u8>(at);
    if (byte === GREATER || isSpace(byte)) return at;
    at++;
  }
  return end;
}

/** Whether `length` bytes at both places are the same. */
export function isSame(one: usize, other: usize, length: usize): bool {
  const end = one + length;
  for (; one + 8 <= end; one += 8, other += 8) if (load<u64>(one) !== load<u64>(other)) return false;
  for (; one < end; one++, other++) if (load<u8>(one) !== load<u8>(other)) return false;
  return true;
}
