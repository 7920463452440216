/** How far a reader of a log could see: up to which time, and past how many damaged lines. */
import type { LogLines } from './log-lines.js';

/** A line begins `{"time":"2030-01-31T00:00:00.000Z"`; times of this form stand in the order of their bytes. */
const HEAD = Buffer.from('{"time":"');
const TIME_BYTES = '2030-01-31T00:00:00.000Z'.length;
const BRACE = 0x7d;

export interface Reach {
  /** The time of the last line; '' if there is none. */
  readonly seenUntil: string;
  readonly damagedLines: number;
}

export class LogReach implements Reach {
  #latest = Buffer.alloc(TIME_BYTES);
  damagedLines = 0;

  get seenUntil(): string {
    return this.#latest[0] === 0 ? '' : this.#latest.toString('latin1');
  }

  /** Looks at the line without reading it; false if it is no line that was written. */
  note({ bytes, start, end }: LogLines): boolean {
    const time = start + HEAD.length;
    const isLine =
      end >= time + TIME_BYTES &&
      bytes[end - 1] === BRACE &&
      bytes.compare(HEAD, 0, HEAD.length, start, time) === 0;
    if (!isLine) this.damagedLines++;
    else if (bytes.compare(this.#latest, 0, TIME_BYTES, time, time + TIME_BYTES) > 0)
      bytes.copy(this.#latest, 0, time, time + TIME_BYTES);
    return isLine;
  }

  /** All lines of a file were looked at. */
  finish(lines: LogLines): void {
    this.damagedLines += lines.damaged;
  }
}
