/**
 * The bodies that revisits look for, by the names of their records, and where they are once they are found: 56 bytes a
 * name. A body that no packed page has is kept in a file while a web is packed.
 */
import type { Disk, DiskFile } from '../model/disk.js';
import { writeKey } from '../model/key.js';
import { encodeRecord, type PageRecord, recordLength } from './disk-format.js';
import { doubled, KeyTable } from './key-table.js';

/** Where a record of the layout in disk-format.ts is. */
export interface RecordPlace {
  /** The number of a dump, or OTHER_BODIES. */
  readonly dump: number;
  readonly offset: number;
  readonly length: number;
}

/** The file of bodies that no packed page has. */
export const OTHER_BODIES = 0xffff;
const MISSING = 0xfffe;

export class WantedBodies {
  readonly #disk: Disk;
  readonly #path: string;
  #file: DiskFile | null = null;
  #end = 0;
  readonly #names = new KeyTable();
  /** By the number of the name. */
  #dumps = new Uint16Array(1024);
  #offsets = new Float64Array(1024);
  #lengths = new Uint32Array(1024);
  readonly #key = new Uint32Array(2);

  constructor(disk: Disk, path: string) {
    this.#disk = disk;
    this.#path = path;
  }

  want(name: string): void {
    const before = this.#names.count;
    writeKey(Buffer.from(name), this.#key, 0);
    const number = this.#names.number(this.#key[0]!, this.#key[1]!);
    if (number < before) return;
    if (number === this.#dumps.length) {
      this.#dumps = doubled(this.#dumps);
      this.#offsets = doubled(this.#offsets);
      this.#lengths = doubled(this.#lengths);
    }
    this.#dumps[number] = MISSING;
  }

  /** Is the body looked for, and not found so far? */
  isMissing(name: string): boolean {
    const number = this.#find(name);
    return number >= 0 && this.#dumps[number] === MISSING;
  }

  /** REQUIRES: `name` was wanted. */
  found(name: string, { dump, offset, length }: RecordPlace): void {
    const number = this.#find(name);
    this.#dumps[number] = dump;
    this.#offsets[number] = offset;
    this.#lengths[number] = length;
  }

  /** Null if the body is not found so far. */
  placeOf(name: string): RecordPlace | null {
    const number = this.#find(name);
    const dump = number < 0 ? MISSING : this.#dumps[number]!;
    return dump === MISSING ? null : { dump, offset: this.#offsets[number]!, length: this.#lengths[number]! };
  }

  /** Keeps a body that no packed page has. */
  keep(page: PageRecord): RecordPlace {
    this.#file ??= this.#disk.open(this.#path, 'create');
    const record = new Uint8Array(recordLength(page));
    encodeRecord(page, record);
    const place = { dump: OTHER_BODIES, offset: this.#end, length: record.length };
    this.#file.write(record, 0, record.length, this.#end);
    this.#end += record.length;
    return place;
  }

  /** REQUIRES: a body was kept. */
  get file(): DiskFile {
    return this.#file!;
  }

  /** Drops what was kept. */
  close(): void {
    if (this.#file === null) return;
    this.#file.close();
    this.#disk.remove(this.#path);
  }

  #find(name: string): number {
    writeKey(Buffer.from(name), this.#key, 0);
    return this.#names.find(this.#key[0]!, this.#key[1]!);
  }
}
