/** Goes through the lines of a file, or of a piece of one, without an object for each. */
import type { DiskFile } from '../model/disk.js';

const LINE_FEED = 0x0a;

/** The line at the cursor is `bytes[start, end)` with its line feed, until the next one is asked for. */
export class LineCursor {
  readonly #file: DiskFile;
  readonly #fileEnd: number;
  #position: number;
  #filled = 0;
  bytes: Buffer;
  start = 0;
  end = 0;
  /** There is no line here. What a crash left of a last line is none. */
  isAtEnd = false;

  /** Before the first line of `file[start, end)`. */
  constructor(file: DiskFile, start: number, end: number, bufferBytes: number) {
    this.#file = file;
    this.#position = start;
    this.#fileEnd = end;
    this.bytes = Buffer.allocUnsafeSlow(bufferBytes);
  }

  next(): void {
    this.start = this.end;
    for (let from = this.start; ; ) {
      const feed = this.bytes.indexOf(LINE_FEED, from);
      if (feed >= 0 && feed < this.#filled) {
        this.end = feed + 1;
        return;
      }
      from = this.#filled - this.start;
      if (!this.#fill()) {
        this.isAtEnd = true;
        return;
      }
    }
  }

  /** Reads more behind what is left, in larger memory if a line needs it; false if there is no more. */
  #fill(): boolean {
    const left = this.#filled - this.start;
    const old = this.bytes;
    if (2 * left > old.length) this.bytes = Buffer.allocUnsafeSlow(2 * old.length);
    old.copy(this.bytes, 0, this.start, this.#filled);
    this.start = 0;
    this.#filled = left;
    const room = Math.min(this.bytes.length - left, this.#fileEnd - this.#position);
    const read = room <= 0 ? 0 : this.#file.read(this.bytes, left, left + room, this.#position);
    this.#position += read;
    this.#filled += read;
    return read > 0;
  }

  close(): void {
    this.#file.close();
  }
}
