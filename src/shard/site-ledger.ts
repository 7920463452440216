/**
 * The states of the sites that a frontier does not hold in memory: rows in pages of a file, found by the hash of the
 * site's key (extendible hashing). A directory in memory says for each value of the hash's first bits in which slot
 * the page is that holds such rows. A full page becomes two, by one more bit, and a directory that has too few bits for
 * that is doubled: so the table grows a page at a time. A look-up reads one page, mostly from the system's page cache.
 *
 * Memory: four bytes an entry of the directory, which makes half a byte to one a site.
 *
 * Invariants
 * 1. A page of depth d stands in all entries whose index has its first d bits, and in no others.
 * 2. The seed of the hash goes with the pages: after a resume it is that of the crawl's first run.
 */

import type { Disk } from '../model/disk.js';
import { KeyHash, type TableSeed } from '../model/key-hash.js';
import { count, fields, list, type Shape } from '../model/shape.js';
import { NO_SLOT, ROWS, SitePage, SitePages } from './site-pages.js';
import { ROW_BYTES, readRow, rowHigh, rowLow, writeRow } from './site-row.js';
import type { SiteStates } from './site-states.js';

/** Keys differ in their hashes before that, unless somebody knows the seed. */
const MOST_DEPTH = 28;
/** Of the directory, in one record. */
const CHUNK_BYTES = 1 << 16;

export interface LedgerState {
  readonly seed: TableSeed;
  readonly taken: number;
  /** The directory has 2 to this entries. */
  readonly depth: number;
  /** Slots of the file of pages. */
  readonly slots: number;
}

export const LEDGER_STATE: Shape<LedgerState> = fields({
  seed: list(count),
  taken: count,
  depth: count,
  slots: count,
});

type RecordVisitor = (bytes: Uint8Array, start: number, end: number) => void;

export class SiteLedger {
  readonly #began: number;
  #hash: KeyHash;
  readonly #pages: SitePages;
  #directory = new Uint32Array(0);
  #depth = 0;
  #taken = 0;
  /** The page read or written last, and its slot. */
  readonly #page = new SitePage();
  #slot = NO_SLOT;
  readonly #other = new SitePage();
  readonly #row = Buffer.alloc(ROW_BYTES);

  /** `began` is what the clock showed when the crawl began; `isSaved`: checkpoints will be made. */
  constructor(disk: Disk, path: string, began: number, hash: KeyHash, isSaved: boolean) {
    this.#began = began;
    this.#hash = hash;
    this.#pages = new SitePages(disk, path, isSaved);
  }

  /** Sites in it. */
  get taken(): number {
    return this.#taken;
  }

  /** Fills the columns of `site` from the row of a key; false if there is none. */
  load(states: SiteStates, site: number, low: number, high: number): boolean {
    if (this.#taken === 0) return false;
    this.#read(this.#entryOf(low, high));
    const at = this.#page.find(low, high);
    if (at < 0) return false;
    this.#page.bytes.copy(this.#row, 0, at, at + ROW_BYTES);
    readRow(this.#row, states, site, this.#began);
    return true;
  }

  /** Writes the columns of `site` to the row of its key. */
  save(states: SiteStates, site: number): void {
    const low = states.keyLow[site]!;
    const high = states.keyHigh[site]!;
    writeRow(this.#row, states, site, this.#began);
    if (this.#taken === 0) this.#begin();
    for (;;) {
      const entry = this.#entryOf(low, high);
      this.#read(entry);
      const page = this.#page;
      let at = page.find(low, high);
      if (at < 0) {
        if (page.count === ROWS) {
          this.#split(entry);
          continue;
        }
        at = page.add();
        this.#taken++;
      }
      this.#row.copy(page.bytes, at);
      this.#write(entry);
      return;
    }
  }

  /** Makes the pages durable, and gives the directory away; null if it is empty. */
  saveTo(add: RecordVisitor): LedgerState | null {
    this.#pages.save();
    if (this.#taken === 0) return null;
    const bytes = new Uint8Array(this.#directory.buffer);
    for (let at = 0; at < bytes.length; at += CHUNK_BYTES)
      add(bytes, at, Math.min(bytes.length, at + CHUNK_BYTES));
    return { seed: this.#hash.seed, taken: this.#taken, depth: this.#depth, slots: this.#pages.slots };
  }

  /** Nobody will go back to what was saved before the last time. */
  confirm(): void {
    this.#pages.confirm();
  }

  /** Goes on from what `saveTo` gave away. REQUIRES: nothing was saved yet. */
  restore({ seed, taken, depth, slots }: LedgerState, read: (visit: RecordVisitor) => void): void {
    this.#hash = new KeyHash(seed);
    this.#taken = taken;
    this.#depth = depth;
    this.#directory = new Uint32Array(2 ** depth);
    const bytes = new Uint8Array(this.#directory.buffer);
    let at = 0;
    read((chunk, start, end) => {
      bytes.set(chunk.subarray(start, end), at);
      at += end - start;
    });
    const used = new Uint8Array(slots);
    for (const slot of this.#directory) used[slot] = 1;
    this.#pages.restore(slots, (slot) => used[slot] === 1);
  }

  close(): void {
    this.#pages.close();
  }

  #entryOf(low: number, high: number): number {
    return this.#hash.of(low, high) >>> (32 - this.#depth);
  }

  /** Two pages without rows. */
  #begin(): void {
    this.#depth = 1;
    this.#directory = new Uint32Array(2);
    this.#page.clear(1);
    for (let entry = 0; entry < 2; entry++) this.#directory[entry] = this.#pages.write(this.#page, NO_SLOT);
    this.#slot = NO_SLOT;
  }

  #read(entry: number): void {
    const slot = this.#directory[entry]!;
    if (slot === this.#slot) return;
    this.#slot = NO_SLOT;
    this.#pages.read(slot, this.#page);
    this.#slot = slot;
  }

  /** Writes the page that was read for an entry. */
  #write(entry: number): void {
    const before = this.#slot;
    this.#slot = NO_SLOT;
    const slot = this.#pages.write(this.#page, before);
    if (slot !== before) this.#place(entry, this.#page.depth, slot);
    this.#slot = slot;
  }

  /** The page of `depth` that this entry belongs to is in a slot from now on. */
  #place(entry: number, depth: number, slot: number): void {
    const width = 2 ** (this.#depth - depth);
    const first = entry - (entry % width);
    this.#directory.fill(slot, first, first + width);
  }

  /** Makes two pages of the one that was read for an entry. */
  #split(entry: number): void {
    const page = this.#page;
    const other = this.#other;
    const from = page.depth;
    if (from === this.#depth) {
      this.#double();
      entry *= 2;
    }
    const rows = Buffer.from(page.bytes);
    page.clear(from + 1);
    other.clear(from + 1);
    for (let i = 0; i < ROWS; i++) {
      const at = page.at(i);
      const row = rows.subarray(at, at + ROW_BYTES);
      const isOther = ((this.#hash.of(rowLow(row), rowHigh(row)) >>> (31 - from)) & 1) === 1;
      const into = isOther ? other : page;
      row.copy(into.bytes, into.add());
    }
    const width = 2 ** (this.#depth - from - 1);
    const first = entry - (entry % (2 * width));
    this.#write(first);
    this.#place(first + width, from + 1, this.#pages.write(other, NO_SLOT));
  }

  #double(): void {
    if (this.#depth === MOST_DEPTH) throw new RangeError('sites whose keys have one hash');
    const larger = new Uint32Array(2 * this.#directory.length);
    for (let entry = 0; entry < this.#directory.length; entry++) {
      larger[2 * entry] = this.#directory[entry]!;
      larger[2 * entry + 1] = this.#directory[entry]!;
    }
    this.#directory = larger;
    this.#depth++;
  }
}
