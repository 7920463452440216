/**
 * Where the URLs of a frontier wait: records in segments of equal size, as many segments in memory as fit and the
 * others in slots of one file. Each record knows the place of the next one of its site, so that every site has a queue
 * of its own without a file or a buffer of its own.
 *
 * | record offset | size   | name                                                                           |
 * |---------------|--------|--------------------------------------------------------------------------------|
 * | 0             | 8      | next: 1 + the place of the site's next record, low half first; 0 if there is none |
 * | 8             | 4      | length                                                                         |
 * | 12            | length | the record                                                                     |
 *
 * A place is slot * segment size + offset. Records do not cross segments. A slot is used again when all its records
 * were freed, so the file is as large as the longest backlog was; but not before a checkpoint that does without them
 * was confirmed. `next` of a record that was the last of its site may change after a checkpoint: whoever goes back to
 * it knows how many records a site had, and does not look at it.
 */

import { dirname } from 'node:path';
import type { Disk, DiskFile } from '../model/disk.js';
import { DamagedFileError } from '../model/errors.js';
import { readWord, writeWord } from '../model/words.js';

const HEADER = 12;
const SMALLEST_SEGMENT = 16 << 10;
const LARGEST_SEGMENT = 1 << 20;
/** Segments in memory at least: one is written, and one may be on its way to the file. */
const LEAST_RESIDENT = 2;
/** Read at once: most records are shorter. */
const READ_BYTES = 1024;

/** What is in the file, as of `save`. */
export interface UrlLogState {
  readonly segmentBytes: number;
  /** Records that were not freed, by slot. */
  readonly live: readonly number[];
}

export class UrlLog {
  readonly #disk: Disk;
  readonly #path: string;
  readonly #segmentBytes: number;
  readonly #mostResident: number;
  #file: DiskFile | null = null;
  /** By slot: the segment, or null if it is in the file; records that were not freed. */
  readonly #segments: (Uint8Array | null)[] = [];
  readonly #live: number[] = [];
  readonly #freeSlots: number[] = [];
  /** Slots given back since the last `save`, and before it, until it is confirmed. */
  #givenBack: number[] = [];
  #unconfirmed: number[] = [];
  #isNameDurable = false;
  /** Slots whose segment in memory is not what the file has. */
  readonly #dirty = new Set<number>();
  readonly #isSaved: boolean;
  /** Slots whose full segment is in memory, oldest first. */
  readonly #resident = new Set<number>();
  readonly #spare: Uint8Array[] = [];
  /** The slot being written, and how far. */
  #slot = -1;
  #end = 0;
  #scratch = new Uint8Array(READ_BYTES);
  readonly #word = new Uint8Array(8);

  /** The record read last is `bytes[start, end)`, valid until the next call of anything here. */
  bytes: Uint8Array = this.#scratch;
  start = 0;
  end = 0;
  /** The place of the site's next record, or -1. */
  next = -1;

  /** `isSaved`: checkpoints will be made of it. `state`: what an earlier `save` returned, to go on from. */
  constructor(disk: Disk, path: string, memoryBytes: number, isSaved: boolean, state?: UrlLogState) {
    this.#disk = disk;
    this.#path = path;
    this.#isSaved = isSaved;
    this.#segmentBytes =
      state?.segmentBytes ??
      Math.min(LARGEST_SEGMENT, Math.max(SMALLEST_SEGMENT, Math.floor(memoryBytes / 8)));
    this.#mostResident = Math.max(LEAST_RESIDENT, Math.floor(memoryBytes / this.#segmentBytes)) - 1;
    if (state === undefined || state.live.length === 0) return;
    this.#file = disk.open(path, 'update');
    for (const [slot, live] of state.live.entries()) {
      this.#segments[slot] = null;
      this.#live[slot] = live;
      if (live === 0) this.#freeSlots.push(slot);
    }
  }

  /** Makes all records durable, and returns what it takes to find them again. */
  save(): UrlLogState {
    for (const slot of this.#dirty) this.#write(slot);
    this.#dirty.clear();
    if (this.#file !== null) {
      this.#file.sync();
      if (!this.#isNameDurable) this.#disk.syncDirectory(dirname(this.#path));
      this.#isNameDurable = true;
    }
    this.#unconfirmed.push(...this.#givenBack);
    this.#givenBack = [];
    return { segmentBytes: this.#segmentBytes, live: [...this.#live] };
  }

  /** Nobody will go back to what was saved before the last time. */
  confirm(): void {
    this.#freeSlots.push(...this.#unconfirmed);
    this.#unconfirmed = [];
  }

  /** Takes a copy of a record; returns its place. */
  append(bytes: Uint8Array, start: number, end: number): number {
    const size = HEADER + end - start;
    if (size > this.#segmentBytes)
      throw new RangeError(`record of ${end - start} bytes does not fit a segment`);
    if (this.#slot < 0 || this.#end + size > this.#segmentBytes) this.#newSegment();
    const segment = this.#segments[this.#slot]!;
    const at = this.#end;
    writeWord(segment, at, 0);
    writeWord(segment, at + 4, 0);
    writeWord(segment, at + 8, end - start);
    segment.set(bytes.subarray(start, end), at + HEADER);
    this.#end = at + size;
    this.#dirty.add(this.#slot);
    this.#live[this.#slot]!++;
    return this.#slot * this.#segmentBytes + at;
  }

  /** Makes the record at `next` the one that follows the record at `place`. */
  link(place: number, next: number): void {
    const slot = Math.floor(place / this.#segmentBytes);
    const segment = this.#segments[slot]!;
    const [into, at] = segment === null ? [this.#word, 0] : [segment, place - slot * this.#segmentBytes];
    writeWord(into, at, (next + 1) % 2 ** 32);
    writeWord(into, at + 4, Math.floor((next + 1) / 2 ** 32));
    if (segment === null) this.#file!.write(this.#word, 0, 8, place);
    else this.#dirty.add(slot);
  }

  /** Reads the record at a place into `bytes[start, end)` and `next`. */
  read(place: number): void {
    const slot = Math.floor(place / this.#segmentBytes);
    const segment = this.#segments[slot]!;
    let at = place - slot * this.#segmentBytes;
    let bytes = segment;
    if (bytes === null) {
      bytes = this.#readFromFile(place, this.#segmentBytes - at);
      at = 0;
    }
    this.bytes = bytes;
    this.start = at + HEADER;
    this.end = this.start + readWord(bytes, at + 8);
    this.next = readWord(bytes, at) + readWord(bytes, at + 4) * 2 ** 32 - 1;
  }

  /** The record at a place will not be read again. */
  free(place: number): void {
    const slot = Math.floor(place / this.#segmentBytes);
    if (--this.#live[slot]! > 0 || slot === this.#slot) return;
    this.#giveBack(slot);
  }

  close(): void {
    this.#file?.close();
    this.#file = null;
  }

  #readFromFile(place: number, most: number): Uint8Array {
    const wanted = Math.min(READ_BYTES, most);
    if (this.#file!.read(this.#scratch, 0, wanted, place) < HEADER)
      throw new DamagedFileError(this.#path, place, 'cut off');
    const size = HEADER + readWord(this.#scratch, 8);
    if (size > wanted) {
      if (size > this.#scratch.length) this.#scratch = new Uint8Array(size);
      if (this.#file!.read(this.#scratch, 0, size, place) < size)
        throw new DamagedFileError(this.#path, place, 'cut off');
    }
    return this.#scratch;
  }

  #newSegment(): void {
    const full = this.#slot;
    if (full >= 0) {
      if (this.#live[full] === 0) this.#giveBack(full);
      else this.#resident.add(full);
    }
    if (this.#resident.size > this.#mostResident) this.#spillOldest();
    this.#slot = this.#freeSlots.pop() ?? this.#segments.length;
    this.#segments[this.#slot] = this.#spare.pop() ?? new Uint8Array(this.#segmentBytes);
    this.#live[this.#slot] = 0;
    this.#end = 0;
  }

  #spillOldest(): void {
    const [slot] = this.#resident;
    const segment = this.#segments[slot!]!;
    if (this.#dirty.delete(slot!)) this.#write(slot!);
    this.#resident.delete(slot!);
    this.#segments[slot!] = null;
    this.#spare.push(segment);
  }

  #write(slot: number): void {
    const segment = this.#segments[slot]!;
    if (this.#file === null) {
      this.#disk.makeDirectory(dirname(this.#path));
      this.#file = this.#disk.open(this.#path, 'create');
    }
    // Only what is used of the segment being written: the rest will come.
    const end = slot === this.#slot ? this.#end : segment.length;
    this.#file.write(segment, 0, end, slot * this.#segmentBytes);
  }

  #giveBack(slot: number): void {
    const segment = this.#segments[slot]!;
    if (segment !== null && this.#spare.length === 0) this.#spare.push(segment);
    this.#segments[slot] = null;
    this.#resident.delete(slot);
    this.#dirty.delete(slot);
    (this.#isSaved ? this.#givenBack : this.#freeSlots).push(slot);
  }
}
