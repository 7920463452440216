/**
 * A file of the frontier's URLs: slots of equal size, each holds a segment of `UrlLog`, in memory or in the file. Slots
 * have numbers that no other file's slots have, so that a place says which file it is in.
 */

import { dirname } from 'node:path';
import type { Disk, DiskFile } from '../model/disk.js';
import { DamagedFileError } from '../model/errors.js';
import { count, fields, list, type Shape } from '../model/shape.js';
import { SlotPool } from './slot-pool.js';
import { HEADER, isWhole, lengthOf } from './url-record.js';

/** Read at once: most records are shorter. */
export const READ_BYTES = 1024;

export interface UrlSpaceState {
  /** Of the file, in its name. */
  readonly number: number;
  /** Of the first slot. */
  readonly first: number;
  /** Records that were not freed, by slot. */
  readonly live: readonly number[];
}

export const URL_SPACE_STATE: Shape<UrlSpaceState> = fields({
  number: count,
  first: count,
  live: list(count),
});

export class UrlSpace {
  readonly number: number;
  readonly first: number;
  /** By slot, from the first: the segment, or null if it is in the file; records that were not freed. */
  readonly segments: (Uint8Array | null)[] = [];
  readonly live: number[] = [];
  /** Records that were not freed. */
  liveRecords = 0;
  readonly #disk: Disk;
  readonly #path: string;
  readonly #segmentBytes: number;
  readonly #pool: SlotPool;
  #file: DiskFile | null = null;
  #isNameDurable = false;

  constructor(
    disk: Disk,
    path: string,
    segmentBytes: number,
    isSaved: boolean,
    { number, first, live }: UrlSpaceState,
  ) {
    this.#disk = disk;
    this.#path = path;
    this.#segmentBytes = segmentBytes;
    this.number = number;
    this.first = first;
    this.#pool = new SlotPool(isSaved);
    for (const [i, records] of live.entries()) {
      this.segments[i] = null;
      this.live[i] = records;
      this.liveRecords += records;
    }
    this.#pool.restore(live.length, (slot) => live[slot]! > 0);
    if (this.liveRecords === 0) return;
    if (!disk.exists(path)) throw new DamagedFileError(path, 0, 'missing');
    this.#file = disk.open(path, 'update');
  }

  get state(): UrlSpaceState {
    return { number: this.number, first: this.first, live: [...this.live] };
  }

  get bytes(): number {
    return this.live.length * this.#segmentBytes;
  }

  /** A slot for another segment, by its number. */
  take(segment: Uint8Array): number {
    const i = this.#pool.take();
    this.segments[i] = segment;
    this.live[i] = 0;
    return this.first + i;
  }

  /** All records of a slot were freed. */
  giveBack(slot: number): void {
    this.#pool.giveBack(slot - this.first);
  }

  /** Fills `into[start, end)` from a place on, or as much of it as there is. */
  read(into: Uint8Array, start: number, end: number, place: number): number {
    return this.#file!.read(into, start, end, this.#position(place));
  }

  /**
   * Reads the record at a place, of `most` bytes with its header, to the beginning of `scratch`, or of larger memory if it
   * needs that; returns where it is. REQUIRES: `scratch` has READ_BYTES.
   */
  readRecord(scratch: Uint8Array, place: number, most: number): Uint8Array {
    const wanted = Math.min(READ_BYTES, most);
    if (this.read(scratch, 0, wanted, place) < HEADER) throw this.damaged(place);
    const size = HEADER + lengthOf(scratch, 0);
    if (size > most) throw this.damaged(place);
    const bytes = size > scratch.length ? new Uint8Array(size) : scratch;
    if (size > wanted && this.read(bytes, 0, size, place) < size) throw this.damaged(place);
    if (!isWhole(bytes, size)) throw this.damaged(place);
    return bytes;
  }

  write(from: Uint8Array, start: number, end: number, place: number): void {
    if (this.#file === null) {
      this.#disk.makeDirectory(dirname(this.#path));
      this.#file = this.#disk.open(this.#path, 'create');
    }
    this.#file.write(from, start, end, this.#position(place));
  }

  damaged(place: number): DamagedFileError {
    return new DamagedFileError(this.#path, this.#position(place), 'no record, or not as it was');
  }

  /** Makes what was written durable. */
  save(): void {
    this.#pool.save();
    if (this.#file === null) return;
    this.#file.sync();
    if (!this.#isNameDurable) this.#disk.syncDirectory(dirname(this.#path));
    this.#isNameDurable = true;
  }

  confirm(): void {
    this.#pool.confirm();
  }

  close(): void {
    this.#file?.close();
    this.#file = null;
  }

  /** Nobody needs what is in it. */
  remove(): void {
    this.close();
    this.#disk.remove(this.#path);
  }

  #position(place: number): number {
    return place - this.first * this.#segmentBytes;
  }
}
