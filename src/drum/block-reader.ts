/** Reads and decodes blocks of runs, one at a time, through a window of consecutive blocks. */
import { DamagedFileError } from '../model/errors.js';
import type { Run } from './run.js';
import { BLOCK_BYTES, blockCrc, blockSeed, decodeHighs, HEADER_BYTES, MAX_BLOCK_KEYS } from './run-format.js';

export class BlockReader {
  /** Keys of the block that was loaded last: low half of key i at `words[lowStart + i]`. */
  count = 0;
  readonly high = new Uint32Array(MAX_BLOCK_KEYS);
  readonly words: Uint32Array;
  lowStart = 0;
  /** Value of key i: `bytes[valueStart + i * valueBytes, ...)`. */
  readonly bytes: Uint8Array;
  valueStart = 0;
  bytesRead = 0;

  readonly #valueBytes: number;
  readonly #windowBlocks: number;
  #run: Run | null = null;
  #block = -1;
  #windowStart = 0;
  #windowEnd = 0;

  constructor(windowBlocks: number, valueBytes: number) {
    this.#windowBlocks = windowBlocks;
    this.#valueBytes = valueBytes;
    this.bytes = new Uint8Array(windowBlocks * BLOCK_BYTES);
    this.words = new Uint32Array(this.bytes.buffer);
  }

  /** Loads a block; if it has to be read, then with those after it, before block `until`. */
  load(run: Run, block: number, until: number): void {
    if (run === this.#run && block === this.#block) return;
    if (run !== this.#run || block < this.#windowStart || block >= this.#windowEnd) {
      this.#read(run, block, until);
    }
    const offset = (block - this.#windowStart) * BLOCK_BYTES;
    if (this.words[offset >>> 2] !== blockCrc(this.bytes, offset, blockSeed(run.number, block))) {
      this.forget();
      throw new DamagedFileError(run.path, block * BLOCK_BYTES, 'checksum of the block');
    }
    this.#block = block;
    this.count = decodeHighs(this.bytes, this.words, offset, this.#valueBytes, this.high);
    this.lowStart = (offset + HEADER_BYTES) >>> 2;
    this.valueStart = offset + HEADER_BYTES + 4 * this.count;
  }

  /** Lets go of the run, whose file may be closed. */
  forget(): void {
    this.#run = null;
  }

  #read(run: Run, block: number, until: number): void {
    const blocks = Math.max(1, Math.min(this.#windowBlocks, until - block, run.blocks - block));
    const length = blocks * BLOCK_BYTES;
    this.#run = null;
    const read = run.file.read(this.bytes, 0, length, block * BLOCK_BYTES);
    this.bytesRead += read;
    if (read < length)
      throw new DamagedFileError(run.path, block * BLOCK_BYTES + read, 'ends inside a block');
    this.#run = run;
    this.#block = -1;
    this.#windowStart = block;
    this.#windowEnd = block + blocks;
  }
}
