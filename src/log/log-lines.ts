/**
 * Reads the lines of a log, forwards, in bounded memory. A last line without its end is still being written, or was torn,
 * and is left out; what is damaged elsewhere is read past, and counted.
 */
import type { Disk, DiskFile } from '../model/disk.js';
import { type LogLine, readLogLine } from './log-line.js';

const BUFFER_BYTES = 1 << 16;
const LINE_FEED = 0x0a;

export class LogLines {
  readonly #file: DiskFile;
  readonly #buffer = Buffer.allocUnsafeSlow(BUFFER_BYTES);
  #length = 0;
  /** Where the buffer lies in the file. */
  #position = 0;
  /** The line is `bytes[start, end)`, without its end. */
  start = 0;
  end = 0;
  #next = 0;
  /** Lines that are none, of those that were looked at. */
  damaged = 0;

  constructor(disk: Disk, path: string) {
    this.#file = disk.open(path, 'read');
  }

  get bytes(): Buffer {
    return this.#buffer;
  }

  /** Where the line stands in the file. */
  get offset(): number {
    return this.#position + this.start;
  }

  /** Of the file, from its beginning. */
  get bytesRead(): number {
    return this.#position + this.#length;
  }

  /** Goes to the next line; false at the end. Its bytes are valid until the next call. */
  next(): boolean {
    let isCut = false;
    for (;;) {
      const at = this.#buffer.subarray(0, this.#length).indexOf(LINE_FEED, this.#next);
      if (at >= 0) {
        this.start = this.#next;
        this.end = at;
        this.#next = at + 1;
        if (!isCut) return true;
        // No line that was written is longer than the buffer.
        this.damaged++;
        isCut = false;
        continue;
      }
      if (this.#next === 0 && this.#length === BUFFER_BYTES) {
        isCut = true;
        this.#next = this.#length;
      }
      if (!this.#refill()) return false;
    }
  }

  /** The line's fields; null, and counted, if it has none. */
  parse(): LogLine | null {
    const line = readLogLine(this.#buffer.toString('utf8', this.start, this.end));
    if (line === null) this.damaged++;
    return line;
  }

  /** Goes to the line that stands at an offset; false if there is none. */
  seek(offset: number): boolean {
    this.#position = offset;
    this.#length = 0;
    this.#next = 0;
    return this.next();
  }

  close(): void {
    this.#file.close();
  }

  #refill(): boolean {
    this.#buffer.copyWithin(0, this.#next, this.#length);
    this.#position += this.#next;
    this.#length -= this.#next;
    this.#next = 0;
    const read = this.#file.read(this.#buffer, this.#length, BUFFER_BYTES, this.#position + this.#length);
    this.#length += read;
    return read > 0;
  }
}
