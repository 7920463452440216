/**
 * Operations that are not answered yet, in the order they came. The first ones may be on disk, in segments;
 * the others are in memory. An operation's number counts from 0 at the last merge.
 *
 * A segment in `pending-log.tmp`, all of it covered by a CRC-32 that stays in memory:
 * | offset | size | name |
 * |---|---|---|
 * | 0 | 8n | keys: low half, high half |
 * | 8n | 4n | heads: length of aux x 4 + kind |
 * | 12n | | aux, back to back |
 *
 * Values never leave memory: an operation's value has its place by the operation's number, and the stored
 * value, which is the answer, takes its place in the merge.
 */
import { crc32 } from 'node:zlib';
import type { Disk, DiskFile } from '../model/disk.js';
import { DamagedFileError } from '../model/errors.js';
import { type DrumDispatcher, type DrumStatistics, DUPLICATE, UNIQUE, UPDATED } from './drum-answers.js';
import type { DrumBatch } from './drum-batch.js';
import { type MemoryPlan, type PendingShare, sharePending } from './memory-plan.js';

export const CHECK = 0;
export const UPDATE = 1;
export const CHECK_UPDATE = 2;
export type OperationKind = typeof CHECK | typeof UPDATE | typeof CHECK_UPDATE;
export const KIND_BITS = 2;
export const KIND_MASK = 3;

const OPERATION_BYTES = 12;

interface Segment {
  readonly position: number;
  readonly operations: number;
  readonly bytes: number;
  readonly crc: number;
}

export class PendingLog {
  /** All operations, and those of them that are in memory. */
  count = 0;
  inMemory = 0;
  spilledBytes = 0;
  bytesRead = 0;
  /** Of the operations in memory. */
  keys = new Uint32Array(64);
  heads = new Uint32Array(32);
  /** Of all operations, by number. */
  values: Uint8Array;
  /** One bit for each operation, by number: its key was stored. */
  duplicates = new Uint32Array(1);

  readonly #disk: Disk;
  readonly #path: string;
  readonly #plan: MemoryPlan;
  readonly #valueBytes: number;
  #share: PendingShare;
  #aux = new Uint8Array(1024);
  #auxUsed = 0;
  #file: DiskFile | null = null;
  #segments: Segment[] = [];
  readonly #outcomes: Uint8Array;
  readonly #auxOffsets: Uint32Array;

  constructor(disk: Disk, path: string, plan: MemoryPlan, valueBytes: number) {
    this.#disk = disk;
    this.#path = path;
    this.#plan = plan;
    this.#share = plan.pending;
    this.#valueBytes = valueBytes;
    this.values = new Uint8Array(32 * valueBytes);
    this.#outcomes = new Uint8Array(plan.answersPerCall);
    this.#auxOffsets = new Uint32Array(plan.answersPerCall + 1);
  }

  /** Operations that memory has room for. */
  get limit(): number {
    return this.#share.operations;
  }

  /** Bytes of all operations and their aux. */
  get bytes(): number {
    return this.spilledBytes + OPERATION_BYTES * this.inMemory + this.#auxUsed;
  }

  /** Bytes of aux in memory for each operation in memory. */
  get auxPerOperation(): number {
    return this.#auxUsed / Math.max(1, this.inMemory);
  }

  /**
   * Divides memory between operations and aux so that both are full at the same time, if aux goes on to have
   * so many bytes on average. REQUIRES: nothing is in memory.
   */
  shareMemory(auxPerOperation: number): void {
    const share = sharePending(this.#plan, auxPerOperation);
    const before = this.#share.operations;
    if (Math.abs(share.operations - before) < before / 8) return;
    this.#share = share;
    if (this.heads.length > share.operations) {
      this.keys = new Uint32Array(64);
      this.heads = new Uint32Array(32);
    }
    if (this.#aux.length > share.auxBytes) this.#aux = new Uint8Array(1024);
  }

  /** The end of the batch's operations from `from` on that there is room for. */
  fitting(batch: DrumBatch, from: number): number {
    const room = Math.min(this.#share.operations - this.inMemory, this.#plan.maxPending - this.count);
    const end = Math.min(batch.count, from + room);
    const auxStart = from === 0 ? 0 : batch.auxEnds[from - 1]!;
    const auxLimit = auxStart + this.#share.auxBytes - this.#auxUsed;
    if (end === from || batch.auxEnds[end - 1]! <= auxLimit) return end;
    let least = from;
    let most = end;
    while (least < most) {
      const middle = (least + most) >>> 1;
      if (batch.auxEnds[middle]! <= auxLimit) least = middle + 1;
      else most = middle;
    }
    // An aux longer than all the room there is for aux is taken alone.
    return least === from && this.inMemory === 0 ? from + 1 : least;
  }

  /** REQUIRES: `to` is at most `fitting(batch, from)`. */
  append(batch: DrumBatch, from: number, to: number, kind: OperationKind): void {
    const auxStart = from === 0 ? 0 : batch.auxEnds[from - 1]!;
    const auxEnd = to === from ? auxStart : batch.auxEnds[to - 1]!;
    this.#reserve(to - from, auxEnd - auxStart);
    this.keys.set(batch.keys.subarray(2 * from, 2 * to), 2 * this.inMemory);
    const { auxEnds } = batch;
    const { heads } = this;
    const shift = this.inMemory - from;
    let start = auxStart;
    for (let i = from; i < to; i++) {
      const end = auxEnds[i]!;
      heads[shift + i] = ((end - start) << KIND_BITS) | kind;
      start = end;
    }
    if (auxEnd > auxStart) this.#aux.set(batch.aux.subarray(auxStart, auxEnd), this.#auxUsed);
    this.#auxUsed += auxEnd - auxStart;
    if (this.#valueBytes !== 0) {
      const size = this.#valueBytes;
      this.values.set(batch.values.subarray(from * size, to * size), this.count * size);
    }
    this.inMemory += to - from;
    this.count += to - from;
  }

  /** Moves what is in memory to disk, but for the values. Returns the bytes written. */
  spill(): number {
    this.#file ??= this.#disk.open(this.#path, 'create');
    const before = this.spilledBytes;
    let from = 0;
    let auxStart = 0;
    while (from < this.inMemory) {
      let to = from;
      let auxEnd = auxStart;
      let room = this.#plan.segmentBytes;
      do {
        const length = this.heads[to++]! >>> KIND_BITS;
        auxEnd += length;
        room -= OPERATION_BYTES + length;
      } while (to < this.inMemory && room >= OPERATION_BYTES + (this.heads[to]! >>> KIND_BITS));
      this.#writeSegment(this.#file, from, to, auxStart, auxEnd);
      from = to;
      auxStart = auxEnd;
    }
    this.inMemory = 0;
    this.#auxUsed = 0;
    return this.spilledBytes - before;
  }

  /** Tells the dispatcher the answers to all operations, and forgets them. */
  dispatch(dispatcher: DrumDispatcher, statistics: DrumStatistics): void {
    let first = 0;
    if (this.#file !== null && this.#segments.length > 0) {
      const largest = this.#segments.reduce((most, segment) => Math.max(most, segment.bytes), 0);
      const bytes = new Uint8Array(largest);
      for (const segment of this.#segments) {
        this.#readSegment(this.#file, segment, bytes);
        const n = segment.operations;
        const keys = new Uint32Array(bytes.buffer, 0, 2 * n);
        const heads = new Uint32Array(bytes.buffer, 8 * n, n);
        const aux = bytes.subarray(OPERATION_BYTES * n, segment.bytes);
        this.#dispatch(dispatcher, statistics, first, n, keys, heads, aux);
        first += n;
      }
      this.#file.truncate(0);
      this.#segments = [];
      this.spilledBytes = 0;
    }
    this.#dispatch(dispatcher, statistics, first, this.inMemory, this.keys, this.heads, this.#aux);
    this.count = 0;
    this.inMemory = 0;
    this.#auxUsed = 0;
  }

  /** Clears the answers before a merge sets them. */
  clearAnswers(): void {
    const words = (this.count + 31) >>> 5;
    if (this.duplicates.length < words)
      this.duplicates = new Uint32Array(grown(words, words, this.#plan.maxPending >>> 5));
    else this.duplicates.fill(0, 0, words);
  }

  close(): void {
    if (this.#file === null) return;
    this.#file.close();
    this.#file = null;
    this.#disk.remove(this.#path);
  }

  #dispatch(
    dispatcher: DrumDispatcher,
    statistics: DrumStatistics,
    first: number,
    count: number,
    keys: Uint32Array,
    heads: Uint32Array,
    aux: Uint8Array,
  ): void {
    const outcomes = this.#outcomes;
    const offsets = this.#auxOffsets;
    const { duplicates } = this;
    const size = this.#valueBytes;
    let auxStart = 0;
    for (let from = 0; from < count; from += outcomes.length) {
      const n = Math.min(outcomes.length, count - from);
      let offset = 0;
      let updated = 0;
      let unique = 0;
      for (let i = 0; i < n; i++) {
        const head = heads[from + i]!;
        const number = first + from + i;
        offset += head >>> KIND_BITS;
        offsets[i + 1] = offset;
        if ((head & KIND_MASK) === UPDATE) {
          outcomes[i] = UPDATED;
          updated++;
        } else if (((duplicates[number >>> 5]! >>> (number & 31)) & 1) === 0) {
          outcomes[i] = UNIQUE;
          unique++;
        } else {
          outcomes[i] = DUPLICATE;
        }
      }
      statistics.checks += n - updated;
      statistics.unique += unique;
      dispatcher({
        count: n,
        outcomes,
        keys: keys.subarray(2 * from, 2 * (from + n)),
        values: this.values.subarray((first + from) * size, (first + from + n) * size),
        aux: aux.subarray(auxStart, auxStart + offset),
        auxStarts: offsets,
        auxEnds: offsets.subarray(1),
      });
      auxStart += offset;
    }
  }

  #reserve(operations: number, auxBytes: number): void {
    const inMemory = this.inMemory + operations;
    if (inMemory > this.heads.length) {
      const capacity = grown(this.heads.length, inMemory, this.#share.operations);
      this.keys = enlarged(this.keys, new Uint32Array(2 * capacity), 2 * this.inMemory);
      this.heads = enlarged(this.heads, new Uint32Array(capacity), this.inMemory);
    }
    const size = this.#valueBytes;
    if ((this.count + operations) * size > this.values.length) {
      const capacity = grown(this.values.length / size, this.count + operations, this.#plan.maxPending);
      this.values = enlarged(this.values, new Uint8Array(capacity * size), this.count * size);
    }
    const auxUsed = this.#auxUsed + auxBytes;
    if (auxUsed > this.#aux.length) {
      const capacity = grown(this.#aux.length, auxUsed, this.#share.auxBytes);
      this.#aux = enlarged(this.#aux, new Uint8Array(capacity), this.#auxUsed);
    }
  }

  #writeSegment(file: DiskFile, from: number, to: number, auxStart: number, auxEnd: number): void {
    const position = this.spilledBytes;
    const keys = new Uint8Array(this.keys.buffer, 8 * from, 8 * (to - from));
    const heads = new Uint8Array(this.heads.buffer, 4 * from, 4 * (to - from));
    const aux = this.#aux.subarray(auxStart, auxEnd);
    let at = position;
    let crc = 0;
    for (const part of [keys, heads, aux]) {
      file.write(part, 0, part.length, at);
      crc = crc32(part, crc);
      at += part.length;
    }
    this.#segments.push({ position, operations: to - from, bytes: at - position, crc });
    this.spilledBytes = at;
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

/** Fourfold, so that what is left behind by growing is small; never past `limit` unless it has to be. */
function grown(capacity: number, needed: number, limit: number): number {
  return Math.max(needed, Math.min(limit, 4 * capacity));
}

function enlarged<T extends Uint8Array | Uint32Array>(old: T, larger: T, used: number): T {
  larger.set(old.subarray(0, used));
  return larger;
}
