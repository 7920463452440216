/**
 * Requests sorted by whom they went to and when they started, in bounded memory: sorted runs go to temporary files and
 * are merged as they are read. A row is five numbers.
 *
 * | index | name  | is                                                           |
 * |-------|-------|--------------------------------------------------------------|
 * | 0     | key   | 64-bit key of the host or address, read as two 32-bit halves |
 * | 1     | start | of the request, ms                                           |
 * | 2     | end   | of the request, ms                                           |
 * | 3     | delay | that the request's receiver was to be left alone for, ms     |
 * | 4     | place | where the request's line stands                              |
 */
import { join } from 'node:path';
import type { Disk, DiskFile } from '../model/disk.js';

const ROW = 5;
const START = 1;
const END = 2;
const ROW_BYTES = 8 * ROW;
const FIRST_ROWS = 1024;
/** 40 MB, and 4 for their order. */
const DEFAULT_ROWS = 1 << 20;
const ROWS_READ_AT_ONCE = 1024;

export interface Row {
  readonly keyLow: number;
  readonly keyHigh: number;
  readonly start: number;
  readonly end: number;
  readonly delay: number;
  readonly place: number;
}

/** Rows that come from memory or from a file, each run in order. */
class Run {
  rows: Float64Array;
  halves: Uint32Array;
  at = 0;
  #end: number;
  readonly #file: DiskFile | null;
  #position = 0;

  constructor(rows: Float64Array, end: number, file: DiskFile | null) {
    this.rows = rows;
    this.halves = new Uint32Array(rows.buffer, rows.byteOffset, 2 * rows.length);
    this.#end = end;
    this.#file = file;
  }

  static fromFile(file: DiskFile): Run {
    return new Run(new Float64Array(ROW * ROWS_READ_AT_ONCE), 0, file);
  }

  /** Reads on if all rows were taken; false at the end. */
  fill(): boolean {
    if (this.at < this.#end) return true;
    if (this.#file === null) return false;
    const bytes = new Uint8Array(this.rows.buffer);
    const read = this.#file.read(bytes, 0, bytes.length, this.#position);
    this.#position += read;
    this.at = 0;
    this.#end = read / 8;
    return read > 0;
  }

  close(): void {
    this.#file?.close();
  }
}

function compare(a: Run, at: number, b: Run, bt: number): number {
  return (
    a.halves[2 * at + 1]! - b.halves[2 * bt + 1]! ||
    a.halves[2 * at]! - b.halves[2 * bt]! ||
    a.rows[at + START]! - b.rows[bt + START]! ||
    a.rows[at + END]! - b.rows[bt + END]!
  );
}

export class RequestRuns {
  readonly #disk: Disk;
  readonly #directory: string;
  readonly #mostRows: number;
  #rows = new Float64Array(ROW * FIRST_ROWS);
  #halves = new Uint32Array(this.#rows.buffer);
  #used = 0;
  readonly #files: string[] = [];

  /** `directory` is for temporary files; `mostRows` are kept in memory. */
  constructor(disk: Disk, directory: string, mostRows = DEFAULT_ROWS) {
    this.#disk = disk;
    this.#directory = directory;
    this.#mostRows = mostRows;
  }

  add(keyLow: number, keyHigh: number, start: number, end: number, delay: number, place: number): void {
    if (this.#used === ROW * this.#mostRows) this.#spill();
    if (this.#used === this.#rows.length) {
      const larger = new Float64Array(Math.min(2 * this.#rows.length, ROW * this.#mostRows));
      larger.set(this.#rows);
      this.#rows = larger;
      this.#halves = new Uint32Array(larger.buffer);
    }
    const at = this.#used;
    this.#used += ROW;
    this.#halves[2 * at] = keyLow;
    this.#halves[2 * at + 1] = keyHigh;
    this.#rows.set([start, end, delay, place], at + START);
  }

  /** Hands over all rows in order; nothing can be added afterwards. */
  forEach(take: (row: Row) => void): void {
    const runs = this.#files.map((path) => Run.fromFile(this.#disk.open(path, 'read')));
    runs.push(new Run(this.#sorted(), this.#used, null));
    let left = runs.filter((run) => run.fill());
    while (left.length > 0) {
      let first = left[0]!;
      for (const run of left) if (compare(run, run.at, first, first.at) < 0) first = run;
      const { rows, halves, at } = first;
      take({
        keyLow: halves[2 * at]!,
        keyHigh: halves[2 * at + 1]!,
        start: rows[at + 1]!,
        end: rows[at + 2]!,
        delay: rows[at + 3]!,
        place: rows[at + 4]!,
      });
      first.at += ROW;
      if (!first.fill()) left = left.filter((run) => run !== first);
    }
    for (const run of runs) run.close();
    for (const path of this.#files) this.#disk.remove(path);
  }

  #sorted(): Float64Array {
    const run = new Run(this.#rows, this.#used, null);
    const order = Uint32Array.from({ length: this.#used / ROW }, (_, i) => i * ROW);
    order.sort((a, b) => compare(run, a, run, b));
    const sorted = new Float64Array(this.#used);
    // Copied as integers: a key may look like a number that is none.
    const from = new BigUint64Array(this.#rows.buffer);
    const to = new BigUint64Array(sorted.buffer);
    for (let i = 0; i < order.length; i++) to.set(from.subarray(order[i]!, order[i]! + ROW), i * ROW);
    return sorted;
  }

  #spill(): void {
    const path = join(this.#directory, `run-${this.#files.length}`);
    const file = this.#disk.open(path, 'create');
    file.write(new Uint8Array(this.#sorted().buffer), 0, (this.#used / ROW) * ROW_BYTES, 0);
    file.close();
    this.#files.push(path);
    this.#used = 0;
  }
}
