/** The CRC-32 of what a file holds. It goes on where it ended, so of a file that grew only what is new is read. */
import { crc32 } from 'node:zlib';
import type { Disk, DiskFile } from './disk.js';

const BUFFER_BYTES = 1 << 18;

/** Of the bytes up to `end`, given that up to `start`. */
export function sumOf(file: DiskFile, start: number, end: number, crc: number): number {
  const buffer = new Uint8Array(Math.min(BUFFER_BYTES, Math.max(0, end - start)));
  let sum = crc;
  for (let at = start; at < end; ) {
    const read = file.read(buffer, 0, Math.min(buffer.length, end - at), at);
    if (read === 0) break;
    sum = crc32(buffer.subarray(0, read), sum);
    at += read;
  }
  return sum;
}

export function sumOfWhole(disk: Disk, path: string): number {
  const file = disk.open(path, 'read');
  try {
    return sumOf(file, 0, file.size(), 0);
  } finally {
    file.close();
  }
}
