/**
 * Operations that are not answered yet, in the order they came. The first ones may be on disk; the others are
 * in memory. An operation's number counts from 0 at the last merge.
 *
 * Values never leave memory: an operation's value has its place by the operation's number, and the stored
 * value, which is the answer, takes its place in the merge.
 */
import { assert, assertCostly } from '../model/assert.js';
import type { Disk } from '../model/disk.js';
import type { AnswerDispatch } from './answer-dispatch.js';
import type { DrumBatch } from './drum-batch.js';
import { type MemoryPlan, type PendingShare, sharePending } from './memory-plan.js';
import { KIND_BITS, type OperationKind, type Operations } from './operation.js';
import { OPERATION_BYTES, SpilledLog } from './spilled-log.js';

export class PendingLog {
  /** All operations, and those of them that are in memory. */
  count = 0;
  inMemory = 0;
  /** Of the operations in memory. */
  keys = new Uint32Array(64);
  heads = new Uint32Array(32);
  /** Of all operations, by number. */
  values: Uint8Array;
  /** One bit for each operation, by number: its key was stored. */
  duplicates = new Uint32Array(1);

  readonly #spilled: SpilledLog;
  readonly #plan: MemoryPlan;
  readonly #valueBytes: number;
  #share: PendingShare;
  #aux = new Uint8Array(1024);
  #auxUsed = 0;

  constructor(disk: Disk, path: string, plan: MemoryPlan, valueBytes: number) {
    this.#spilled = new SpilledLog(disk, path, plan.segmentBytes);
    this.#plan = plan;
    this.#share = plan.pending;
    this.#valueBytes = valueBytes;
    this.values = new Uint8Array(32 * valueBytes);
  }

  /** Operations that memory has room for. */
  get limit(): number {
    return this.#share.operations;
  }

  /** Bytes of all operations and their aux. */
  get bytes(): number {
    return this.#spilled.bytes + OPERATION_BYTES * this.inMemory + this.#auxUsed;
  }

  get spilledBytes(): number {
    return this.#spilled.bytes;
  }

  get bytesRead(): number {
    return this.#spilled.bytesRead;
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
    assert(this.inMemory === 0, 'nothing is in memory when it is shared out anew');
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
    assertCostly(() => to <= this.fitting(batch, from), 'there is room for what is appended to the log');
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
    const before = this.#spilled.bytes;
    this.#spilled.append(this.#operationsInMemory());
    this.inMemory = 0;
    this.#auxUsed = 0;
    return this.#spilled.bytes - before;
  }

  /** Has all operations answered, and forgets them. */
  answer(dispatch: AnswerDispatch): void {
    let first = 0;
    this.#spilled.drain((operations) => {
      dispatch.answer(operations, first, this);
      first += operations.count;
    });
    dispatch.answer(this.#operationsInMemory(), first, this);
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
    this.#spilled.close();
  }

  #operationsInMemory(): Operations {
    return { count: this.inMemory, keys: this.keys, heads: this.heads, aux: this.#aux };
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
}

/** Fourfold, so that what is left behind by growing is small; never past `limit` unless it has to be. */
function grown(capacity: number, needed: number, limit: number): number {
  return Math.max(needed, Math.min(limit, 4 * capacity));
}

function enlarged<T extends Uint8Array | Uint32Array>(old: T, larger: T, used: number): T {
  larger.set(old.subarray(0, used));
  return larger;
}
