/** Writes a run: keys in ascending order, then `finish`. Nothing is durable before `file.sync()`. */

import { crc32 } from 'node:zlib';
import { assert, assertCostly } from '../model/assert.js';
import type { Disk, DiskFile } from '../model/disk.js';
import { Run } from './run.js';
import {
  BLOCK_BYTES,
  blockCapacity,
  blockCrc,
  blockSeed,
  encodeGaps,
  encodeTrailer,
  gapWidth,
  HEADER_BYTES,
  MAX_BLOCK_KEYS,
  TRAILER_BYTES,
} from './run-format.js';

export interface RunWriterOptions {
  readonly valueBytes: number;
  readonly windowBlocks: number;
  readonly indexEntries: number;
}

export class RunWriter {
  readonly #disk: Disk;
  readonly #path: string;
  readonly #file: DiskFile;
  readonly #number: number;
  readonly #valueBytes: number;
  readonly #indexEntries: number;
  /** Whole blocks wait here until the window is full. */
  readonly #bytes: Uint8Array;
  readonly #words: Uint32Array;
  readonly #gaps = new Uint32Array(MAX_BLOCK_KEYS);
  readonly #values: Uint8Array;
  #keys = 0;
  #blocks = 0;
  /** The block being filled: its place in the window, keys, all bits of its gaps, and the high half before. */
  #offset = 0;
  #count = 0;
  #gapBits = 0;
  #lastHigh = 0;
  /** Of the last key that was added. */
  #lastLow = 0;
  /** Keys that fit in a block, by the bytes of its gaps. */
  readonly #capacities: readonly number[];
  #firstKeys = new Uint32Array(16);
  #entries = 0;
  #stride = 1;

  /** Makes the file. `expected` keys, or fewer, make small files cheap; more are fine. */
  constructor(disk: Disk, path: string, number: number, expected: number, options: RunWriterOptions) {
    this.#disk = disk;
    this.#path = path;
    this.#number = number;
    this.#valueBytes = options.valueBytes;
    this.#indexEntries = options.indexEntries;
    this.#capacities = [0, 1, 2, 3, 4].map((width) => blockCapacity(width, options.valueBytes));
    const blocks = Math.ceil((expected * (9 + options.valueBytes)) / (BLOCK_BYTES - 64));
    this.#bytes = new Uint8Array(BLOCK_BYTES * Math.max(1, Math.min(options.windowBlocks, blocks)));
    this.#words = new Uint32Array(this.#bytes.buffer);
    this.#values = new Uint8Array(options.valueBytes === 0 ? 0 : BLOCK_BYTES);
    this.#file = disk.open(path, 'create');
  }

  get keys(): number {
    return this.#keys;
  }

  /**
   * Adds keys `[0, count)` and their values.
   * REQUIRES: keys ascend strictly, within a call and from call to call.
   */
  add(high: Uint32Array, low: Uint32Array, values: Uint8Array, count: number): void {
    assertCostly(() => this.#areBehind(high, low, count), 'the keys of a run ascend');
    const valueBytes = this.#valueBytes;
    const words = this.#words;
    const gaps = this.#gaps;
    for (let i = 0; i < count; i++) {
      const keyHigh = high[i]!;
      const gap = keyHigh - this.#lastHigh;
      const gapBits = (this.#gapBits | gap) >>> 0;
      if (this.#count !== 0 && this.#count >= this.#capacities[gapWidth(gapBits)]!) this.#endBlock();
      const n = this.#count;
      if (n === 0) {
        this.#beginBlock(keyHigh, low[i]!);
      } else {
        gaps[n] = gap;
        this.#gapBits = gapBits;
      }
      words[((this.#offset + HEADER_BYTES) >>> 2) + n] = low[i]!;
      for (let j = 0; j < valueBytes; j++) this.#values[n * valueBytes + j] = values[i * valueBytes + j]!;
      this.#count = n + 1;
      this.#lastHigh = keyHigh;
    }
    this.#keys += count;
    if (count > 0) this.#lastLow = low[count - 1]!;
  }

  /** Does each of these keys lie behind the one before it? */
  #areBehind(high: Uint32Array, low: Uint32Array, count: number): boolean {
    let lastHigh = this.#keys === 0 ? -1 : this.#lastHigh;
    let lastLow = this.#lastLow;
    for (let i = 0; i < count; i++) {
      if (high[i]! < lastHigh || (high[i] === lastHigh && low[i]! <= lastLow)) return false;
      lastHigh = high[i]!;
      lastLow = low[i]!;
    }
    return true;
  }

  /** Writes what is left, the index and the trailer. REQUIRES: at least one key was added. */
  finish(): Run {
    assert(this.#keys > 0, 'a run has a key');
    this.#endBlock();
    this.#writeWindow();
    const entries = new Uint32Array(2 * this.#entries);
    for (let i = 0; i < entries.length; i += 2) {
      entries[i] = this.#firstKeys[i + 1]!;
      entries[i + 1] = this.#firstKeys[i]!;
    }
    const index = new Uint8Array(entries.buffer);
    const trailer = {
      number: this.#number,
      valueBytes: this.#valueBytes,
      blocks: this.#blocks,
      keys: this.#keys,
      stride: this.#stride,
      indexEntries: this.#entries,
      indexCrc: crc32(index),
    };
    const position = this.#blocks * BLOCK_BYTES;
    this.#file.write(index, 0, index.length, position);
    this.#file.write(encodeTrailer(trailer), 0, TRAILER_BYTES, position + index.length);
    const firstKeys = this.#firstKeys.slice(0, 2 * this.#entries);
    return new Run(this.#path, this.#file, trailer, { firstKeys, stride: this.#stride }, false);
  }

  /** Gives up: closes and removes the file. */
  abandon(): void {
    this.#file.close();
    this.#disk.remove(this.#path);
  }

  #beginBlock(high: number, low: number): void {
    if (this.#offset === this.#bytes.length) this.#writeWindow();
    this.#words[(this.#offset >>> 2) + 2] = high;
    if (this.#blocks % this.#stride !== 0) return;
    if (this.#entries === this.#indexEntries) this.#thinIndex();
    if (this.#blocks % this.#stride !== 0) return;
    if (2 * this.#entries === this.#firstKeys.length) {
      const larger = new Uint32Array(Math.min(2 * this.#firstKeys.length, 2 * this.#indexEntries));
      larger.set(this.#firstKeys);
      this.#firstKeys = larger;
    }
    this.#firstKeys[2 * this.#entries] = high;
    this.#firstKeys[2 * this.#entries + 1] = low;
    this.#entries++;
  }

  /** Keeps every second entry: the index stays inside its bound, however long the run. */
  #thinIndex(): void {
    const kept = Math.ceil(this.#entries / 2);
    for (let i = 0; i < kept; i++) {
      this.#firstKeys[2 * i] = this.#firstKeys[4 * i]!;
      this.#firstKeys[2 * i + 1] = this.#firstKeys[4 * i + 1]!;
    }
    this.#entries = kept;
    this.#stride *= 2;
  }

  #endBlock(): void {
    const offset = this.#offset;
    const count = this.#count;
    const valuesAt = offset + HEADER_BYTES + 4 * count;
    const gapsAt = valuesAt + count * this.#valueBytes;
    if (this.#valueBytes !== 0) {
      this.#bytes.set(this.#values.subarray(0, count * this.#valueBytes), valuesAt);
    }
    const width = gapWidth(this.#gapBits);
    encodeGaps(this.#gaps, count, width, this.#bytes, gapsAt);
    this.#bytes.fill(0, gapsAt + width * (count - 1), offset + BLOCK_BYTES);
    this.#words[(offset >>> 2) + 1] = count | (width << 16);
    this.#words[offset >>> 2] = blockCrc(this.#bytes, offset, blockSeed(this.#number, this.#blocks));
    this.#blocks++;
    this.#offset += BLOCK_BYTES;
    this.#count = 0;
    this.#gapBits = 0;
  }

  #writeWindow(): void {
    const position = this.#blocks * BLOCK_BYTES - this.#offset;
    this.#file.write(this.#bytes, 0, this.#offset, position);
    this.#offset = 0;
  }
}
