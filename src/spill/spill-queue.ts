/**
 * A first-in first-out queue of byte records, bounded in memory and then on disk: what a full ring, the unassigned
 * list and the frontier wait in.
 *
 * In memory there are two segments: one is read, one is written. A full written segment goes to the file unless the
 * read one is empty; segments come back in order. The file is a set of equal slots, and a slot is used again once its
 * segment was read, so the file is as large as the longest backlog was.
 *
 * | segment offset | size | name                                     |
 * |----------------|------|------------------------------------------|
 * | 0              | 4    | length of the record                     |
 * | 4              |      | its bytes; the next record follows       |
 *
 * Invariants
 * 1. Order: records of the read segment, then of the file's segments, then of the written segment.
 * 2. A segment in the file is `#slotBytes` or fewer bytes, in one slot; `#filled` lists slot and length in order.
 */
import { dirname } from 'node:path';
import type { Disk, DiskFile } from '../model/disk.js';
import { readWord, writeWord } from '../model/words.js';

const LENGTH_BYTES = 4;
const SMALLEST_SEGMENT = 4096;
/** Larger segments would only make the pause for writing one longer. */
const LARGEST_SEGMENT = 4 << 20;

class Segment {
  bytes = new Uint8Array(0);
  start = 0;
  end = 0;

  get isEmpty(): boolean {
    return this.start === this.end;
  }

  clear(): void {
    this.start = 0;
    this.end = 0;
  }

  /** Makes room for `size` more bytes by doubling, up to `most` in all. REQUIRES: they fit. */
  reserve(size: number, most: number): void {
    if (this.end + size <= this.bytes.length) return;
    const larger = new Uint8Array(Math.min(most, Math.max(1024, 2 * this.bytes.length, this.end + size)));
    larger.set(this.bytes.subarray(0, this.end));
    this.bytes = larger;
  }
}

function visitSegment(
  { bytes, start, end }: Segment,
  visit: (bytes: Uint8Array, start: number, end: number) => void,
): void {
  for (let at = start; at < end; ) {
    const from = at + LENGTH_BYTES;
    at = from + readWord(bytes, at);
    visit(bytes, from, at);
  }
}

export class SpillQueue {
  readonly #disk: Disk;
  readonly #path: string;
  readonly #slotBytes: number;
  #file: DiskFile | null = null;
  #slots = 0;
  readonly #free: number[] = [];
  /** Slot and length of each segment in the file, oldest at `#oldest`. */
  #filled: { slot: number; length: number }[] = [];
  #oldest = 0;
  #reading = new Segment();
  #writing = new Segment();
  #count = 0;

  /** The record taken last is `bytes[start, end)`, valid until the next `take`. */
  bytes: Uint8Array = new Uint8Array(0);
  start = 0;
  end = 0;

  /**
   * About `memoryBytes` in memory, and half as much again while a record taken before is still held; the file at `path`
   * is made when needed.
   */
  constructor(disk: Disk, path: string, memoryBytes: number) {
    this.#disk = disk;
    this.#path = path;
    this.#slotBytes = Math.min(LARGEST_SEGMENT, Math.max(SMALLEST_SEGMENT, Math.floor(memoryBytes / 2)));
  }

  get count(): number {
    return this.#count;
  }

  push(bytes: Uint8Array, start: number, end: number): void {
    const length = end - start;
    const size = LENGTH_BYTES + length;
    if (size > this.#slotBytes)
      throw new RangeError(`record of ${length} bytes does not fit a segment of ${this.#slotBytes}`);
    if (this.#writing.end + size > this.#slotBytes) this.#turnOver();
    const segment = this.#writing;
    segment.reserve(size, this.#slotBytes);
    const at = segment.end;
    writeWord(segment.bytes, at, length);
    segment.bytes.set(bytes.subarray(start, end), at + LENGTH_BYTES);
    segment.end = at + size;
    this.#count++;
  }

  /** Takes the oldest record into `bytes[start, end)`; false if there is none. */
  take(): boolean {
    if (this.#reading.isEmpty && !this.#nextSegment()) return false;
    const { bytes, start } = this.#reading;
    this.bytes = bytes;
    this.start = start + LENGTH_BYTES;
    this.end = this.start + readWord(bytes, start);
    this.#reading.start = this.end;
    this.#count--;
    return true;
  }

  /** Visits every record in order, and leaves it there. */
  forEach(visit: (bytes: Uint8Array, start: number, end: number) => void): void {
    visitSegment(this.#reading, visit);
    for (let i = this.#oldest; i < this.#filled.length; i++)
      visitSegment(this.#load(this.#filled[i]!), visit);
    visitSegment(this.#writing, visit);
  }

  close(): void {
    this.#file?.close();
    this.#file = null;
    this.#disk.remove(this.#path);
  }

  /** The written segment is full: it becomes the read one if that is empty and nothing is between, else it is spilled. */
  #turnOver(): void {
    if (this.#reading.isEmpty && this.#oldest === this.#filled.length) this.#swap();
    else this.#spill();
  }

  #swap(): void {
    const written = this.#writing;
    // A new object: the record taken last stays valid in the old one.
    this.#writing = this.bytes === this.#reading.bytes ? new Segment() : this.#reading;
    this.#writing.clear();
    this.#reading = written;
  }

  #spill(): void {
    if (this.#file === null) {
      this.#disk.makeDirectory(dirname(this.#path));
      this.#file = this.#disk.open(this.#path, 'create');
    }
    const slot = this.#free.pop() ?? this.#slots++;
    this.#file.write(this.#writing.bytes, 0, this.#writing.end, slot * this.#slotBytes);
    this.#filled.push({ slot, length: this.#writing.end });
    this.#writing.clear();
  }

  #nextSegment(): boolean {
    if (this.#oldest === this.#filled.length) {
      if (this.#writing.isEmpty) return false;
      this.#swap();
      return true;
    }
    const filled = this.#filled[this.#oldest++]!;
    this.#reading = this.#load(filled);
    this.#free.push(filled.slot);
    if (this.#oldest === this.#filled.length) this.#forgetFile();
    else if (this.#oldest > 1024) {
      this.#filled = this.#filled.slice(this.#oldest);
      this.#oldest = 0;
    }
    return true;
  }

  #load({ slot, length }: { slot: number; length: number }): Segment {
    const segment = new Segment();
    segment.reserve(length, length);
    segment.end = this.#file!.read(segment.bytes, 0, length, slot * this.#slotBytes);
    if (segment.end !== length)
      throw new Error(`${this.#path}: ${length} bytes written, ${segment.end} read back`);
    return segment;
  }

  /** Nothing waits in the file: give its room back. */
  #forgetFile(): void {
    this.#filled = [];
    this.#oldest = 0;
    this.#free.length = 0;
    this.#slots = 0;
    this.#file!.truncate(0);
  }
}
