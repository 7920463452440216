/**
 * The keys of the operations that are not answered yet, by bucket: the first bits of the key. Spilled ones
 * are in `pending-keys.tmp`, one piece for each bucket and spill, its CRC-32 in memory.
 *
 * A piece is a sequence of entries of 12 bytes in the order the operations came: high half of the key, low
 * half, tag. The tag is the operation's number x 4 + its kind.
 */
import { crc32 } from 'node:zlib';
import type { Disk, DiskFile } from '../model/disk.js';
import { DamagedFileError } from '../model/errors.js';
import type { MemoryPlan } from './memory-plan.js';
import { KIND_BITS, KIND_MASK } from './operation.js';
import type { PendingLog } from './pending-log.js';
import { ENTRY_WORDS } from './radix-sort.js';

const ENTRY_BYTES = 4 * ENTRY_WORDS;
/** Without spills, a merge takes buckets of about this many keys: they sort inside the processor's cache. */
const ENTRIES_IN_CACHE = 4096;

export class PendingBuckets {
  spills = 0;
  bytesRead = 0;
  readonly #disk: Disk;
  readonly #path: string;
  readonly #plan: MemoryPlan;
  /** Entries of each bucket: all, and those in memory. */
  readonly #counts: Uint32Array;
  readonly #inMemory: Uint32Array;
  /** Entries in memory by bucket; bucket b is [#starts[b], #starts[b + 1]). */
  #scattered = new Uint32Array(0);
  readonly #starts: Uint32Array;
  /** The first entry in the file of piece spill x buckets + bucket, and of what comes after the last. */
  #pieceStarts: Uint32Array[] = [];
  #pieceCrcs: Uint32Array[] = [];
  #spilledEntries = 0;
  #file: DiskFile | null = null;

  constructor(disk: Disk, path: string, plan: MemoryPlan) {
    this.#disk = disk;
    this.#path = path;
    this.#plan = plan;
    const buckets = 1 << plan.bucketBits;
    this.#counts = new Uint32Array(buckets);
    this.#inMemory = new Uint32Array(buckets);
    this.#starts = new Uint32Array(buckets + 1);
  }

  /** Counts keys `[from, to)` of a batch into their buckets; returns the first whose bucket is full, or `to`. */
  admit(keys: Uint32Array, from: number, to: number): number {
    const counts = this.#counts;
    const inMemory = this.#inMemory;
    const shift = 32 - this.#plan.bucketBits;
    const limit = this.#plan.bucketEntries;
    for (let i = from; i < to; i++) {
      const bucket = keys[2 * i + 1]! >>> shift;
      const count = counts[bucket]!;
      if (count === limit) return i;
      counts[bucket] = count + 1;
      inMemory[bucket] = inMemory[bucket]! + 1;
    }
    return to;
  }

  /** Moves the entries of what the log has in memory to disk. Returns the bytes written. */
  spill(log: PendingLog): number {
    this.#file ??= this.#disk.open(this.#path, 'create');
    const bits = this.#plan.bucketBits;
    this.#scatter(log, bits);
    const bytes = new Uint8Array(this.#scattered.buffer, 0, log.inMemory * ENTRY_BYTES);
    this.#file.write(bytes, 0, bytes.length, this.#spilledEntries * ENTRY_BYTES);
    const starts = this.#starts.slice();
    const crcs = new Uint32Array(1 << bits);
    for (let b = 0; b < crcs.length; b++) {
      crcs[b] = crc32(bytes.subarray(starts[b]! * ENTRY_BYTES, starts[b + 1]! * ENTRY_BYTES));
    }
    for (let b = 0; b < starts.length; b++) starts[b] = starts[b]! + this.#spilledEntries;
    this.#pieceStarts.push(starts);
    this.#pieceCrcs.push(crcs);
    this.#spilledEntries += log.inMemory;
    this.#inMemory.fill(0);
    this.spills++;
    return bytes.length;
  }

  /** Makes `load` possible; returns the number of prefix bits by which buckets are told apart in this merge. */
  prepare(log: PendingLog): number {
    const { bucketBits, bucketEntries } = this.#plan;
    const wanted = Math.ceil(Math.log2(Math.max(1, log.count / ENTRIES_IN_CACHE)));
    const bits = this.spills === 0 && log.count <= bucketEntries ? Math.min(wanted, bucketBits) : bucketBits;
    this.#scatter(log, bits);
    return bits;
  }

  /** Entries of a bucket, after `prepare`. */
  size(bucket: number): number {
    let size = this.#starts[bucket + 1]! - this.#starts[bucket]!;
    for (const starts of this.#pieceStarts) size += starts[bucket + 1]! - starts[bucket]!;
    return size;
  }

  /** Copies a bucket's entries, in the order they came. */
  load(bucket: number, into: Uint32Array): void {
    const bytes = new Uint8Array(into.buffer);
    let at = 0;
    for (let spill = 0; spill < this.spills; spill++) {
      const starts = this.#pieceStarts[spill]!;
      const length = (starts[bucket + 1]! - starts[bucket]!) * ENTRY_BYTES;
      if (length === 0) continue;
      const position = starts[bucket]! * ENTRY_BYTES;
      const read = this.#file!.read(bytes, at, at + length, position);
      this.bytesRead += read;
      if (read < length) throw new DamagedFileError(this.#path, position + read, 'ends inside a piece');
      if (crc32(bytes.subarray(at, at + length)) !== this.#pieceCrcs[spill]![bucket]) {
        throw new DamagedFileError(this.#path, position, 'checksum of the piece');
      }
      at += length;
    }
    const start = ENTRY_WORDS * this.#starts[bucket]!;
    const end = ENTRY_WORDS * this.#starts[bucket + 1]!;
    into.set(this.#scattered.subarray(start, end), at >>> 2);
  }

  /** Forgets all entries, after a merge. */
  clear(): void {
    this.#counts.fill(0);
    this.#inMemory.fill(0);
    if (this.spills === 0) return;
    this.#file!.truncate(0);
    this.#pieceStarts = [];
    this.#pieceCrcs = [];
    this.#spilledEntries = 0;
    this.spills = 0;
  }

  /** Lets go of memory for more than `operations` at a time. */
  shrink(operations: number): void {
    if (this.#scattered.length > ENTRY_WORDS * operations) this.#scattered = new Uint32Array(0);
  }

  close(): void {
    if (this.#file === null) return;
    this.#file.close();
    this.#file = null;
    this.#disk.remove(this.#path);
  }

  /** Distributes the log's operations in memory over 2^bits buckets, keeping their order. */
  #scatter(log: PendingLog, bits: number): void {
    const n = log.inMemory;
    if (ENTRY_WORDS * n > this.#scattered.length) {
      this.#scattered = new Uint32Array(ENTRY_WORDS * Math.min(log.limit, 2 * n));
    }
    const starts = this.#starts;
    const fine = this.#plan.bucketBits - bits;
    starts.fill(0);
    for (let b = 0; b < this.#inMemory.length; b++) {
      const coarse = (b >>> fine) + 1;
      starts[coarse] = starts[coarse]! + this.#inMemory[b]!;
    }
    for (let b = 1; b <= 1 << bits; b++) starts[b] = starts[b]! + starts[b - 1]!;
    this.#fill(log, bits, starts.slice());
  }

  #fill(log: PendingLog, bits: number, next: Uint32Array): void {
    const { keys, heads } = log;
    const n = log.inMemory;
    const first = log.count - n;
    const scattered = this.#scattered;
    const shift = (32 - bits) & 31;
    const mask = (1 << bits) - 1;
    for (let i = 0; i < n; i++) {
      const high = keys[2 * i + 1]!;
      // The mask makes a shift by 32, which is none, give bucket 0.
      const bucket = (high >>> shift) & mask;
      const entry = next[bucket]!;
      next[bucket] = entry + 1;
      const to = ENTRY_WORDS * entry;
      scattered[to] = high;
      scattered[to + 1] = keys[2 * i]!;
      scattered[to + 2] = ((first + i) << KIND_BITS) | (heads[i]! & KIND_MASK);
    }
  }
}
