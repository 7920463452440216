/** Appends lines to a file through a buffer. */
import type { Disk, DiskFile } from './disk.js';
import { DamagedFileError } from './errors.js';

const LINE_FEED = 0x0a;
const BUFFER_BYTES = 1 << 16;

export class LineFile {
  readonly #file: DiskFile;
  readonly #buffer = new Uint8Array(BUFFER_BYTES);
  #used = 0;
  #written: number;

  /** Goes on behind the first `position` bytes; what comes after them is cut off. */
  constructor(disk: Disk, path: string, position = 0) {
    this.#file = disk.open(path, 'update');
    const size = this.#file.size();
    if (size < position) {
      this.#file.close();
      throw new DamagedFileError(path, size, `it had ${position} bytes`);
    }
    this.#file.truncate(position);
    this.#written = position;
  }

  /** REQUIRES: the line is shorter than the buffer. */
  add(bytes: Uint8Array, start: number, end: number): void {
    if (this.#used + end - start + 1 > BUFFER_BYTES) this.#flush();
    this.#buffer.set(bytes.subarray(start, end), this.#used);
    this.#used += end - start;
    this.#buffer[this.#used++] = LINE_FEED;
  }

  /** Makes all lines durable; returns the bytes they take. */
  save(): number {
    this.#flush();
    this.#file.sync();
    return this.#written;
  }

  /** Makes all lines durable. */
  close(): void {
    try {
      this.save();
    } finally {
      this.#file.close();
    }
  }

  #flush(): void {
    this.#file.write(this.#buffer, 0, this.#used, this.#written);
    this.#written += this.#used;
    this.#used = 0;
  }
}
