/**
 * The states of the sites that a frontier does not hold in memory: a table of rows (`site-row.ts`) in a file, found by
 * the site's key with linear probing. A read or write of one row is all that a look-up costs, mostly from the system's
 * page cache. At most half of the rows are taken, so probes are short.
 */
import { dirname } from 'node:path';
import type { Disk, DiskFile } from '../model/disk.js';
import { isTaken, ROW_BYTES, readRow, rowHigh, rowLow, writeRow } from './site-row.js';
import type { SiteStates } from './site-states.js';

const FIRST_ROWS = 1024;
const GROWTH = 4;
const COPY_BYTES = 1 << 18;

export interface LedgerState {
  readonly rows: number;
  readonly taken: number;
}

export class SiteLedger {
  readonly #disk: Disk;
  readonly #path: string;
  readonly #began: number;
  #file: DiskFile | null = null;
  #rows = 0;
  #taken = 0;
  readonly #row = Buffer.alloc(ROW_BYTES);

  /** `began` is what the clock showed when the crawl began. */
  constructor(disk: Disk, path: string, began: number) {
    this.#disk = disk;
    this.#path = path;
    this.#began = began;
  }

  /** Fills the columns of `site` from the row of a key; false if there is none. */
  load(states: SiteStates, site: number, low: number, high: number): boolean {
    if (this.#taken === 0) return false;
    this.#probe(low, high);
    if (!isTaken(this.#row)) return false;
    readRow(this.#row, states, site, this.#began);
    return true;
  }

  /** Writes the columns of `site` to the row of its key. */
  save(states: SiteStates, site: number): void {
    if (2 * (this.#taken + 1) > this.#rows) this.#grow();
    const position = this.#probe(states.keyLow[site]!, states.keyHigh[site]!);
    if (!isTaken(this.#row)) this.#taken++;
    writeRow(this.#row, states, site, this.#began);
    this.#file!.write(this.#row, 0, ROW_BYTES, position);
  }

  /** Copies the table to a file of its own, durably; null if it is empty. */
  copyTo(path: string): LedgerState | null {
    if (this.#file === null) return null;
    const copy = this.#disk.open(path, 'create');
    copyFile(this.#file, copy);
    copy.sync();
    copy.close();
    return { rows: this.#rows, taken: this.#taken };
  }

  /** Goes on from a copy. REQUIRES: nothing was saved yet. */
  restore(path: string, { rows, taken }: LedgerState): void {
    this.#create();
    const copy = this.#disk.open(path, 'read');
    copyFile(copy, this.#file!);
    copy.close();
    this.#rows = rows;
    this.#taken = taken;
  }

  close(): void {
    this.#file?.close();
    this.#file = null;
  }

  #create(): void {
    this.#disk.makeDirectory(dirname(this.#path));
    // An old table stays readable through its handle when its name is gone.
    this.#disk.remove(this.#path);
    this.#file = this.#disk.open(this.#path, 'create');
  }

  /** Reads the row of a key, or the free one where it would go; returns its position. */
  #probe(low: number, high: number): number {
    const row = this.#row;
    for (let at = low & (this.#rows - 1); ; at = (at + 1) & (this.#rows - 1)) {
      const position = at * ROW_BYTES;
      // Beyond the end of the file every row is free.
      row.fill(0, this.#file!.read(row, 0, ROW_BYTES, position));
      if (!isTaken(row) || (rowLow(row) === low && rowHigh(row) === high)) return position;
    }
  }

  #grow(): void {
    const old = this.#file;
    const oldRows = this.#rows;
    this.#create();
    this.#rows = old === null ? FIRST_ROWS : GROWTH * oldRows;
    if (old === null) return;
    const row = Buffer.alloc(ROW_BYTES);
    for (let i = 0; i < oldRows; i++) {
      if (old.read(row, 0, ROW_BYTES, i * ROW_BYTES) < ROW_BYTES) break;
      if (isTaken(row)) this.#file!.write(row, 0, ROW_BYTES, this.#probe(rowLow(row), rowHigh(row)));
    }
    old.close();
  }
}

function copyFile(from: DiskFile, to: DiskFile): void {
  const buffer = new Uint8Array(COPY_BYTES);
  for (let position = 0; ; ) {
    const length = from.read(buffer, 0, buffer.length, position);
    if (length === 0) return;
    to.write(buffer, 0, length, position);
    position += length;
  }
}
