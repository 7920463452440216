/**
 * A sorted index of 64-bit keys, each with a value of a fixed size. Only the first key of every block is kept
 * in memory (an eighth of a byte a key); a lookup reads one block.
 *
 *   offset  size                    name
 *        0    16                    FileHeader (disk-format.ts), with the number of entries
 *       16     n x block            blocks of BLOCK entries (the last may be shorter), each with its checksum:
 *                                     entries: key low (4), key high (4), value; then checksum (8)
 *        -     n x 8                first key of each block: low, high
 *        -     8                    checksum of the file header and of these first keys
 */
import type { Disk, DiskFile } from '../model/disk.js';
import { DamagedFileError } from '../model/errors.js';
import {
  CHECKSUM,
  checkFileHeader,
  FILE_HEADER,
  fileHeader,
  hasChecksum,
  INDEX_MAGIC,
  writeChecksum,
} from './disk-format.js';

const BLOCK = 64;
const KEY = 8;

/** Order of two keys given by halves: below, at or above zero. */
export function compareKeys(low: number, high: number, otherLow: number, otherHigh: number): number {
  return high === otherHigh ? low - otherLow : high - otherHigh;
}

/**
 * Writes an index. `order` lists the entries by ascending key; entry i has its key at `keys[2i]`, and
 * `putValue` writes its value.
 */
export function writeKeyIndex(
  disk: Disk,
  path: string,
  keys: Uint32Array,
  order: Uint32Array,
  valueSize: number,
  putValue: (entry: number, into: DataView, at: number) => void,
): void {
  const blocks = Math.ceil(order.length / BLOCK);
  const header = fileHeader(INDEX_MAGIC, order.length);
  const tail = new Uint8Array(FILE_HEADER + blocks * KEY + CHECKSUM);
  tail.set(header);
  const tailView = new DataView(tail.buffer);
  const block = new Uint8Array(BLOCK * (KEY + valueSize) + CHECKSUM);
  const view = new DataView(block.buffer);
  const file = disk.open(path, 'create');
  try {
    file.write(header, 0, FILE_HEADER, 0);
    let position = FILE_HEADER;
    for (let first = 0; first < order.length; first += BLOCK) {
      let at = 0;
      for (const entry of order.subarray(first, first + BLOCK)) {
        view.setUint32(at, keys[2 * entry]!, true);
        view.setUint32(at + 4, keys[2 * entry + 1]!, true);
        putValue(entry, view, at + KEY);
        at += KEY + valueSize;
      }
      writeChecksum(block.subarray(0, at), view, at);
      tail.set(block.subarray(0, KEY), FILE_HEADER + (first / BLOCK) * KEY);
      file.write(block, 0, at + CHECKSUM, position);
      position += at + CHECKSUM;
    }
    const covered = tail.subarray(0, tail.length - CHECKSUM);
    writeChecksum(covered, tailView, covered.length);
    file.write(tail, FILE_HEADER, tail.length, position);
    file.sync();
  } finally {
    file.close();
  }
}

export class KeyIndex {
  /** Holds the value that the last successful `find` found, at the offset it returned. */
  readonly view: DataView;
  readonly count: number;
  readonly #path: string;
  readonly #file: DiskFile;
  readonly #entry: number;
  readonly #firstKeys: DataView;
  readonly #blocks: number;
  readonly #block: Uint8Array;
  #inMemory = -1;

  constructor(disk: Disk, path: string, valueSize: number) {
    this.#path = path;
    this.#entry = KEY + valueSize;
    this.#block = new Uint8Array(BLOCK * this.#entry + CHECKSUM);
    this.view = new DataView(this.#block.buffer);
    this.#file = disk.open(path, 'read');
    try {
      const header = new Uint8Array(FILE_HEADER);
      this.#file.read(header, 0, FILE_HEADER, 0);
      this.count = checkFileHeader(header, INDEX_MAGIC, path);
      this.#blocks = Math.ceil(this.count / BLOCK);
      this.#firstKeys = this.#readFirstKeys(header);
    } catch (error) {
      this.#file.close();
      throw error;
    }
  }

  /** Returns where in `view` the value of a key is, or -1. */
  find(low: number, high: number): number {
    const block = this.#blockOf(low, high);
    if (block < 0) return -1;
    this.#load(block);
    let from = 0;
    let to = Math.min(BLOCK, this.count - block * BLOCK);
    while (from < to) {
      const middle = (from + to) >>> 1;
      const at = middle * this.#entry;
      const order = compareKeys(this.view.getUint32(at, true), this.view.getUint32(at + 4, true), low, high);
      if (order === 0) return at + KEY;
      if (order < 0) from = middle + 1;
      else to = middle;
    }
    return -1;
  }

  close(): void {
    this.#file.close();
  }

  /** The size is checked first: a damaged count must not decide how much memory is taken. */
  #readFirstKeys(header: Uint8Array): DataView {
    const position = FILE_HEADER + this.count * this.#entry + this.#blocks * CHECKSUM;
    const length = this.#blocks * KEY + CHECKSUM;
    if (this.#file.size() !== position + length) {
      throw new DamagedFileError(
        this.#path,
        this.#file.size(),
        `it should be ${position + length} bytes long`,
      );
    }
    const tail = new Uint8Array(FILE_HEADER + length);
    tail.set(header);
    this.#file.read(tail, FILE_HEADER, tail.length, position);
    const covered = tail.subarray(0, tail.length - CHECKSUM);
    if (!hasChecksum(covered, new DataView(tail.buffer), covered.length)) {
      throw new DamagedFileError(this.#path, position, 'the checksum of the first keys does not match');
    }
    return new DataView(tail.buffer, FILE_HEADER);
  }

  /** The last block whose first key is not above the key, or -1. */
  #blockOf(low: number, high: number): number {
    let from = 0;
    let to = this.#blocks;
    while (from < to) {
      const middle = (from + to) >>> 1;
      const at = middle * KEY;
      const firstLow = this.#firstKeys.getUint32(at, true);
      if (compareKeys(firstLow, this.#firstKeys.getUint32(at + 4, true), low, high) <= 0) from = middle + 1;
      else to = middle;
    }
    return from - 1;
  }

  #load(block: number): void {
    if (block === this.#inMemory) return;
    const length = Math.min(BLOCK, this.count - block * BLOCK) * this.#entry;
    const position = FILE_HEADER + block * (BLOCK * this.#entry + CHECKSUM);
    this.#inMemory = -1;
    const read = this.#file.read(this.#block, 0, length + CHECKSUM, position);
    if (read < length + CHECKSUM || !hasChecksum(this.#block.subarray(0, length), this.view, length)) {
      throw new DamagedFileError(this.#path, position, 'the checksum of the block does not match');
    }
    this.#inMemory = block;
  }
}
