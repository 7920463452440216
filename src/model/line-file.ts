/** Appends lines to a file through a buffer. */
import type { Disk } from './disk.js';
import { FileAppender } from './file-appender.js';

const LINE_FEED = 0x0a;

export class LineFile {
  readonly #out: FileAppender;

  /** Goes on behind the first `position` bytes; what comes after them is cut off. */
  constructor(disk: Disk, path: string, position = 0) {
    this.#out = FileAppender.goOn(disk, path, position);
  }

  add(bytes: Uint8Array, start: number, end: number): void {
    const at = this.#out.take(end - start + 1);
    this.#out.bytes.set(bytes.subarray(start, end), at);
    this.#out.bytes[at + end - start] = LINE_FEED;
  }

  /** Makes all lines durable; returns the bytes they take. */
  save(): number {
    return this.#out.save();
  }

  /** Makes all lines durable. */
  close(): void {
    try {
      this.#out.save();
    } finally {
      this.#out.close();
    }
  }
}
