/**
 * Rules of origins that memory has no room for, on disk: in a file of fixed size that is written round and round, so that
 * the oldest go first. Records begin at blocks, multiples of 256 bytes:
 *
 * | offset | size   | name                                     |
 * |--------|--------|------------------------------------------|
 * | 0      | 4      | length of the rules                      |
 * | 4      | 8      | key of the origin, low half first        |
 * | 12     | 4      | CRC-32 of what stands before and behind  |
 * | 16     | length | the rules as JSON                        |
 *
 * A cache and no more: it is not synced, and begins empty. Where something else was written meanwhile, or the disk fails,
 * nothing is found.
 */
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import type { Disk, DiskFile } from '../model/disk.js';
import type { RobotsText } from './robots-text.js';

export type FiledRules = Pick<RobotsText, 'rules' | 'crawlDelay'>;

const BLOCK_BYTES = 256;
const HEADER_BYTES = 16;
const SUM_AT = 12;
/** Most records are read whole at once. */
const FIRST_READ = 4096;
/** Of a record, in the file: larger ones would push too many others out. */
const LARGEST_SHARE = 0.25;
/** No block, for rules that are too large. */
export const NOT_FILED = -1;

export class RulesFile {
  readonly #disk: Disk;
  readonly #path: string;
  readonly #bytes: number;
  #file: DiskFile | null = null;
  #end = 0;
  readonly #buffer = Buffer.alloc(FIRST_READ);

  /** `bytes` is the most that it takes. The file is made when something is written. */
  constructor(disk: Disk, path: string, bytes: number) {
    this.#disk = disk;
    this.#path = path;
    this.#bytes = bytes;
  }

  /** Writes the rules of the origin with this key; returns their block, or NOT_FILED. */
  append(key: Uint32Array, rules: FiledRules): number {
    const record = encode(key, rules);
    const size = record.length;
    if (size > LARGEST_SHARE * this.#bytes) return NOT_FILED;
    const at = this.#end + size > this.#bytes ? 0 : this.#end;
    try {
      this.#file ??= this.#create();
      this.#file.write(record, 0, size, at);
    } catch {
      return NOT_FILED;
    }
    this.#end = Math.ceil((at + size) / BLOCK_BYTES) * BLOCK_BYTES;
    return at / BLOCK_BYTES;
  }

  /** The rules of the origin with this key at a block; null if they are not there any more. */
  read(block: number, key: Uint32Array): FiledRules | null {
    try {
      return this.#file && this.#read(this.#file, block * BLOCK_BYTES, key);
    } catch {
      return null;
    }
  }

  #read(file: DiskFile, at: number, key: Uint32Array): FiledRules | null {
    let record = this.#buffer;
    const read = file.read(record, 0, FIRST_READ, at);
    const size = HEADER_BYTES + record.readUInt32LE(0);
    if (read < Math.min(size, FIRST_READ) || size > LARGEST_SHARE * this.#bytes) return null;
    if (record.readUInt32LE(4) !== key[0] || record.readUInt32LE(8) !== key[1]) return null;
    if (size > FIRST_READ) {
      record = Buffer.allocUnsafe(size);
      if (file.read(record, 0, size, at) < size) return null;
    }
    const whole = record.subarray(0, size);
    if (whole.readUInt32LE(SUM_AT) !== checksum(whole)) return null;
    return JSON.parse(whole.toString('utf8', HEADER_BYTES)) as FiledRules;
  }

  close(): void {
    this.#file?.close();
    this.#file = null;
  }

  #create(): DiskFile {
    this.#disk.makeDirectory(dirname(this.#path));
    return this.#disk.open(this.#path, 'create');
  }
}

function encode(key: Uint32Array, rules: FiledRules): Buffer {
  const text = Buffer.from(JSON.stringify(rules));
  const record = Buffer.allocUnsafe(HEADER_BYTES + text.length);
  record.writeUInt32LE(text.length, 0);
  record.writeUInt32LE(key[0]!, 4);
  record.writeUInt32LE(key[1]!, 8);
  text.copy(record, HEADER_BYTES);
  record.writeUInt32LE(checksum(record), SUM_AT);
  return record;
}

const checksum = (record: Buffer): number =>
  crc32(record.subarray(HEADER_BYTES), crc32(record.subarray(0, SUM_AT)));
