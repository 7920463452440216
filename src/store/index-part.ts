/** One agent's part of the index: lines in the order of their records, buffered. */
import type { Disk } from '../model/disk.js';
import { FileAppender } from '../model/file-appender.js';

const BUFFER_BYTES = 1 << 16;

export class IndexPart {
  readonly #out: FileAppender;

  /** Goes on at `size`; what is behind it is cut off. */
  constructor(disk: Disk, path: string, size: number) {
    // Lines of pages that are stored are not asked for room: whoever adds looks whether it is full.
    this.#out = FileAppender.goOn(disk, path, size, { mostBytes: Number.POSITIVE_INFINITY });
  }

  /** `line` is ASCII, with its line feed. */
  add(line: string): void {
    const at = this.#out.take(line.length);
    this.#out.bytes.write(line, at, 'latin1');
  }

  /** Bytes of all lines. */
  get size(): number {
    return this.#out.size;
  }

  get isFull(): boolean {
    return this.#out.waiting >= BUFFER_BYTES;
  }

  /** Hands all lines to the file, or throws and keeps them. */
  flush(): void {
    this.#out.flush();
  }

  /** Makes all lines durable; returns how many bytes they have. */
  save(): number {
    return this.#out.save();
  }

  close(): void {
    this.#out.close();
  }
}
