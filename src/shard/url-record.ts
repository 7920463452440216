/**
 * A record of `UrlLog` in its segment.
 *
 * | record offset | size   | name                                                                           |
 * |---------------|--------|--------------------------------------------------------------------------------|
 * | 0             | 8      | next: 1 + the place of the site's next record, low half first; 0 if there is none |
 * | 8             | 4      | CRC-32 of all that follows                                                     |
 * | 12            | 4      | length                                                                         |
 * | 16            | length | the record                                                                     |
 *
 * `next` is outside the checksum, because it is written when the next record comes.
 */
import { crc32 } from 'node:zlib';
import { readWord, writeWord } from '../model/words.js';

const CHECKSUM = 8;
const LENGTH = 12;
export const NEXT_BYTES = 8;
export const HEADER = 16;

/** Copies `bytes[start, end)` to a place in the segment, without a next one. */
export function putRecord(
  segment: Uint8Array,
  at: number,
  bytes: Uint8Array,
  start: number,
  end: number,
): void {
  writeWord(segment, at, 0);
  writeWord(segment, at + 4, 0);
  writeWord(segment, at + LENGTH, end - start);
  segment.set(bytes.subarray(start, end), at + HEADER);
  writeWord(segment, at + CHECKSUM, crc32(segment.subarray(at + LENGTH, at + HEADER + end - start)));
}

export function putNext(bytes: Uint8Array, at: number, place: number): void {
  writeWord(bytes, at, (place + 1) % 2 ** 32);
  writeWord(bytes, at + 4, Math.floor((place + 1) / 2 ** 32));
}

/** The place of the site's next record, or -1. */
export function nextOf(bytes: Uint8Array, at: number): number {
  return readWord(bytes, at) + readWord(bytes, at + 4) * 2 ** 32 - 1;
}

export function lengthOf(bytes: Uint8Array, at: number): number {
  return readWord(bytes, at + LENGTH);
}

/** Is the record `bytes[0, size)`, header included, as it was written? */
export function isWhole(bytes: Uint8Array, size: number): boolean {
  return readWord(bytes, CHECKSUM) === crc32(bytes.subarray(LENGTH, size));
}
