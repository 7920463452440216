/** Appends to a file through a buffer. What a write that fails had stays in the buffer. */
import type { Disk, DiskFile } from './disk.js';
import { DamagedFileError } from './errors.js';

const BUFFER_BYTES = 1 << 16;

export interface AppendBuffer {
  /** It is written when more than this would wait; without a bound, when that is asked for. */
  readonly mostBytes?: number;
  /** It begins with this, and grows. */
  readonly firstBytes?: number;
}

export class FileAppender {
  readonly #file: DiskFile;
  readonly #mostBytes: number;
  #written: number;
  #waiting = 0;
  /** What waits is `bytes[0, waiting)`. */
  bytes: Buffer;

  /** REQUIRES: the file ends at `position`. */
  constructor(file: DiskFile, position = 0, buffer: AppendBuffer = {}) {
    const { mostBytes = BUFFER_BYTES, firstBytes = Math.min(mostBytes, BUFFER_BYTES) } = buffer;
    this.#file = file;
    this.#written = position;
    this.#mostBytes = mostBytes;
    this.bytes = Buffer.allocUnsafeSlow(firstBytes);
  }

  /** Goes on behind the first `position` bytes of a file, which is made if it is not there; what comes after them is cut off. */
  static goOn(disk: Disk, path: string, position: number, buffer?: AppendBuffer): FileAppender {
    const file = disk.open(path, 'update');
    const size = file.size();
    if (size < position) {
      file.close();
      throw new DamagedFileError(path, size, `it had ${position} bytes`);
    }
    file.truncate(position);
    return new FileAppender(file, position, buffer);
  }

  /** Bytes that are not written yet. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Bytes of the file and what waits. */
  get size(): number {
    return this.#written + this.#waiting;
  }

  /** Appends so many bytes, which the caller fills in: `bytes` from the returned place on. */
  take(size: number): number {
    if (this.#waiting + size > this.#mostBytes) this.flush();
    const at = this.#waiting;
    if (at + size > this.bytes.length) this.#grow(at + size);
    this.#waiting = at + size;
    return at;
  }

  add(bytes: Uint8Array, start: number, end: number): void {
    const at = this.take(end - start);
    this.bytes.set(bytes.subarray(start, end), at);
  }

  /** Hands what waits to the file. */
  flush(): void {
    if (this.#waiting === 0) return;
    this.#file.write(this.bytes, 0, this.#waiting, this.#written);
    this.#written += this.#waiting;
    this.#waiting = 0;
  }

  /** Makes all of it durable; returns the bytes of the file. */
  save(): number {
    this.flush();
    this.#file.sync();
    return this.#written;
  }

  /** What waits is lost. */
  close(): void {
    this.#file.close();
  }

  #grow(needed: number): void {
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, Math.min(this.#mostBytes, 2 * this.bytes.length)));
    larger.set(this.bytes.subarray(0, this.#waiting));
    this.bytes = larger;
  }
}
