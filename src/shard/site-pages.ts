/**
 * The pages that rows of sites (`site-row.ts`) stand in, in one file.
 *
 * | offset | size    | name                                                                      |
 * |--------|---------|---------------------------------------------------------------------------|
 * | 0      | 4       | CRC-32 of bytes 4 to 4095, begun with the page's slot in the place of 0   |
 * | 4      | 1       | depth: the rows' hashes have their first so many bits in common           |
 * | 5      | 1       | number of rows                                                            |
 * | 6      | 2       | zero                                                                      |
 * | 8      | 94 each | rows, in no order                                                         |
 *
 * A page that a checkpoint may need is never overwritten: when it changes it goes to another slot. So a checkpoint costs
 * the pages that changed, and the file of a killed crawl has what its last checkpoint needs.
 */

import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import { assert } from '../model/assert.js';
import type { Disk, DiskFile } from '../model/disk.js';
import { DamagedFileError } from '../model/errors.js';
import { readWord, writeWord } from '../model/words.js';
import { ROW_BYTES } from './site-row.js';
import { SlotPool } from './slot-pool.js';

export const PAGE_BYTES = 4096;
const DEPTH = 4;
const COUNT = 5;
const HEADER_BYTES = 8;
export const ROWS = Math.floor((PAGE_BYTES - HEADER_BYTES) / ROW_BYTES);
export const NO_SLOT = -1;

/** One page in memory. */
export class SitePage {
  readonly bytes = Buffer.alloc(PAGE_BYTES);

  get depth(): number {
    return this.bytes[DEPTH]!;
  }

  set depth(depth: number) {
    this.bytes[DEPTH] = depth;
  }

  get count(): number {
    return this.bytes[COUNT]!;
  }

  /** Row `i`, as it stands in the page. */
  at(i: number): number {
    return HEADER_BYTES + i * ROW_BYTES;
  }

  /** The place of a row with this key, or -1. */
  find(low: number, high: number): number {
    const { bytes, count } = this;
    for (let i = 0, at = HEADER_BYTES; i < count; i++, at += ROW_BYTES)
      if (readWord(bytes, at) === low && readWord(bytes, at + 4) === high) return at;
    return -1;
  }

  /** Room for one more row: its place. REQUIRES: fewer than ROWS. */
  add(): number {
    assert(this.count < ROWS, 'a page of sites has room for one more');
    return this.at(this.bytes[COUNT]!++);
  }

  clear(depth: number): void {
    this.bytes.fill(0);
    this.depth = depth;
  }
}

export class SitePages {
  readonly #disk: Disk;
  readonly #path: string;
  readonly #isSaved: boolean;
  readonly #pool: SlotPool;
  #file: DiskFile | null = null;
  #isNameDurable = false;
  /** A bit for each slot that was taken since the last `save`: no checkpoint needs what is there. */
  #fresh = new Uint8Array(64);

  constructor(disk: Disk, path: string, isSaved: boolean) {
    this.#disk = disk;
    this.#path = path;
    this.#isSaved = isSaved;
    this.#pool = new SlotPool(isSaved);
  }

  /** Slots of the file. */
  get slots(): number {
    return this.#pool.count;
  }

  /** As it was saved, with so many slots. */
  restore(slots: number, isUsed: (slot: number) => boolean): void {
    if (!this.#disk.exists(this.#path)) throw new DamagedFileError(this.#path, 0, 'missing');
    this.#pool.restore(slots, isUsed);
    this.#file = this.#disk.open(this.#path, 'update');
  }

  read(slot: number, page: SitePage): void {
    const { bytes } = page;
    const position = slot * PAGE_BYTES;
    if (this.#file!.read(bytes, 0, PAGE_BYTES, position) < PAGE_BYTES)
      throw new DamagedFileError(this.#path, position, 'cut off');
    if (readWord(bytes, 0) !== crc32(bytes.subarray(4), slot) || page.count > ROWS)
      throw new DamagedFileError(this.#path, position, 'checksum');
  }

  /** Writes a page that came from `slot`, or is new; returns the slot where it is now. */
  write(page: SitePage, slot: number): number {
    const mayStay = slot !== NO_SLOT && (!this.#isSaved || this.#isFresh(slot));
    const into = mayStay ? slot : this.#take();
    writeWord(page.bytes, 0, crc32(page.bytes.subarray(4), into));
    this.#open().write(page.bytes, 0, PAGE_BYTES, into * PAGE_BYTES);
    if (!mayStay && slot !== NO_SLOT) this.#pool.giveBack(slot);
    return into;
  }

  /** Makes all pages durable. */
  save(): void {
    if (this.#file !== null) {
      this.#file.sync();
      if (!this.#isNameDurable) this.#disk.syncDirectory(dirname(this.#path));
      this.#isNameDurable = true;
    }
    this.#pool.save();
    this.#fresh.fill(0);
  }

  /** Nobody will go back to what was saved before the last time. */
  confirm(): void {
    this.#pool.confirm();
  }

  close(): void {
    this.#file?.close();
    this.#file = null;
  }

  #take(): number {
    const fresh = this.#pool.take();
    if (!this.#isSaved) return fresh;
    if (fresh >>> 3 >= this.#fresh.length) {
      const larger = new Uint8Array(2 * Math.max(this.#fresh.length, fresh >>> 3));
      larger.set(this.#fresh);
      this.#fresh = larger;
    }
    this.#fresh[fresh >>> 3]! |= 1 << (fresh & 7);
    return fresh;
  }

  #isFresh(slot: number): boolean {
    return ((this.#fresh[slot >>> 3] ?? 0) & (1 << (slot & 7))) !== 0;
  }

  #open(): DiskFile {
    if (this.#file === null) {
      this.#disk.makeDirectory(dirname(this.#path));
      this.#file = this.#disk.open(this.#path, 'create');
    }
    return this.#file;
  }
}
