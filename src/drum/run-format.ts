/**
 * A run file: sorted keys, each once, with their values. All numbers are little-endian. `docs/formats.md` has
 * the same tables with the reasons.
 *
 * | offset | size | name |
 * |---|---|---|
 * | 0 | 4096 x blocks | blocks |
 * | then | 8 x index entries | index: low and high half of the first key of every stride-th block |
 * | then | 48 | trailer |
 *
 * A block:
 * | offset | size | name |
 * |---|---|---|
 * | 0 | 4 | CRC-32 of the block's other bytes, begun with `blockSeed` |
 * | 4 | 2 | n, the number of keys, at least 1 |
 * | 6 | 2 | w, the bytes of a gap, 1 to 4: as the block's widest needs |
 * | 8 | 4 | high half of the first key |
 * | 12 | 4n | low halves |
 * | then | n x valueBytes | values |
 * | then | w x (n - 1) | gaps: high half less the high half before |
 * | then | | zeros to 4096 |
 *
 * The trailer:
 * | offset | size | name |
 * |---|---|---|
 * | 0 | 8 | magic `DRUMLRUN` |
 * | 8 | 4 | version, 1 |
 * | 12 | 4 | number of the run |
 * | 16 | 4 | valueBytes |
 * | 20 | 4 | blocks |
 * | 24 | 8 | keys |
 * | 32 | 4 | stride of the index |
 * | 36 | 4 | index entries |
 * | 40 | 4 | CRC-32 of the index |
 * | 44 | 4 | CRC-32 of the trailer's bytes before |
 */
import { crc32 } from 'node:zlib';
import { DamagedFileError } from '../model/errors.js';

export const BLOCK_BYTES = 4096;
export const HEADER_BYTES = 12;
export const TRAILER_BYTES = 48;
export const INDEX_ENTRY_BYTES = 8;
/** So that a block holds some dozens of keys at least. */
export const MAX_VALUE_BYTES = 64;

export const MAX_BLOCK_KEYS = blockCapacity(1, 0);

const MAGIC = new TextEncoder().encode('DRUMLRUN');
const VERSION = 1;

export interface RunTrailer {
  readonly number: number;
  readonly valueBytes: number;
  readonly blocks: number;
  readonly keys: number;
  readonly stride: number;
  readonly indexEntries: number;
  readonly indexCrc: number;
}

/** Differs by run and by block, so that a block in another's place is damage, too. */
export function blockSeed(run: number, block: number): number {
  return (Math.imul(run, 0x9e3779b1) + block) >>> 0;
}

/** The checksum that the block at `offset` should have. */
export function blockCrc(bytes: Uint8Array, offset: number, seed: number): number {
  return crc32(bytes.subarray(offset + 4, offset + BLOCK_BYTES), seed);
}

/**
 * Decodes the high halves of the keys of the block at `offset`, whose checksum holds, into `high`.
 * REQUIRES: `words` is the same memory as `bytes`, and `offset` a multiple of 4.
 */
export function decodeHighs(
  bytes: Uint8Array,
  words: Uint32Array,
  offset: number,
  valueBytes: number,
  high: Uint32Array,
): number {
  const header = offset >>> 2;
  const count = words[header + 1]! & 0xffff;
  const width = words[header + 1]! >>> 16;
  let at = offset + HEADER_BYTES + count * (4 + valueBytes);
  let last = words[header + 2]!;
  high[0] = last;
  // Stores of some million keys have gaps of two bytes, of a hundred million gaps of one.
  if (width === 2) {
    for (let i = 1; i < count; i++, at += 2) {
      last = (last + (bytes[at]! | (bytes[at + 1]! << 8))) >>> 0;
      high[i] = last;
    }
    return count;
  }
  for (let i = 1; i < count; i++) {
    let gap = bytes[at++]!;
    for (let shift = 8; shift < 8 * width; shift += 8) gap |= bytes[at++]! << shift;
    last = (last + gap) >>> 0;
    high[i] = last;
  }
  return count;
}

/** Writes `gaps[1, count)`, each in `width` bytes, from `at` on. */
export function encodeGaps(
  gaps: Uint32Array,
  count: number,
  width: number,
  into: Uint8Array,
  at: number,
): void {
  let to = at;
  for (let i = 1; i < count; i++) {
    let rest = gaps[i]!;
    for (let byte = 0; byte < width; byte++) {
      into[to++] = rest;
      rest >>>= 8;
    }
  }
}

/** Bytes that a gap takes. */
export function gapWidth(gap: number): number {
  return gap < 0x100 ? 1 : gap < 0x1_0000 ? 2 : gap < 0x100_0000 ? 3 : 4;
}

/** Keys that fit in a block whose gaps take `width` bytes. */
export function blockCapacity(width: number, valueBytes: number): number {
  return Math.floor((BLOCK_BYTES - HEADER_BYTES + width) / (4 + valueBytes + width));
}

export function encodeTrailer(trailer: RunTrailer): Uint8Array {
  const bytes = new Uint8Array(TRAILER_BYTES);
  const view = new DataView(bytes.buffer);
  bytes.set(MAGIC);
  view.setUint32(8, VERSION, true);
  view.setUint32(12, trailer.number, true);
  view.setUint32(16, trailer.valueBytes, true);
  view.setUint32(20, trailer.blocks, true);
  view.setUint32(24, trailer.keys >>> 0, true);
  view.setUint32(28, Math.floor(trailer.keys / 2 ** 32), true);
  view.setUint32(32, trailer.stride, true);
  view.setUint32(36, trailer.indexEntries, true);
  view.setUint32(40, trailer.indexCrc, true);
  view.setUint32(44, crc32(bytes.subarray(0, 44)), true);
  return bytes;
}

/** `path` and `offset` say where the bytes come from if they are damaged. */
export function decodeTrailer(bytes: Uint8Array, path: string, offset: number): RunTrailer {
  const view = new DataView(bytes.buffer, bytes.byteOffset, TRAILER_BYTES);
  if (MAGIC.some((byte, i) => bytes[i] !== byte)) throw new DamagedFileError(path, offset, 'not a run');
  if (view.getUint32(44, true) !== crc32(bytes.subarray(0, 44))) {
    throw new DamagedFileError(path, offset, 'checksum of the trailer');
  }
  if (view.getUint32(8, true) !== VERSION) {
    throw new DamagedFileError(path, offset + 8, `version ${view.getUint32(8, true)}, not ${VERSION}`);
  }
  return {
    number: view.getUint32(12, true),
    valueBytes: view.getUint32(16, true),
    blocks: view.getUint32(20, true),
    keys: view.getUint32(24, true) + view.getUint32(28, true) * 2 ** 32,
    stride: view.getUint32(32, true),
    indexEntries: view.getUint32(36, true),
    indexCrc: view.getUint32(40, true),
  };
}
