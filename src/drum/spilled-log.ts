/**
 * The part of the pending log that memory has no room for, in `pending-log.tmp`: segments back to back. Where
 * they are and their CRC-32 stay in memory.
 *
 * A segment of n operations:
 * | offset | size | name |
 * |---|---|---|
 * | 0 | 8n | keys: low half, high half |
 * | 8n | 4n | heads: length of aux x 4 + kind |
 * | 12n | | aux, back to back |
 */
import { crc32 } from 'node:zlib';
import type { Disk, DiskFile } from '../model/disk.js';
import { DamagedFileError } from '../model/errors.js';
import { KIND_BITS, type Operations } from './operation.js';

export const OPERATION_BYTES = 12;

interface Segment {
  readonly position: number;
  readonly operations: number;
  readonly bytes: number;
  readonly crc: number;
}

export class SpilledLog {
  bytes = 0;
  bytesRead = 0;
  readonly #disk: Disk;
  readonly #path: string;
  readonly #segmentBytes: number;
  #file: DiskFile | null = null;
  #segments: Segment[] = [];

  /** Segments have `segmentBytes` at most, but for one operation that is longer. */
  constructor(disk: Disk, path: string, segmentBytes: number) {
    this.#disk = disk;
    this.#path = path;
    this.#segmentBytes = segmentBytes;
  }

  append(operations: Operations): void {
    this.#file ??= this.#disk.open(this.#path, 'create');
    const { count, heads } = operations;
    let from = 0;
    let auxStart = 0;
    while (from < count) {
      let to = from;
      let auxEnd = auxStart;
      let room = this.#segmentBytes;
      do {
        const length = heads[to++]! >>> KIND_BITS;
        auxEnd += length;
        room -= OPERATION_BYTES + length;
      } while (to < count && room >= OPERATION_BYTES + (heads[to]! >>> KIND_BITS));
      this.#writeSegment(this.#file, operations, from, to, auxStart, auxEnd);
      from = to;
      auxStart = auxEnd;
    }
  }

  /** Reads all operations in order, and forgets them. What `visit` gets is valid during the call only. */
  drain(visit: (operations: Operations) => void): void {
    if (this.#file === null || this.#segments.length === 0) return;
    const largest = this.#segments.reduce((most, segment) => Math.max(most, segment.bytes), 0);
    const bytes = new Uint8Array(largest);
    for (const segment of this.#segments) {
      this.#readSegment(this.#file, segment, bytes);
      const count = segment.operations;
      visit({
        count,
        keys: new Uint32Array(bytes.buffer, 0, 2 * count),
        heads: new Uint32Array(bytes.buffer, 8 * count, count),
        aux: bytes.subarray(OPERATION_BYTES * count, segment.bytes),
      });
    }
    this.#file.truncate(0);
    this.#segments = [];
    this.bytes = 0;
  }

  close(): void {
    if (this.#file === null) return;
    this.#file.close();
    this.#file = null;
    this.#disk.remove(this.#path);
  }

  #writeSegment(
    file: DiskFile,
    operations: Operations,
    from: number,
    to: number,
    auxStart: number,
    auxEnd: number,
  ): void {
    const position = this.bytes;
    const keys = bytesOf(operations.keys, 2 * from, 2 * to);
    const heads = bytesOf(operations.heads, from, to);
    let at = position;
    let crc = 0;
    for (const part of [keys, heads, operations.aux.subarray(auxStart, auxEnd)]) {
      file.write(part, 0, part.length, at);
      crc = crc32(part, crc);
      at += part.length;
    }
    this.#segments.push({ position, operations: to - from, bytes: at - position, crc });
    this.bytes = at;
  }

  #readSegment(file: DiskFile, segment: Segment, into: Uint8Array): void {
    const { position, bytes } = segment;
    const read = file.read(into, 0, bytes, position);
    this.bytesRead += read;
    if (read < bytes) throw new DamagedFileError(this.#path, position + read, 'ends inside a segment');
    if (crc32(into.subarray(0, bytes)) !== segment.crc) {
      throw new DamagedFileError(this.#path, position, 'checksum of the segment');
    }
  }
}

function bytesOf(words: Uint32Array, from: number, to: number): Uint8Array {
  return new Uint8Array(words.buffer, words.byteOffset + 4 * from, 4 * (to - from));
}
