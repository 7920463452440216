/** One agent's part of the index: lines in the order of their records, buffered. */
import type { Disk, DiskFile } from '../model/disk.js';
import { DamagedFileError } from '../model/errors.js';

const BUFFER_BYTES = 1 << 16;

export class IndexPart {
  readonly #file: DiskFile;
  #lines: string[] = [];
  #bytes = 0;
  #written: number;

  /** Goes on at `size`; what is behind it is cut off. */
  constructor(disk: Disk, path: string, size: number) {
    this.#file = disk.open(path, 'update');
    const found = this.#file.size();
    if (found < size) {
      this.#file.close();
      throw new DamagedFileError(path, found, `the checkpoint has ${size} bytes of it`);
    }
    this.#file.truncate(size);
    this.#written = size;
  }

  /** `line` is ASCII, with its line feed. */
  add(line: string): void {
    this.#lines.push(line);
    this.#bytes += line.length;
  }

  /** Bytes of all lines. */
  get size(): number {
    return this.#written + this.#bytes;
  }

  get isFull(): boolean {
    return this.#bytes >= BUFFER_BYTES;
  }

  /** Hands all lines to the file, or throws and keeps them. */
  flush(): void {
    if (this.#bytes === 0) return;
    const bytes = Buffer.from(this.#lines.join(''), 'latin1');
    this.#file.write(bytes, 0, bytes.length, this.#written);
    this.#written += bytes.length;
    this.#lines = [];
    this.#bytes = 0;
  }

  /** Makes all lines durable; returns how many bytes they have. */
  save(): number {
    this.flush();
    this.#file.sync();
    return this.#written;
  }

  close(): void {
    this.#file.close();
  }
}
