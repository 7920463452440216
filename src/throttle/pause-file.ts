/**
 * Long pauses of hosts on disk, one file for each agent: what was granted holds after the process was killed. Entries
 * are written as pauses are granted, before anybody relies on them, and left to the system to make durable: they
 * survive the process, not the machine.
 *
 * | offset | size | name                                                  |
 * |--------|------|-------------------------------------------------------|
 * | 0      | 8    | magic `drumpau1`                                      |
 * | 8      |      | entries                                               |
 *
 * | offset in entry | size | name                                          |
 * |-----------------|------|-----------------------------------------------|
 * | 0               | 8    | key of the host, low half first               |
 * | 8               | 8    | until: ms since 1970, a double                |
 * | 16              | 4    | pause in ms                                   |
 * | 20              | 4    | kind                                          |
 * | 24              | 4    | CRC-32 of the bytes before                    |
 *
 * Numbers are little-endian. Kinds: GRANTED, the host rests until then, and that is not longer than the pause. TAKEN, a
 * request to it may be under way until then, and it rests for the pause after that. LONGEST, without host: no pause that
 * was granted and is not in the file was longer than this.
 *
 * Entries whose time is over are left out when the file has doubled. Those that a full disk has no room for wait in memory,
 * to a bound, and are written with the next: the crawl pauses meanwhile, so few are granted.
 */
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import { type Disk, type DiskFile, isDiskFull } from '../model/disk.js';

export const GRANTED = 1;
export const TAKEN = 2;
export const LONGEST = 3;

export interface Pause {
  low: number;
  high: number;
  until: number;
  pause: number;
  kind: number;
}

const MAGIC = Buffer.from('drumpau1', 'latin1');
const ENTRY_BYTES = 28;
const CRC = 24;
/** Of a pause: longer ones count as this long (24 days). */
const LONGEST_MS = 2 ** 31 - 1;
const ENTRIES_AT_A_TIME = 2048;
const LEAST_BYTES = 64 << 10;
/** Of entries that wait for room on the disk: two for each of more requests than an agent has under way. */
const MOST_WAITING = 1024 * ENTRY_BYTES;

export class PauseFile {
  readonly #disk: Disk;
  readonly #path: string;
  /** Entries to be written, mostly the one that is added. */
  readonly #unwritten = Buffer.alloc(MOST_WAITING);
  #waiting = 0;
  #file: DiskFile;
  #size: number;
  #compactAt: number;
  #longest = 0;

  /** Goes on with the file if it is there. */
  constructor(disk: Disk, path: string) {
    this.#disk = disk;
    this.#path = path;
    disk.makeDirectory(dirname(path));
    const whole = disk.exists(path)
      ? readPauses(disk, path, ({ kind, pause }) => {
          if (kind === LONGEST) this.#longest = Math.max(this.#longest, pause);
        })
      : 0;
    this.#file = disk.open(path, 'update');
    // An entry that was cut off is as good as none: nobody relied on it.
    this.#file.truncate(whole);
    this.#size = whole;
    if (whole === 0) this.#write(MAGIC, MAGIC.length);
    this.#compactAt = Math.max(LEAST_BYTES, 2 * this.#size);
  }

  /** False if there is no room for it now. `wallNow` is the time since 1970. */
  add(pause: Pause, wallNow: number): boolean {
    if (this.#size + ENTRY_BYTES > this.#compactAt) this.#compact(wallNow);
    return this.#append(pause);
  }

  /** A pause of `ms` that does not get an entry of its own is granted. Known in powers of two, up to `most`. */
  addShort(ms: number, most: number): void {
    if (ms <= this.#longest) return;
    this.#longest = Math.min(most, 2 ** Math.ceil(Math.log2(ms)));
    this.#append({ low: 0, high: 0, until: 0, pause: this.#longest, kind: LONGEST });
  }

  close(): void {
    this.#file.close();
  }

  #append(pause: Pause): boolean {
    encode(this.#unwritten, this.#waiting, pause);
    this.#waiting += ENTRY_BYTES;
    try {
      this.#write(this.#unwritten, this.#waiting);
      this.#waiting = 0;
      return true;
    } catch (error) {
      if (!isDiskFull(error) || this.#waiting === MOST_WAITING) throw error;
      return false;
    }
  }

  #write(bytes: Uint8Array, end: number): void {
    this.#file.write(bytes, 0, end, this.#size);
    this.#size += end;
  }

  #compact(wallNow: number): void {
    const path = `${this.#path}.new`;
    const fresh = this.#copyTo(path, wallNow);
    if (fresh !== null) {
      this.#file.close();
      this.#disk.rename(path, this.#path);
      this.#file = fresh.#file;
      this.#size = fresh.#size;
    }
    this.#compactAt = Math.max(LEAST_BYTES, 2 * this.#size);
  }

  /** What still holds, as a file of its own; null if there is no room for it. */
  #copyTo(path: string, wallNow: number): PauseFile | null {
    this.#disk.remove(path);
    let copy: PauseFile | null = null;
    try {
      copy = new PauseFile(this.#disk, path);
      copy.addShort(this.#longest, this.#longest);
      let isWhole = copy.#waiting === 0;
      readPauses(this.#disk, this.#path, (pause) => {
        if (isWhole && pause.kind !== LONGEST && pause.until > wallNow) isWhole = copy!.#append(pause);
      });
      if (isWhole) return copy;
    } catch (error) {
      if (!isDiskFull(error)) throw error;
    }
    copy?.close();
    this.#disk.remove(path);
    return null;
  }
}

/**
 * Visits the entries of a file in the order they were written, up to the first that is not whole; returns the bytes up
 * to there. What is visited is valid until the visitor returns.
 */
export function readPauses(disk: Disk, path: string, visit: (pause: Pause) => void): number {
  const file = disk.open(path, 'read');
  try {
    const bytes = Buffer.alloc(ENTRY_BYTES * ENTRIES_AT_A_TIME);
    if (file.read(bytes, 0, MAGIC.length, 0) < MAGIC.length || bytes.compare(MAGIC, 0, 8, 0, 8) !== 0)
      return 0;
    const pause: Pause = { low: 0, high: 0, until: 0, pause: 0, kind: 0 };
    let position = MAGIC.length;
    for (;;) {
      const end = file.read(bytes, 0, bytes.length, position);
      for (let at = 0; at + ENTRY_BYTES <= end; at += ENTRY_BYTES, position += ENTRY_BYTES) {
        if (!decode(bytes, at, pause)) return position;
        visit(pause);
      }
      if (end < bytes.length) return position;
    }
  } finally {
    file.close();
  }
}

function encode(bytes: Buffer, at: number, { low, high, until, pause, kind }: Pause): void {
  bytes.writeUInt32LE(low >>> 0, at);
  bytes.writeUInt32LE(high >>> 0, at + 4);
  bytes.writeDoubleLE(until, at + 8);
  bytes.writeUInt32LE(Math.min(LONGEST_MS, Math.ceil(pause)), at + 16);
  bytes.writeUInt32LE(kind, at + 20);
  bytes.writeUInt32LE(crc32(bytes.subarray(at, at + CRC)), at + CRC);
}

/** False if it is not whole. */
function decode(bytes: Buffer, at: number, pause: Pause): boolean {
  if (bytes.readUInt32LE(at + CRC) !== crc32(bytes.subarray(at, at + CRC))) return false;
  pause.low = bytes.readUInt32LE(at);
  pause.high = bytes.readUInt32LE(at + 4);
  pause.until = bytes.readDoubleLE(at + 8);
  pause.pause = bytes.readUInt32LE(at + 16);
  pause.kind = bytes.readUInt32LE(at + 20);
  return pause.kind === GRANTED || pause.kind === TAKEN || pause.kind === LONGEST;
}
