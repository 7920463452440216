/**
 * Gzip members. Bytes that compression gains nothing on, such as bodies that came compressed, are put in as they are:
 * that takes a tenth of the time or less, and the headers before them are still compressed.
 */
import { constants, crc32, deflateRawSync, gzipSync } from 'node:zlib';

const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]);
/** Of a block that deflate stores. */
const LARGEST_STORED = 0xffff;
const STORED_HEADER = 5;
const TRAILER_BYTES = 8;
/** Larger bodies are tried out first; smaller ones are compressed before a look at them would pay. */
const WORTH_A_TRIAL = 1 << 18;
const TRIAL_BYTES = 1 << 14;
const LEAST_GAIN = 0.95;
/** For records without a page, zlib's tables take more time than the bytes: 17 us with the usual ones, 8 with these. */
const SMALL = 1024;
const SMALL_TABLES = { windowBits: 10, memLevel: 3 };

/** All bytes compressed. `level` is zlib's. */
export function compressedMember(bytes: Uint8Array, level: number): Buffer {
  // One chunk that holds the whole member saves joining several; incompressible bytes grow a little.
  const chunkSize = Math.max(1024, bytes.length + (bytes.length >>> 10) + 64);
  const small = bytes.length <= SMALL ? SMALL_TABLES : {};
  return gzipSync(bytes, { level, chunkSize, ...small });
}

/** `bytes[0, plainStart)` compressed, the rest as it is. */
export function partlyCompressedMember(bytes: Uint8Array, plainStart: number, level: number): Buffer {
  // A sync flush ends the compressed part at a byte, without ending the member.
  const head = deflateRawSync(bytes.subarray(0, plainStart), {
    level,
    finishFlush: constants.Z_SYNC_FLUSH,
  });
  const plain = bytes.length - plainStart;
  const blocks = Math.max(1, Math.ceil(plain / LARGEST_STORED));
  const member = Buffer.allocUnsafe(
    HEADER.length + head.length + blocks * STORED_HEADER + plain + TRAILER_BYTES,
  );
  let at = HEADER.copy(member);
  at += head.copy(member, at);
  let from = plainStart;
  for (let block = 1; block <= blocks; block++) {
    const length = Math.min(LARGEST_STORED, bytes.length - from);
    member[at] = block === blocks ? 1 : 0;
    member.writeUInt16LE(length, at + 1);
    member.writeUInt16LE(~length & 0xffff, at + 3);
    member.set(bytes.subarray(from, from + length), at + STORED_HEADER);
    at += STORED_HEADER + length;
    from += length;
  }
  member.writeUInt32LE(crc32(bytes), at);
  member.writeUInt32LE(bytes.length >>> 0, at + 4);
  return member;
}

/** Does compressing gain something? Large bodies alone are looked at: it is they that would keep the thread. */
export function isWorthCompressing(bytes: Uint8Array): boolean {
  if (bytes.length < WORTH_A_TRIAL) return true;
  const start = bytes.length >>> 1;
  const trial = gzipSync(bytes.subarray(start, start + TRIAL_BYTES), { level: 1 });
  return trial.length < LEAST_GAIN * TRIAL_BYTES;
}
