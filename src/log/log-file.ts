/**
 * A thread's part of the log, appended to through a buffer that reaches the file within a second. What the disk has no
 * room for is kept, up to a bound, until there is some; whoever writes the log is to pause the crawl meanwhile.
 */
import { type Disk, type DiskFile, isDiskFull } from '../model/disk.js';
import { DrumlineError } from '../model/errors.js';

/** REQUIRES: longer than any line. */
export const LOG_BUFFER_BYTES = 1 << 16;
/** Full buffers that wait for room: 2 MB, some thousands of lines. A pause brings the lines of requests under way only. */
const MOST_WAITING = 32;
/** Milliseconds that a line stays in the buffer, so that with what a turn takes it is in the file within a second. */
const LONGEST_WAIT = 500;
const LINE_FEED = 0x0a;

export class LogFile {
  readonly #path: string;
  readonly #file: DiskFile;
  /** The next line begins at `buffer[used]`. */
  buffer = Buffer.allocUnsafeSlow(LOG_BUFFER_BYTES);
  used = 0;
  /** Full, and older than the buffer. */
  #waiting: Buffer[] = [];
  /** When the first line came that is not in the file, by the clock of whoever writes. */
  #waitingSince = Number.POSITIVE_INFINITY;
  #written: number;
  #isBlocked = false;

  /** Goes on where the file ends; a torn last line is cut. */
  constructor(disk: Disk, path: string) {
    this.#path = path;
    this.#file = disk.open(path, 'update');
    this.#written = this.#wholeLines();
    this.#file.truncate(this.#written);
  }

  /** The disk was full: lines wait here until `flush` finds room. */
  get isBlocked(): boolean {
    return this.#isBlocked;
  }

  /** Makes room in the buffer for a line of at most so many bytes. */
  reserve(bytes: number, now: number): void {
    if (this.used + bytes > LOG_BUFFER_BYTES && (this.#isBlocked || !this.flush())) this.#setAside();
    if (this.#waitingSince === Number.POSITIVE_INFINITY) this.#waitingSince = now;
  }

  /** Milliseconds until lines are old enough for the file; Infinity if none wait, or for room. */
  delay(now: number): number {
    if (this.#isBlocked) return Number.POSITIVE_INFINITY;
    return Math.max(0, this.#waitingSince + LONGEST_WAIT - now);
  }

  /** Hands all lines to the file; false if the disk has no room for them. */
  flush(): boolean {
    try {
      for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
        this.#write(next, next.length);
        this.#waiting.shift();
      }
      this.#write(this.buffer, this.used);
      this.used = 0;
      this.#waitingSince = Number.POSITIVE_INFINITY;
      this.#isBlocked = false;
    } catch (error) {
      if (!isDiskFull(error)) throw error;
      this.#isBlocked = true;
    }
    return !this.#isBlocked;
  }

  /** Makes all lines durable, or throws; returns the bytes they take. */
  save(): number {
    if (!this.flush()) throw this.#full('lines could not be written');
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

  #write(bytes: Buffer, length: number): void {
    if (length === 0) return;
    this.#file.write(bytes, 0, length, this.#written);
    this.#written += length;
  }

  #setAside(): void {
    if (this.#waiting.length === MOST_WAITING) throw this.#full('too many lines wait');
    this.#waiting.push(this.buffer.subarray(0, this.used));
    this.buffer = Buffer.allocUnsafeSlow(LOG_BUFFER_BYTES);
    this.used = 0;
  }

  #full(what: string): DrumlineError {
    return new DrumlineError('LOG_FULL', `${this.#path}: ${what}: no space left`);
  }

  /** Where the last whole line of the file ends. */
  #wholeLines(): number {
    let end = this.#file.size();
    while (end > 0) {
      const start = Math.max(0, end - LOG_BUFFER_BYTES);
      this.#file.read(this.buffer, 0, end - start, start);
      const at = this.buffer.subarray(0, end - start).lastIndexOf(LINE_FEED);
      if (at >= 0) return start + at + 1;
      end = start;
    }
    return 0;
  }
}
