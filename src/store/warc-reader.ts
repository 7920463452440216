/**
 * A streaming reader of WARC 1.0 and 1.1 files, plain or with gzip members (any number of whole records a
 * member). Damage is reported with its place and skipped: reading goes on at the next record that is whole. A file is
 * plain or gzip throughout, as a page may be an archive itself; its first record says which.
 *
 *   WARC/1.0 CRLF, header lines, CRLF, Content-Length bytes, CRLF CRLF
 */
import { crc32, inflateRawSync } from 'node:zlib';
import type { DiskFile } from '../model/disk.js';
import { readHeaders } from './header-lines.js';

export interface WarcRecord {
  /** Where it begins in the file; for gzip where its member begins. */
  readonly offset: number;
  /** Bytes in the file; for gzip those of its member. */
  readonly length: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly block: Uint8Array;
}

export type DamageCallback = (offset: number, what: string) => void;

/** No record or member may be larger, so that one broken length can't take all memory. */
const LARGEST = 256 * 1024 * 1024;
const TOO_LARGE = 'is larger than 256 MB, which is the limit';
/** Enough for most members and all headers; much less than a window, so that a window serves many records. */
const FIRST_LOOK = 64 * 1024;
const WINDOW = 4 * 1024 * 1024;
const VERSION_LINE = /^WARC\/1\.[01]\r?\n/;
const RECORD_START = Buffer.from('WARC/1.');
const GZIP = Buffer.from([0x1f, 0x8b, 8]);

/** A part of a file in memory, moved along with what is asked for. */
class FileWindow {
  readonly #file: DiskFile;
  readonly size: number;
  #bytes = Buffer.alloc(0);
  #start = 0;

  constructor(file: DiskFile) {
    this.#file = file;
    this.size = file.size();
  }

  /** At least `length` bytes from `position`, fewer only at the end of the file. */
  view(position: number, length: number): Buffer {
    const end = Math.min(this.size, position + length);
    if (position < this.#start || end > this.#start + this.#bytes.length) {
      const bytes = Buffer.allocUnsafe(Math.min(this.size - position, Math.max(length, WINDOW)));
      this.#bytes = bytes.subarray(0, this.#file.read(bytes, 0, bytes.length, position));
      this.#start = position;
    }
    return this.#bytes.subarray(position - this.#start);
  }

  /** Where `wanted` next begins at or after `position` and before `end`; `end` if it does not. */
  find(wanted: Buffer, position: number, end = this.size): number {
    const last = Math.min(this.size, end + wanted.length - 1);
    for (let at = position; at + wanted.length <= last; ) {
      const view = this.view(at, FIRST_LOOK).subarray(0, last - at);
      const found = view.indexOf(wanted);
      if (found >= 0) return at + found;
      at += view.length - wanted.length + 1;
    }
    return end;
  }
}

/** A record at the start of `bytes`, perhaps in a member of so many bytes: itself and its length, how many bytes it needs, or what is wrong. */
function readRecord(
  bytes: Buffer,
  offset: number,
  member = 0,
): { record: WarcRecord; length: number } | number | string {
  if (!VERSION_LINE.test(bytes.toString('latin1', 0, 10))) return 'no WARC version line';
  const head = readHeaders(bytes, bytes.indexOf(10) + 1);
  if (head === null) return 'the WARC headers do not end';
  const length = Number(head.headers.get('content-length') ?? Number.NaN);
  if (!Number.isSafeInteger(length) || length < 0) return 'no Content-Length';
  const end = head.end + length;
  if (end + 4 > bytes.length) return end + 4;
  if (bytes.toString('latin1', end, end + 4) !== '\r\n\r\n') return 'the record does not end where it should';
  const { headers } = head;
  const block = bytes.subarray(head.end, end);
  return { record: { offset, length: member || end + 4, headers, block }, length: end + 4 };
}

/** The records from `start` on, where one begins. */
export function* warcRecords(file: DiskFile, onDamage: DamageCallback, start = 0): Generator<WarcRecord> {
  const window = new FileWindow(file);
  if (start >= window.size) return;
  let first: FirstRecord | null = { at: start, isGzip: beginsWith(window, start, GZIP.subarray(0, 2)) };
  if (!first.isGzip && !beginsWith(window, start, RECORD_START)) {
    first = findFirst(window, start + 1);
    onDamage(start, first === null ? 'it holds no WARC 1.0 or 1.1 record' : 'no WARC record begins here');
  }
  if (first === null) return;
  yield* first.isGzip ? gzipRecords(window, onDamage, first.at) : plainRecords(window, onDamage, first.at);
}

interface FirstRecord {
  readonly at: number;
  readonly isGzip: boolean;
}

function beginsWith(window: FileWindow, position: number, wanted: Buffer): boolean {
  return window.view(position, wanted.length).subarray(0, wanted.length).equals(wanted);
}

/** What comes first: a whole member that holds a record, or a plain record. Null if there is neither. */
function findFirst(window: FileWindow, from: number): FirstRecord | null {
  let member = window.find(GZIP, from);
  for (let at = from; at < window.size; at++) {
    if (member < at) member = window.find(GZIP, at);
    at = window.find(RECORD_START, at, member);
    if (at < member) {
      if (isPlain(window, at)) return { at, isGzip: false };
    } else if (at < window.size && holdsRecord(readMember(window, at))) return { at, isGzip: true };
  }
  return null;
}

/** In a member that is not compressed a record stands as it is, but behind the length of its block and the complement of that. */
function isPlain(window: FileWindow, position: number): boolean {
  if (typeof readPlain(window, position) === 'string') return false;
  if (position < 4) return true;
  const before = window.view(position - 4, 4);
  return before.readUInt16LE(0) + before.readUInt16LE(2) !== 0xffff;
}

/** The whole record at `position`, or what is wrong with it. */
function readPlain(window: FileWindow, position: number): { record: WarcRecord; length: number } | string {
  let read = readRecord(window.view(position, FIRST_LOOK), position);
  while (typeof read === 'number') {
    const needed = read;
    if (needed > LARGEST) return `the record ${TOO_LARGE}`;
    if (position + needed > window.size) return 'the record is cut off';
    read = readRecord(window.view(position, needed), position);
  }
  return read;
}

function* plainRecords(window: FileWindow, onDamage: DamageCallback, start: number): Generator<WarcRecord> {
  for (let position = start; position < window.size; ) {
    const read = readPlain(window, position);
    if (typeof read === 'string') {
      onDamage(position, read);
      position = window.find(RECORD_START, position + 1);
    } else {
      yield read.record;
      position += read.length;
    }
  }
}

function* gzipRecords(window: FileWindow, onDamage: DamageCallback, start: number): Generator<WarcRecord> {
  for (let position = start; position < window.size; ) {
    const member = readMember(window, position);
    if (typeof member === 'string') {
      onDamage(position, member);
      position = nextMember(window, position + 1);
      continue;
    }
    for (let at = 0; at < member.bytes.length; ) {
      const read = readRecord(member.bytes.subarray(at), position, member.length);
      if (typeof read === 'string' || typeof read === 'number') {
        onDamage(position, typeof read === 'string' ? read : 'the record is cut off');
        break;
      }
      yield read.record;
      at += read.length;
    }
    position += member.length;
  }
}

/** The next place where a whole gzip member begins that holds a WARC record. */
function nextMember(window: FileWindow, from: number): number {
  for (let at = window.find(GZIP, from); at < window.size; at = window.find(GZIP, at + 1)) {
    if (holdsRecord(readMember(window, at))) return at;
  }
  return window.size;
}

function holdsRecord(member: Member | string): boolean {
  return typeof member !== 'string' && VERSION_LINE.test(member.bytes.toString('latin1', 0, 10));
}

/** Inflated; `length` is that in the file. */
interface Member {
  readonly bytes: Buffer;
  readonly length: number;
}

/** The member at `position`, or what is wrong with it. */
function readMember(window: FileWindow, position: number): Member | string {
  for (let wanted = FIRST_LOOK; ; wanted *= 2) {
    const bytes = window.view(position, wanted);
    const isWhole = position + bytes.length >= window.size;
    const start = gzipHeaderLength(bytes);
    if (start < 0) return 'no gzip header';
    try {
      const options = { info: true, maxOutputLength: LARGEST };
      const { buffer, engine } = inflateRawSync(bytes.subarray(start), options) as unknown as {
        buffer: Buffer;
        engine: { bytesWritten: number };
      };
      const end = start + engine.bytesWritten;
      if (end + 8 <= bytes.length) {
        const isRight =
          bytes.readUInt32LE(end) === crc32(buffer) && bytes.readUInt32LE(end + 4) === buffer.length;
        return isRight
          ? { bytes: buffer, length: end + 8 }
          : 'the checksum of the gzip member does not match';
      }
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      if (code === 'ERR_BUFFER_TOO_LARGE') return `the gzip member ${TOO_LARGE}`;
      if (code !== 'Z_BUF_ERROR') return 'the gzip member is damaged';
    }
    if (isWhole) return 'the gzip member is cut off';
    if (wanted >= LARGEST) return `the gzip member ${TOO_LARGE}`;
  }
}

/** Length of the header of a gzip member with its optional fields, or -1 if there is none. */
function gzipHeaderLength(bytes: Buffer): number {
  if (bytes.length < 10 || !bytes.subarray(0, 3).equals(GZIP)) return -1;
  const flags = bytes[3]!;
  let at = 10;
  if (flags & 4) at += 2 + (bytes.length < 12 ? 0 : bytes.readUInt16LE(10));
  for (const flag of [8, 16]) if (flags & flag) at = bytes.indexOf(0, at) + 1 || bytes.length;
  if (flags & 2) at += 2;
  return (flags & 0xe0) === 0 && at < bytes.length ? at : -1;
}
