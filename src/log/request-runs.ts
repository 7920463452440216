/**
 * Requests sorted by whom they went to and when they started, in bounded memory: sorted runs go one behind the other to
 * a file without a name, which is gone when it is closed, and are merged as they are read. However many runs there are,
 * one file is open and the same memory is shared by them. A row is five numbers.
 *
 * | index | name  | is                                                           |
 * |-------|-------|--------------------------------------------------------------|
 * | 0     | key   | 64-bit key of the host or address, read as two 32-bit halves |
 * | 1     | start | of the request, ms                                           |
 * | 2     | end   | of the request, ms                                           |
 * | 3     | delay | that the request's receiver was to be left alone for, ms     |
 * | 4     | place | where the request's line stands                              |
 */
import type { Disk, DiskFile } from '../model/disk.js';
import { MergeHeap } from '../model/merge-heap.js';

const ROW = 5;
const START = 1;
const END = 2;
const ROW_BYTES = 8 * ROW;
/** 20 MB, twice while they are sorted, and 2 for their order. */
const DEFAULT_ROWS = 1 << 19;
/** Of a run, at least: a read of less costs more than its bytes. */
const LEAST_ROWS_READ = 64;

export interface Row {
  readonly keyLow: number;
  readonly keyHigh: number;
  readonly start: number;
  readonly end: number;
  readonly delay: number;
  readonly place: number;
}

/** Rows in memory, and which of them is the next one. */
class Rows {
  numbers: Float64Array;
  halves: Uint32Array;
  at = 0;

  constructor(numbers: Float64Array) {
    this.numbers = numbers;
    this.halves = new Uint32Array(numbers.buffer, numbers.byteOffset, 2 * numbers.length);
  }
}

/** A sorted run, `file[position, end)` in bytes, read piece by piece. */
class Run extends Rows {
  readonly #file: DiskFile;
  #position: number;
  readonly #end: number;
  #filled = 0;

  constructor(file: DiskFile, position: number, end: number, memory: Float64Array) {
    super(memory);
    this.#file = file;
    this.#position = position;
    this.#end = end;
  }

  /** Reads on if all rows were taken; false at the end. */
  fill(): boolean {
    if (this.at < this.#filled) return true;
    const { buffer, byteLength, byteOffset } = this.numbers;
    const bytes = new Uint8Array(buffer, byteOffset, byteLength);
    const wanted = Math.min(bytes.length, this.#end - this.#position);
    this.#position += this.#file.read(bytes, 0, wanted, this.#position);
    this.at = 0;
    this.#filled = wanted / 8;
    return wanted > 0;
  }
}

function compareRows(a: Rows, at: number, b: Rows, bt: number): number {
  return (
    a.halves[2 * at + 1]! - b.halves[2 * bt + 1]! ||
    a.halves[2 * at]! - b.halves[2 * bt]! ||
    a.numbers[at + START]! - b.numbers[bt + START]! ||
    a.numbers[at + END]! - b.numbers[bt + END]!
  );
}

function takeRow({ numbers, halves, at }: Rows, take: (row: Row) => void): void {
  take({
    keyLow: halves[2 * at]!,
    keyHigh: halves[2 * at + 1]!,
    start: numbers[at + START]!,
    end: numbers[at + END]!,
    delay: numbers[at + 3]!,
    place: numbers[at + 4]!,
  });
}

export class RequestRuns {
  readonly #disk: Disk;
  readonly #path: string;
  readonly #mostRows: number;
  /** Memory that nothing was written to costs nothing. */
  readonly #rows: Rows;
  #used = 0;
  /** What rows are sorted into. */
  #spare = new Float64Array(0);
  /** Null as long as all rows are in memory. */
  #file: DiskFile | null = null;
  /** Where each run in the file ends. */
  readonly #ends: number[] = [];

  /** `path` is for the file, if one is needed; `mostRows` are kept in memory. */
  constructor(disk: Disk, path: string, mostRows = DEFAULT_ROWS) {
    this.#disk = disk;
    this.#path = path;
    this.#mostRows = mostRows;
    this.#rows = new Rows(new Float64Array(ROW * mostRows));
  }

  add(keyLow: number, keyHigh: number, start: number, end: number, delay: number, place: number): void {
    if (this.#used === ROW * this.#mostRows) this.#spill();
    const at = this.#used;
    this.#used += ROW;
    this.#rows.halves[2 * at] = keyLow;
    this.#rows.halves[2 * at + 1] = keyHigh;
    this.#rows.numbers.set([start, end, delay, place], at + START);
  }

  /** Hands over all rows in order. REQUIRES: nothing is added afterwards. */
  forEach(take: (row: Row) => void): void {
    if (this.#file === null) {
      const rows = new Rows(this.#sorted());
      for (; rows.at < this.#used; rows.at += ROW) takeRow(rows, take);
      return;
    }
    this.#spill();
    const heap = new MergeHeap(
      this.#openRuns(this.#file).filter((run) => run.fill()),
      (a, b) => compareRows(a, a.at, b, b.at),
    );
    for (let first = heap.first; first !== undefined; first = heap.first) {
      takeRow(first, take);
      first.at += ROW;
      heap.settle(first.fill());
    }
  }

  /** They share the memory that the rows were in. */
  #openRuns(file: DiskFile): Run[] {
    const count = this.#ends.length;
    const share = ROW * Math.max(LEAST_ROWS_READ, Math.floor(this.#mostRows / count));
    const { numbers } = this.#rows;
    const memory = count * share <= numbers.length ? numbers : new Float64Array(count * share);
    return this.#ends.map((end, i) => {
      const start = this.#ends[i - 1] ?? 0;
      return new Run(file, start, end, memory.subarray(i * share, (i + 1) * share));
    });
  }

  /** Frees the file's room on the disk. */
  close(): void {
    this.#file?.close();
    this.#file = null;
  }

  /** Valid until the next call. */
  #sorted(): Float64Array {
    const rows = this.#rows;
    const order = Uint32Array.from({ length: this.#used / ROW }, (_, i) => i * ROW);
    order.sort((a, b) => compareRows(rows, a, rows, b));
    if (this.#spare.length === 0) this.#spare = new Float64Array(rows.numbers.length);
    const sorted = this.#spare;
    // Copied as integers: a key may look like a number that is none.
    const to = new Uint32Array(sorted.buffer);
    for (let i = 0, at = 0; i < order.length; i++) {
      const from = 2 * order[i]!;
      for (let half = 0; half < 2 * ROW; half++) to[at++] = rows.halves[from + half]!;
    }
    return sorted;
  }

  #spill(): void {
    if (this.#used === 0) return;
    this.#file ??= this.#newFile();
    const position = this.#ends.at(-1) ?? 0;
    const bytes = (this.#used / ROW) * ROW_BYTES;
    this.#file.write(new Uint8Array(this.#sorted().buffer), 0, bytes, position);
    this.#ends.push(position + bytes);
    this.#used = 0;
  }

  /** Without a name from the beginning, so that nothing is left of it however the process ends. */
  #newFile(): DiskFile {
    const file = this.#disk.open(this.#path, 'create');
    this.#disk.remove(this.#path);
    return file;
  }
}
