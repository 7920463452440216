/** Writes pages to the dumps of a DiskWWW as they come; indexes, seeds and manifest at the end. */
import { type Disk, type DiskFile, replaceFile } from '../model/disk.js';
import { DamagedFileError } from '../model/errors.js';
import { writeKey } from '../model/key.js';
import type { WarcRecord } from '../store/warc-reader.js';
import {
  type DiskWebPaths,
  DUMP_MAGIC,
  decodeRecord,
  dumpOf,
  encodeRecord,
  FILE_HEADER,
  FORMAT,
  fileHeader,
  type Manifest,
  PAGE_VALUE,
  recordLength,
  VERSION,
  writeSiteKey,
} from './disk-format.js';
import { writeKeyIndex } from './disk-index.js';
import { doubled, KeyTable } from './key-table.js';
import { type BodyReference, namesOf, targetUrl, urlName } from './record-names.js';
import { OTHER_BODIES, type RecordPlace, WantedBodies } from './wanted-bodies.js';
import { readPage, type StoredPage } from './warc-page.js';

export class Packer {
  readonly #disk: Disk;
  readonly #paths: DiskWebPaths;
  readonly #dumps: DiskFile[] = [];
  readonly #ends: number[] = [];
  readonly #seeds: DiskFile;
  #seedsEnd = 0;
  readonly #pages = new KeyTable();
  readonly #sites = new KeyTable();
  /** By page number: where its record is. */
  #offsets = new Float64Array(1024);
  #lengths = new Uint32Array(1024);
  #dumpNumbers = new Uint16Array(1024);
  /** The key of the name of its payload's digest. */
  #digests = new Uint32Array(2 * 1024);
  readonly #wanted: WantedBodies;
  /** Sites of which nothing but robots.txt has come so far. */
  readonly #seedless = new Set<number>();
  #bytes = 0;
  readonly #key = new Uint32Array(4);
  #record = new Uint8Array(64 * 1024);

  constructor(disk: Disk, paths: DiskWebPaths, dumps: number) {
    this.#disk = disk;
    this.#paths = paths;
    this.#seeds = disk.open(paths.seeds, 'create');
    this.#wanted = new WantedBodies(disk, paths.bodies);
    for (let i = 0; i < dumps; i++) {
      const file = disk.open(paths.dump(i), 'create');
      this.#dumps.push(file);
      file.write(fileHeader(DUMP_MAGIC, i), 0, FILE_HEADER, 0);
      this.#ends.push(FILE_HEADER);
    }
  }

  /** `known`: the URL was there already. `no-body`: the record that has its body did not come, or was not offered. */
  add(stored: StoredPage): 'added' | 'known' | 'no-body' {
    if (this.#find(stored.url) >= 0) return 'known';
    const body = stored.bodyOf === null ? stored.body : this.#bodyOf(stored.bodyOf);
    if (body === null) return 'no-body';
    const page = { ...stored, body };
    writeKey(page.url, this.#key, 0);
    const number = this.#pages.number(this.#key[0]!, this.#key[1]!);
    writeSiteKey(page.url, 0, page.url.length, this.#key, 2);
    const dump = dumpOf(this.#key[2]!, this.#dumps.length);
    const length = recordLength(page);
    if (length > this.#record.length) this.#record = new Uint8Array(2 * length);
    encodeRecord(page, this.#record);
    this.#dumps[dump]!.write(this.#record, 0, length, this.#ends[dump]!);
    this.#note(number, dump, length, stored.digest);
    this.#ends[dump]! += length;
    this.#bytes += page.body.length;
    this.#addSeed(page.url);
    return 'added';
  }

  /** Keeps where the body of a response is, if a revisit looks for it. */
  offer(record: WarcRecord): void {
    if (record.headers.get('warc-type') !== 'response') return;
    const url = targetUrl(record.headers.get('warc-target-uri') ?? '');
    if (url === null) return;
    const names = namesOf(record, url).filter((name) => this.#wanted.isMissing(name));
    const page = names.length === 0 ? null : readPage(record);
    if (page === null || typeof page === 'string') return;
    const packed = page.digest === '' ? null : this.#packed({ name: page.digest, url });
    const place = packed ?? this.#wanted.keep(page);
    for (const name of names) this.#wanted.found(name, place);
  }

  /** Null if it is not there so far, and is waited for. */
  #bodyOf(reference: BodyReference): Uint8Array | null {
    const place = this.#packed(reference) ?? this.#wanted.placeOf(reference.name);
    if (place === null) {
      this.#wanted.want(reference.name);
      return null;
    }
    const { dump, offset, length } = place;
    const isOther = dump === OTHER_BODIES;
    const record = new Uint8Array(length);
    (isOther ? this.#wanted.file : this.#dumps[dump]!).read(record, 0, length, offset);
    const decoded = decodeRecord(record);
    if (typeof decoded !== 'string') return decoded.body;
    throw new DamagedFileError(isOther ? this.#paths.bodies : this.#paths.dump(dump), offset, decoded);
  }

  /** The packed page of the URL that a reference names, if its body is the one. */
  #packed({ name, url }: BodyReference): RecordPlace | null {
    const page = url === null ? -1 : this.#find(url);
    if (page < 0) return null;
    writeKey(Buffer.from(name), this.#key, 0);
    const isSame = this.#digests[2 * page] === this.#key[0] && this.#digests[2 * page + 1] === this.#key[1];
    if (!isSame && name !== urlName(url!)) return null;
    const [offset, length] = [this.#offsets[page]!, this.#lengths[page]!];
    return { dump: this.#dumpNumbers[page]!, offset, length };
  }

  /** The number of a URL's page, or -1. */
  #find(url: Uint8Array): number {
    writeKey(url, this.#key, 0);
    return this.#pages.find(this.#key[0]!, this.#key[1]!);
  }

  get isEmpty(): boolean {
    return this.#pages.count === 0;
  }

  /** What was begun. REQUIRES: it is closed. */
  remove(): void {
    this.#disk.remove(this.#paths.seeds);
    for (const i of this.#dumps.keys()) this.#disk.remove(this.#paths.dump(i));
  }

  finish(): { pages: number; sites: number; bytes: number } {
    const disk = this.#disk;
    this.#seeds.sync();
    for (const [i, dump] of this.#dumps.entries()) {
      dump.sync();
      const order = this.#pages.sorted((page) => this.#dumpNumbers[page] === i);
      writeKeyIndex(disk, this.#paths.index(i), this.#pages.keys, order, PAGE_VALUE, (page, into, at) => {
        into.setUint32(at, this.#offsets[page]! % 0x1_0000_0000, true);
        into.setUint32(at + 4, Math.floor(this.#offsets[page]! / 0x1_0000_0000), true);
        into.setUint32(at + 8, this.#lengths[page]!, true);
        into.setUint32(at + 12, page, true);
      });
    }
    writeKeyIndex(disk, this.#paths.sites, this.#sites.keys, this.#sites.sorted(), 0, () => {});
    const totals = { pages: this.#pages.count, sites: this.#sites.count, bytes: this.#bytes };
    const manifest: Manifest = { format: FORMAT, version: VERSION, dumps: this.#dumps.length, ...totals };
    replaceFile(disk, this.#paths.manifest, `${JSON.stringify(manifest)}\n`);
    return totals;
  }

  close(): void {
    this.#seeds.close();
    for (const dump of this.#dumps) dump.close();
    this.#wanted.close();
  }

  #note(page: number, dump: number, length: number, digest: string): void {
    if (page === this.#offsets.length) {
      this.#offsets = doubled(this.#offsets);
      this.#lengths = doubled(this.#lengths);
      this.#dumpNumbers = doubled(this.#dumpNumbers);
      this.#digests = doubled(this.#digests);
    }
    writeKey(Buffer.from(digest), this.#digests, 2 * page);
    this.#offsets[page] = this.#ends[dump]!;
    this.#lengths[page] = length;
    this.#dumpNumbers[page] = dump;
  }

  /** A site's seed is its first page; a crawler's own request for robots.txt is none. */
  #addSeed(url: Uint8Array): void {
    const before = this.#sites.count;
    const site = this.#sites.number(this.#key[2]!, this.#key[3]!);
    if (site < before && !this.#seedless.has(site)) return;
    const line = Buffer.from(url);
    if (line.toString('latin1').endsWith('/robots.txt')) {
      this.#seedless.add(site);
      return;
    }
    this.#seedless.delete(site);
    const bytes = Buffer.concat([line, Buffer.from('\n')]);
    this.#seeds.write(bytes, 0, bytes.length, this.#seedsEnd);
    this.#seedsEnd += bytes.length;
  }
}
