/** A run: an immutable file of sorted keys, with a part of its index in memory. */
import { crc32 } from 'node:zlib';
import type { Disk, DiskFile } from '../model/disk.js';
import { DamagedFileError } from '../model/errors.js';
import {
  BLOCK_BYTES,
  decodeTrailer,
  INDEX_ENTRY_BYTES,
  type RunTrailer,
  TRAILER_BYTES,
} from './run-format.js';

/** The index is read in parts of this many entries. */
const ENTRIES_PER_READ = 4096;

/** First keys of blocks 0, stride, 2 stride ...: high and low half, in that order. */
export interface RunIndex {
  readonly firstKeys: Uint32Array;
  readonly stride: number;
}

export class Run {
  readonly path: string;
  readonly file: DiskFile;
  readonly number: number;
  readonly keys: number;
  readonly blocks: number;
  readonly bytes: number;
  readonly index: RunIndex;
  /** Is it durable? */
  synced: boolean;
  /** Does the last commit name it? Then it must outlive the next one. */
  committed: boolean;

  constructor(path: string, file: DiskFile, trailer: RunTrailer, index: RunIndex, committed: boolean) {
    this.path = path;
    this.file = file;
    this.number = trailer.number;
    this.keys = trailer.keys;
    this.blocks = trailer.blocks;
    this.bytes = trailer.blocks * BLOCK_BYTES + trailer.indexEntries * INDEX_ENTRY_BYTES + TRAILER_BYTES;
    this.index = index;
    this.synced = committed;
    this.committed = committed;
  }

  /**
   * Opens a run of a commit, checks its trailer and index, and keeps at most `indexEntries` of the index.
   * Blocks are checked when they are read.
   */
  static open(disk: Disk, path: string, number: number, valueBytes: number, indexEntries: number): Run {
    const file = disk.open(path, 'read');
    try {
      const size = file.size();
      const at = size - TRAILER_BYTES;
      if (at < 0) throw new DamagedFileError(path, size, 'ends before its trailer');
      const bytes = new Uint8Array(TRAILER_BYTES);
      if (file.read(bytes, 0, TRAILER_BYTES, at) < TRAILER_BYTES) {
        throw new DamagedFileError(path, at, 'ends inside its trailer');
      }
      const trailer = decodeTrailer(bytes, path, at);
      if (trailer.number !== number) {
        throw new DamagedFileError(path, at + 12, `is run ${trailer.number}, not ${number}`);
      }
      if (trailer.valueBytes !== valueBytes) {
        throw new DamagedFileError(path, at + 16, `values of ${trailer.valueBytes} bytes, not ${valueBytes}`);
      }
      const run = new Run(path, file, trailer, readIndex(file, path, trailer, indexEntries), true);
      if (run.bytes !== size) throw new DamagedFileError(path, size, `${size} bytes, not ${run.bytes}`);
      return run;
    } catch (error) {
      file.close();
      throw error;
    }
  }

  /**
   * The index entry, from `from` on, whose blocks hold the key if the run does; `from` - 1 if the key is
   * less than the entry's at `from`.
   */
  entryOf(high: number, low: number, from: number): number {
    const keys = this.index.firstKeys;
    let least = from;
    let end = keys.length >>> 1;
    while (least < end) {
      const middle = (least + end) >>> 1;
      const first = keys[2 * middle]!;
      if (first < high || (first === high && keys[2 * middle + 1]! <= low)) least = middle + 1;
      else end = middle;
    }
    return least - 1;
  }
}

function readIndex(file: DiskFile, path: string, trailer: RunTrailer, limit: number): RunIndex {
  const skip = 2 ** Math.ceil(Math.log2(Math.max(1, trailer.indexEntries / limit)));
  const firstKeys = new Uint32Array(2 * Math.ceil(trailer.indexEntries / skip));
  const words = new Uint32Array(2 * Math.min(ENTRIES_PER_READ, trailer.indexEntries));
  const bytes = new Uint8Array(words.buffer);
  const position = trailer.blocks * BLOCK_BYTES;
  let crc = 0;
  for (let entry = 0; entry < trailer.indexEntries; entry += ENTRIES_PER_READ) {
    const count = Math.min(ENTRIES_PER_READ, trailer.indexEntries - entry);
    const length = count * INDEX_ENTRY_BYTES;
    if (file.read(bytes, 0, length, position + entry * INDEX_ENTRY_BYTES) < length) {
      throw new DamagedFileError(path, position, 'ends inside its index');
    }
    crc = crc32(bytes.subarray(0, length), crc);
    for (let i = (skip - (entry % skip)) % skip; i < count; i += skip) {
      const to = (entry + i) / skip;
      firstKeys[2 * to] = words[2 * i + 1]!;
      firstKeys[2 * to + 1] = words[2 * i]!;
    }
  }
  if (crc !== trailer.indexCrc) throw new DamagedFileError(path, position, 'checksum of the index');
  return { firstKeys, stride: trailer.stride * skip };
}
