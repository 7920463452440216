/**
 * An attribute's value as the HTML standard reads it: character references decoded by the rules for attributes,
 * line ends normalised, NUL replaced.
 */
import { AMPERSAND, CR, EQUALS, HASH, LF, NUL, SEMICOLON } from './byte-values.js';
import { isDigit, isLetter } from './markup-bytes.js';
import { LONGEST_REFERENCE_NAME, namedReferences } from './named-references.js';

/** No value grows by more: NUL becomes three bytes. */
export const MAX_DECODED_GROWTH = 3;

const REPLACEMENT = 0xfffd;
const MAX_CODE_POINT = 0x10ffff;
/** Numeric references to the C1 controls mean what windows-1252 has there. */
const C1_REFERENCES = [
  0x20ac, 0x81, 0x201a, 0x192, 0x201e, 0x2026, 0x2020, 0x2021, 0x2c6, 0x2030, 0x160, 0x2039, 0x152, 0x8d,
  0x17d, 0x8f, 0x90, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014, 0x2dc, 0x2122, 0x161, 0x203a,
  0x153, 0x9d, 0x17e, 0x178,
];

/** Where the last reference read ended; written by the readers below. */
let referenceEnd = 0;

/**
 * Decodes `from[start, end)` to `to` at `at` and returns the end there.
 * REQUIRES: room for MAX_DECODED_GROWTH times the bytes.
 */
export function decodeValue(
  from: Uint8Array,
  start: number,
  end: number,
  to: Uint8Array,
  at: number,
): number {
  while (start < end) {
    const byte = from[start++]!;
    if (byte > AMPERSAND || (byte !== AMPERSAND && byte !== CR && byte !== NUL)) {
      to[at++] = byte;
    } else if (byte === AMPERSAND) {
      at = decodeReference(from, start, end, to, at);
      start = referenceEnd;
    } else if (byte === CR) {
      to[at++] = LF;
      if (start < end && from[start] === LF) start++;
    } else {
      at = writeCodePoint(REPLACEMENT, to, at);
    }
  }
  return at;
}

/** The reference after an ampersand, or the ampersand itself if there is none. */
function decodeReference(from: Uint8Array, start: number, end: number, to: Uint8Array, at: number): number {
  if (isAmp(from, start, end)) {
    referenceEnd = start + 4;
    to[at++] = AMPERSAND;
    return at;
  }
  if (start < end && from[start] === HASH) {
    const point = readNumber(from, start + 1, end);
    if (point >= 0) return writeCodePoint(point, to, at);
  } else {
    const bytes = readName(from, start, end);
    if (bytes !== null) {
      for (const byte of bytes) to[at++] = byte;
      return at;
    }
  }
  referenceEnd = start;
  to[at++] = AMPERSAND;
  return at;
}

/** `amp;`, which in links is nearly all there is. */
function isAmp(from: Uint8Array, start: number, end: number): boolean {
  return (
    start + 4 <= end &&
    from[start] === 0x61 &&
    from[start + 1] === 0x6d &&
    from[start + 2] === 0x70 &&
    from[start + 3] === SEMICOLON
  );
}

/** The bytes that the name at `start` stands for, or null if it stands for itself. */
function readName(from: Uint8Array, start: number, end: number): Uint8Array | null {
  const limit = Math.min(end, start + LONGEST_REFERENCE_NAME + 1);
  let stop = start;
  while (stop < limit && (isLetter(from[stop]!) || isDigit(from[stop]!))) stop++;
  // In an attribute, a name without its semicolon before `=` or an alphanumeric is part of a query.
  if (stop === start || (stop < end && from[stop] === EQUALS)) return null;
  const reference = namedReferences().get(String.fromCharCode(...from.subarray(start, stop)));
  if (reference === undefined) return null;
  if (stop < end && from[stop] === SEMICOLON) {
    referenceEnd = stop + 1;
    return reference.bytes;
  }
  if (!reference.legacy) return null;
  referenceEnd = stop;
  return reference.bytes;
}

/** The code point of the number after `&#`, or -1 if there is no number. */
function readNumber(from: Uint8Array, start: number, end: number): number {
  const isHex = start < end && (from[start]! | 0x20) === 0x78;
  const base = isHex ? 16 : 10;
  const first = isHex ? start + 1 : start;
  let stop = first;
  let point = 0;
  for (; stop < end; stop++) {
    const digit = digitOf(from[stop]!, isHex);
    if (digit < 0) break;
    // Past the last code point the value no longer matters, only that it is too large.
    if (point <= MAX_CODE_POINT) point = point * base + digit;
  }
  if (stop === first) return -1;
  referenceEnd = stop < end && from[stop] === SEMICOLON ? stop + 1 : stop;
  if (point === 0 || point > MAX_CODE_POINT || (point >= 0xd800 && point <= 0xdfff)) return REPLACEMENT;
  return point >= 0x80 && point <= 0x9f ? C1_REFERENCES[point - 0x80]! : point;
}

function digitOf(byte: number, isHex: boolean): number {
  if (isDigit(byte)) return byte - 0x30;
  const folded = byte | 0x20;
  return isHex && folded >= 0x61 && folded <= 0x66 ? folded - 0x57 : -1;
}

function writeCodePoint(point: number, to: Uint8Array, at: number): number {
  if (point < 0x80) {
    to[at++] = point;
  } else if (point < 0x800) {
    to[at++] = 0xc0 | (point >> 6);
    to[at++] = 0x80 | (point & 0x3f);
  } else if (point < 0x10000) {
    to[at++] = 0xe0 | (point >> 12);
    to[at++] = 0x80 | ((point >> 6) & 0x3f);
    to[at++] = 0x80 | (point & 0x3f);
  } else {
    to[at++] = 0xf0 | (point >> 18);
    to[at++] = 0x80 | ((point >> 12) & 0x3f);
    to[at++] = 0x80 | ((point >> 6) & 0x3f);
    to[at++] = 0x80 | (point & 0x3f);
  }
  return at;
}
