/**
 * Goes through the lines of a file, or of a piece of one, in bounded memory and without an object for each. A last line
 * without its line feed is still being written, or was torn by a crash: it is left out.
 */
import type { DiskFile } from './disk.js';

const LINE_FEED = 0x0a;

export interface LineReaderOptions {
  /** The piece of the file; all of it if not given. */
  readonly start?: number;
  readonly end?: number;
  readonly bufferBytes?: number;
  /** Longer lines are passed over; without a bound the buffer grows. */
  readonly longestLine?: number;
}

export class LineReader {
  readonly #file: DiskFile;
  readonly #fileEnd: number;
  readonly #mostBytes: number;
  /** Where the buffer lies in the file, and how much of it is filled. */
  #position: number;
  #filled = 0;
  #next = 0;
  /** The line is `bytes[start, end)`, with its line feed behind it, until the next one is asked for. */
  bytes: Buffer;
  start = 0;
  end = 0;
  /** Lines that were passed over. */
  tooLong = 0;

  constructor(file: DiskFile, options: LineReaderOptions = {}) {
    const { bufferBytes = 1 << 16, end, longestLine = bufferBytes - 1, start = 0 } = options;
    this.#file = file;
    this.#position = start;
    this.#fileEnd = end ?? Number.POSITIVE_INFINITY;
    this.#mostBytes = longestLine + 1;
    this.bytes = Buffer.allocUnsafeSlow(bufferBytes);
  }

  /** Where the line stands in the file. */
  get offset(): number {
    return this.#position + this.start;
  }

  /** Where the next one does. */
  get nextOffset(): number {
    return this.#position + this.#next;
  }

  /** How far the file was read. */
  get readOffset(): number {
    return this.#position + this.#filled;
  }

  /** Goes to the next line; false if there is none. */
  next(): boolean {
    let isCut = false;
    for (let from = this.#next; ; ) {
      const feed = this.bytes.indexOf(LINE_FEED, from);
      if (feed >= 0 && feed < this.#filled) {
        this.start = this.#next;
        this.end = feed;
        this.#next = feed + 1;
        if (!isCut) return true;
        this.tooLong++;
        isCut = false;
        from = this.#next;
        continue;
      }
      if (this.#filled - this.#next >= this.#mostBytes) {
        isCut = true;
        this.#next = this.#filled;
      }
      from = this.#filled - this.#next;
      if (!this.#fill()) return false;
    }
  }

  /** The next line is the one that begins at an offset. */
  goTo(offset: number): void {
    this.#position = offset;
    this.#filled = 0;
    this.#next = 0;
  }

  close(): void {
    this.#file.close();
  }

  /** Reads more behind what is left, in larger memory if a line needs it; false if there is no more. */
  #fill(): boolean {
    const left = this.#filled - this.#next;
    const old = this.bytes;
    if (left === old.length) this.bytes = Buffer.allocUnsafeSlow(Math.min(this.#mostBytes, 2 * left));
    old.copy(this.bytes, 0, this.#next, this.#filled);
    this.#position += this.#next;
    this.#next = 0;
    this.#filled = left;
    const room = Math.min(this.bytes.length - left, this.#fileEnd - this.#position - left);
    const read = room <= 0 ? 0 : this.#file.read(this.bytes, left, left + room, this.#position + left);
    this.#filled += read;
    return read > 0;
  }
}
