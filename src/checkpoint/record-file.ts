/**
 * Records of a checkpoint in a file of their own, written once and read back whole.
 *
 * | offset | size   | name                                            |
 * |--------|--------|-------------------------------------------------|
 * | 0      | 8      | magic `drumrec1`                                |
 * | 8      |        | records: length (4 bytes), then that many bytes |
 * | end-12 | 4      | 0xffffffff: no more records                     |
 * | end-8  | 4      | number of records                               |
 * | end-4  | 4      | CRC-32 of all bytes before                      |
 *
 * Numbers are little-endian.
 */

import { crc32 } from 'node:zlib';
import { assert } from '../model/assert.js';
import type { Disk } from '../model/disk.js';
import { DamagedFileError } from '../model/errors.js';
import { FileAppender } from '../model/file-appender.js';
import type { RecordVisitor } from '../model/record.js';
import { readWord, writeWord } from '../model/words.js';

const MAGIC = new TextEncoder().encode('drumrec1');
const LENGTH = 4;
/** The mark that no more records come, their number, and the checksum. */
const TRAILER = 12;
const END = 0xffff_ffff;
const BUFFER_BYTES = 1 << 18;
const FIRST_BUFFER_BYTES = 1 << 12;
/** No record that is saved is longer. */
const MAX_RECORD = 1 << 16;

export class RecordFileWriter {
  /** Most files are small, and some are written at every checkpoint: its buffer grows as it is needed. */
  readonly #out: FileAppender;
  #crc = 0;
  #count = 0;

  constructor(disk: Disk, path: string) {
    // What is written must go into the checksum before: `#makeRoom` sees to both.
    const buffer = { mostBytes: Number.POSITIVE_INFINITY, firstBytes: FIRST_BUFFER_BYTES };
    this.#out = new FileAppender(disk.open(path, 'create'), 0, buffer);
    this.#out.add(MAGIC, 0, MAGIC.length);
  }

  /** REQUIRES: at most 64 KB. */
  readonly add = (bytes: Uint8Array, start: number, end: number): void => {
    const length = end - start;
    assert(length <= MAX_RECORD, 'a record in a checkpoint has 64 KB at most');
    this.#makeRoom(LENGTH + length);
    const at = this.#out.take(LENGTH + length);
    writeWord(this.#out.bytes, at, length);
    this.#out.bytes.set(bytes.subarray(start, end), at + LENGTH);
    this.#count++;
  };

  /** Makes the file durable, up to its name in the directory. */
  close(): void {
    this.#makeRoom(TRAILER);
    const out = this.#out;
    const at = out.take(TRAILER);
    writeWord(out.bytes, at, END);
    writeWord(out.bytes, at + 4, this.#count);
    writeWord(out.bytes, at + 8, crc32(out.bytes.subarray(0, at + 8), this.#crc));
    out.save();
    out.close();
  }

  #makeRoom(bytes: number): void {
    const out = this.#out;
    if (out.waiting + bytes <= BUFFER_BYTES) return;
    this.#crc = crc32(out.bytes.subarray(0, out.waiting), this.#crc);
    out.flush();
  }
}

/** Visits the records of a file in order. Throws if the file is not whole; what was visited before does not count then. */
export function readRecordFile(
  disk: Disk,
  path: string,
  visit: (bytes: Uint8Array, start: number, end: number) => void,
): void {
  const file = disk.open(path, 'read');
  try {
    const size = file.size();
    const buffer = new Uint8Array(Math.min(size, BUFFER_BYTES));
    let position = 0;
    let used = 0;
    let start = MAGIC.length;
    let count = 0;
    let crc = 0;
    for (;;) {
      // What was gone through counts for the checksum, and makes room.
      crc = crc32(buffer.subarray(0, Math.min(start, used)), crc);
      if (used > 0) buffer.copyWithin(0, start, used);
      used = Math.max(0, used - start);
      const base = position - used;
      const read = file.read(buffer, used, buffer.length, position);
      position += read;
      used += read;
      let at = base === 0 && position === used ? MAGIC.length : 0;
      if (at > 0 && !MAGIC.every((byte, i) => buffer[i] === byte))
        throw new DamagedFileError(path, 0, 'not a file of records');
      while (used - at >= LENGTH) {
        const length = readWord(buffer, at);
        if (length === END) {
          if (size !== base + at + TRAILER) throw new DamagedFileError(path, base + at, 'cut off');
          if (used - at < TRAILER) break;
          if (readWord(buffer, at + 4) !== count)
            throw new DamagedFileError(path, base + at, 'number of records');
          if (readWord(buffer, at + 8) !== crc32(buffer.subarray(0, at + 8), crc))
            throw new DamagedFileError(path, base + at, 'checksum');
          return;
        }
        if (length > MAX_RECORD) throw new DamagedFileError(path, base + at, `a record of ${length} bytes`);
        if (used - at < LENGTH + length) break;
        visit(buffer, at + LENGTH, at + LENGTH + length);
        at += LENGTH + length;
        count++;
      }
      if (read === 0) throw new DamagedFileError(path, base + at, 'cut off');
      start = at;
    }
  } finally {
    file.close();
  }
}

/** Writes all records that `give` hands over to a file of their own. */
export function saveRecords(disk: Disk, path: string, give: (add: RecordVisitor) => void): void {
  const writer = new RecordFileWriter(disk, path);
  give(writer.add);
  writer.close();
}
