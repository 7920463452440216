/**
 * Where the URLs of a frontier wait: records in segments of equal size, as many segments in memory as fit and the
 * others in slots of a file (`url-space.ts`). Each record knows the place of the next one of its site, so that every site
 * has a queue of its own without a file or a buffer of its own (`url-record.ts`).
 *
 * A place is slot * segment size + offset. Records do not cross segments. A slot is used again when all its records
 * were freed; but not before a checkpoint that does without them was confirmed. `next` of a record that was the last of
 * its site may change after a checkpoint: whoever goes back to it knows how many records a site had, and does not look
 * at it.
 *
 * One record that waits keeps its whole slot. When the file is much larger than what waits, all records that come are
 * written to another file, the others are moved there (`url-mover.ts`), and the old file is removed: so there are two
 * files at most, and what they take is in proportion to what waits.
 */

import { assert } from '../model/assert.js';
import type { Disk } from '../model/disk.js';
import { count, fields, list, type Shape } from '../model/shape.js';
import { HEADER, lengthOf, NEXT_BYTES, nextOf, putNext, putRecord } from './url-record.js';
import { READ_BYTES, URL_SPACE_STATE, UrlSpace, type UrlSpaceState } from './url-space.js';

const SMALLEST_SEGMENT = 16 << 10;
const LARGEST_SEGMENT = 1 << 20;
/** Segments in memory at least: one is written, and one may be on its way to the file. */
const LEAST_RESIDENT = 2;
/** Records are moved when the file is so many times as large as they are; until they were, they take their room twice. */
const WASTE = 1.75;
/** Segments that are not worth it. */
const SMALL = 4;

/** What is in the files, as of `save`. */
export interface UrlLogState {
  readonly segmentBytes: number;
  /** Bytes of records that were not freed. */
  readonly liveBytes: number;
  /** The file that is written, and before it the one that records are moved out of, if there is one. */
  readonly spaces: readonly UrlSpaceState[];
}

export const URL_LOG_STATE: Shape<UrlLogState> = fields({
  segmentBytes: count,
  liveBytes: count,
  spaces: list(URL_SPACE_STATE),
});

export class UrlLog {
  readonly #disk: Disk;
  readonly #pathOf: (number: number) => string;
  readonly #segmentBytes: number;
  readonly #mostResident: number;
  readonly #isSaved: boolean;
  #space: UrlSpace;
  /** What records are moved out of. */
  #old: UrlSpace | null = null;
  /** Empty since the last `save`, and before it, until it is confirmed. */
  #emptied: UrlSpace | null = null;
  #unconfirmed: UrlSpace | null = null;
  #liveBytes = 0;
  /** Slots whose segment in memory is not what the file has. */
  readonly #dirty = new Set<number>();
  /** Slots whose full segment is in memory, oldest first. */
  readonly #resident = new Set<number>();
  readonly #spare: Uint8Array[] = [];
  /** The slot being written, and how far. */
  #slot = -1;
  #end = 0;
  #scratch: Uint8Array = new Uint8Array(READ_BYTES);
  readonly #next = new Uint8Array(NEXT_BYTES);

  /** The record read last is `bytes[start, end)`, valid until the next call of anything here. */
  bytes: Uint8Array = this.#scratch;
  start = 0;
  end = 0;
  /** The place of the site's next record, or -1. */
  next = -1;

  /**
   * `pathOf` names the files by their numbers. `isSaved`: checkpoints will be made of it. `state`: what an earlier `save`
   * returned, to go on from.
   */
  constructor(
    disk: Disk,
    pathOf: (number: number) => string,
    memoryBytes: number,
    isSaved: boolean,
    state?: UrlLogState,
  ) {
    this.#disk = disk;
    this.#pathOf = pathOf;
    this.#isSaved = isSaved;
    this.#segmentBytes =
      state?.segmentBytes ??
      Math.min(LARGEST_SEGMENT, Math.max(SMALLEST_SEGMENT, Math.floor(memoryBytes / 8)));
    this.#mostResident = Math.max(LEAST_RESIDENT, Math.floor(memoryBytes / this.#segmentBytes)) - 1;
    this.#liveBytes = state?.liveBytes ?? 0;
    const [first, second] = state?.spaces ?? [];
    this.#space = this.#open(second ?? first ?? { number: 0, first: 0, live: [] });
    if (second !== undefined) this.#old = this.#open(first!);
    // What was begun after the checkpoint, or emptied just before it, and not removed any more.
    disk.remove(pathOf(this.#space.number + 1));
    if (first !== undefined && first.number > 0) disk.remove(pathOf(first.number - 1));
  }

  /** Makes all records durable, and returns what it takes to find them again. */
  save(): UrlLogState {
    for (const slot of this.#dirty) this.#write(slot);
    this.#dirty.clear();
    const spaces = this.#old === null ? [this.#space] : [this.#old, this.#space];
    for (const space of spaces) space.save();
    this.#unconfirmed ??= this.#emptied;
    this.#emptied = null;
    return {
      segmentBytes: this.#segmentBytes,
      liveBytes: this.#liveBytes,
      spaces: spaces.map(({ state }) => state),
    };
  }

  /** Nobody will go back to what was saved before the last time. */
  confirm(): void {
    this.#space.confirm();
    this.#unconfirmed?.remove();
    this.#unconfirmed = null;
  }

  /** Takes a copy of a record; returns its place. */
  append(bytes: Uint8Array, start: number, end: number): number {
    const size = HEADER + end - start;
    if (size > this.#segmentBytes)
      throw new RangeError(`record of ${end - start} bytes does not fit a segment`);
    if (this.#slot < 0 || this.#end + size > this.#segmentBytes) this.#newSegment();
    const space = this.#space;
    const segment = space.segments[this.#slot - space.first]!;
    const at = this.#end;
    putRecord(segment, at, bytes, start, end);
    this.#end = at + size;
    this.#dirty.add(this.#slot);
    space.live[this.#slot - space.first]!++;
    space.liveRecords++;
    this.#liveBytes += size;
    return this.#slot * this.#segmentBytes + at;
  }

  /** Makes the record at `next` the one that follows the record at `place`. */
  link(place: number, next: number): void {
    const slot = Math.floor(place / this.#segmentBytes);
    const space = this.#spaceOf(slot);
    const segment = space.segments[slot - space.first]!;
    if (segment === null) {
      putNext(this.#next, 0, next);
      space.write(this.#next, 0, NEXT_BYTES, place);
    } else {
      putNext(segment, place - slot * this.#segmentBytes, next);
      this.#dirty.add(slot);
    }
  }

  /** Reads the record at a place into `bytes[start, end)` and `next`. */
  read(place: number): void {
    const slot = Math.floor(place / this.#segmentBytes);
    const space = this.#spaceOf(slot);
    let at = place - slot * this.#segmentBytes;
    let bytes = space.segments[slot - space.first];
    if (bytes === undefined) throw space.damaged(place);
    if (bytes === null) {
      bytes = space.readRecord(this.#scratch, place, this.#segmentBytes - at);
      this.#scratch = bytes;
      at = 0;
    }
    this.bytes = bytes;
    this.start = at + HEADER;
    this.end = this.start + lengthOf(bytes, at);
    this.next = nextOf(bytes, at);
  }

  /** The record at a place, of so many bytes, will not be read again. */
  free(place: number, length: number): void {
    const slot = Math.floor(place / this.#segmentBytes);
    const space = this.#spaceOf(slot);
    assert(space.live[slot - space.first]! > 0, 'a record that is freed was not before');
    this.#liveBytes -= HEADER + length;
    space.liveRecords--;
    if (--space.live[slot - space.first]! === 0 && slot !== this.#slot) this.#giveBack(space, slot);
  }

  /** Is the file so much larger than what waits that the records should be moved? Then `beginMoving`. */
  get isWasteful(): boolean {
    return (
      this.#space.bytes > WASTE * this.#liveBytes + SMALL * this.#segmentBytes &&
      this.#old === null &&
      this.#emptied === null &&
      this.#unconfirmed === null
    );
  }

  /** Records are being moved out of an older file. */
  get isMoving(): boolean {
    return this.#old !== null;
  }

  /** Records that are still in the older file. */
  get toMove(): number {
    return this.#old?.liveRecords ?? 0;
  }

  /** Is the record at a place to be moved: read, appended again, and freed? */
  isOld(place: number): boolean {
    return this.#old !== null && place < this.#space.first * this.#segmentBytes;
  }

  /** From now on records are written to another file. REQUIRES: `isWasteful`. */
  beginMoving(): void {
    assert(this.isWasteful, 'records are moved out of a file that is much larger than they are');
    const old = this.#space;
    if (this.#slot >= 0) this.#resident.add(this.#slot);
    this.#slot = -1;
    this.#old = old;
    this.#space = this.#open({ number: old.number + 1, first: old.first + old.live.length, live: [] });
    for (const [i, live] of old.live.entries())
      if (live === 0 && old.segments[i] !== null) this.#letGo(old, old.first + i);
  }

  /** REQUIRES: nothing is left `toMove`. */
  endMoving(): void {
    const old = this.#old!;
    assert(this.toMove === 0, 'a file that is given up has no records');
    this.#old = null;
    if (this.#isSaved) {
      old.close();
      this.#emptied = old;
    } else old.remove();
  }

  close(): void {
    this.#space.close();
    this.#old?.close();
    this.#emptied?.close();
  }

  #open(state: UrlSpaceState): UrlSpace {
    return new UrlSpace(this.#disk, this.#pathOf(state.number), this.#segmentBytes, this.#isSaved, state);
  }

  #spaceOf(slot: number): UrlSpace {
    return slot >= this.#space.first ? this.#space : this.#old!;
  }

  #newSegment(): void {
    const full = this.#slot;
    if (full >= 0) {
      if (this.#space.live[full - this.#space.first] === 0) this.#giveBack(this.#space, full);
      else this.#resident.add(full);
    }
    if (this.#resident.size > this.#mostResident) this.#spillOldest();
    this.#slot = this.#space.take(this.#spare.pop() ?? new Uint8Array(this.#segmentBytes));
    this.#end = 0;
  }

  #spillOldest(): void {
    const [slot] = this.#resident;
    if (this.#dirty.delete(slot!)) this.#write(slot!);
    this.#letGo(this.#spaceOf(slot!), slot!);
  }

  #write(slot: number): void {
    const space = this.#spaceOf(slot);
    const segment = space.segments[slot - space.first]!;
    // Only what is used of the segment being written: the rest will come.
    const end = slot === this.#slot ? this.#end : segment.length;
    space.write(segment, 0, end, slot * this.#segmentBytes);
  }

  #giveBack(space: UrlSpace, slot: number): void {
    this.#letGo(space, slot);
    space.giveBack(slot);
  }

  /** Its segment is not needed in memory any more. */
  #letGo(space: UrlSpace, slot: number): void {
    const segment = space.segments[slot - space.first]!;
    if (segment !== null && this.#spare.length === 0) this.#spare.push(segment);
    space.segments[slot - space.first] = null;
    this.#resident.delete(slot);
    this.#dirty.delete(slot);
  }
}
