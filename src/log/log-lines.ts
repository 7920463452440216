/** Reads the lines of a log, forwards, in bounded memory. What is damaged is read past, and counted. */
import type { Disk } from '../model/disk.js';
import { LineReader } from '../model/line-reader.js';
import { type LogLine, readLogLine } from './log-line.js';

export class LogLines extends LineReader {
  #unreadable = 0;

  constructor(disk: Disk, path: string) {
    super(disk.open(path, 'read'));
  }

  /** Lines that are none, of those that were looked at. No line that was written is too long. */
  get damaged(): number {
    return this.tooLong + this.#unreadable;
  }

  /** The line's fields; null, and counted, if it has none. */
  parse(): LogLine | null {
    const line = readLogLine(this.bytes.toString('utf8', this.start, this.end));
    if (line === null) this.#unreadable++;
    return line;
  }

  /** Goes to the line that stands at an offset; false if there is none. */
  seek(offset: number): boolean {
    this.goTo(offset);
    return this.next();
  }
}
