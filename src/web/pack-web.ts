/**
 * Makes a DiskWWW from WARC files: responses in the order of the files, the first of every URL. Where a body is another
 * record's, which may come later or in another file, the files are read a second time. Memory: one
 * page and at most 60 bytes a URL (0.5 GB for 8 million pages), as the index is sorted in memory.
 */
import { type Disk, type DiskFile, nodeDisk, replaceFile } from '../model/disk.js';
import { DamagedFileError, DrumlineError, oneLine, UsageError } from '../model/errors.js';
import { writeKey } from '../model/key.js';
import { warcRecords } from '../store/warc-reader.js';
import {
  DiskWebPaths,
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
import { readPage, type StoredPage } from './warc-page.js';

export interface PackOptions {
  /** Pages of a site are all in one dump; several dumps can be put on several disks. */
  readonly dumps?: number;
  readonly disk?: Disk;
  /** A record that could not be read, and was left out. */
  readonly onDamage?: (file: string, offset: number, what: string) => void;
}

export interface PackCounts {
  readonly pages: number;
  readonly sites: number;
  /** Of bodies, decoded. */
  readonly bytes: number;
  /** Responses for a URL that an earlier record had. */
  readonly duplicates: number;
  /** Records that are no HTTP responses. */
  readonly skipped: number;
  readonly damaged: number;
}

const MOST_DUMPS = 999;

export function packWeb(files: readonly string[], out: string, options: PackOptions = {}): PackCounts {
  const { dumps = 1, disk = nodeDisk, onDamage = () => {} } = options;
  if (!Number.isInteger(dumps) || dumps < 1 || dumps > MOST_DUMPS) {
    throw new UsageError(`--dumps is '${dumps}'; it takes a whole number between 1 and ${MOST_DUMPS}`);
  }
  if (!isEmpty(disk, out))
    throw new UsageError(`--out is '${out}', which holds something; it takes a new directory`);
  for (const path of files) checkInput(disk, path);
  disk.makeDirectory(out);
  const counts = { duplicates: 0, skipped: 0, damaged: 0 };
  const packer = new Packer(disk, new DiskWebPaths(out), dumps);
  let unresolved = 0;
  const damage = (path: string, offset: number, what: string): void => {
    counts.damaged++;
    onDamage(path, offset, what);
  };
  try {
    for (const path of files) {
      const report = (offset: number, what: string): void => damage(path, offset, what);
      forEachPage(disk, path, report, (page, offset) => {
        if (page === null) counts.skipped++;
        else if (typeof page === 'string') report(offset, page);
        else {
          const outcome = packer.add(page);
          if (outcome === 'known') counts.duplicates++;
          else if (outcome === 'no-body') unresolved++;
        }
      });
    }
    for (const path of unresolved === 0 ? [] : files) {
      const ignore = (): void => {};
      forEachPage(disk, path, ignore, (page, offset) => {
        if (page === null || typeof page === 'string' || page.bodyOf === null) return;
        if (packer.add(page) === 'no-body') damage(path, offset, 'the record that it refers to is not there');
      });
    }
    if (packer.isEmpty) throw noPage(files.length, counts);
    return { ...packer.finish(), ...counts };
  } finally {
    packer.close();
    if (packer.isEmpty) packer.remove();
  }
}

/** A web without a page would fail only when it is crawled. */
function noPage(files: number, { damaged, skipped }: { damaged: number; skipped: number }): DrumlineError {
  const where = files === 1 ? 'the file' : `the ${files} files`;
  const what = `${damaged} damaged, ${skipped} other records`;
  return new DrumlineError(
    'NO_PAGE',
    `web pack: there is no HTTP response in ${where} (${what}); nothing is packed`,
  );
}

function forEachPage(
  disk: Disk,
  path: string,
  onDamage: (offset: number, what: string) => void,
  take: (page: StoredPage | string | null, offset: number) => void,
): void {
  const file = disk.open(path, 'read');
  try {
    for (const record of warcRecords(file, onDamage)) take(readPage(record), record.offset);
  } finally {
    file.close();
  }
}

/** A file in the place of the directory holds something too. */
function isEmpty(disk: Disk, directory: string): boolean {
  try {
    return disk.list(directory).length === 0;
  } catch {
    return false;
  }
}

/** Nothing is started if one of the files can't be read. */
function checkInput(disk: Disk, path: string): void {
  try {
    const file = disk.open(path, 'read');
    try {
      file.read(new Uint8Array(1), 0, 1, 0);
    } finally {
      file.close();
    }
  } catch (error) {
    throw new UsageError(`web pack: can't read '${path}' (${oneLine(error)}); it takes WARC files`);
  }
}

/** Writes records to the dumps as they come; indexes, seeds and manifest at the end. */
class Packer {
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
  /** Sites of which nothing but robots.txt has come so far. */
  readonly #seedless = new Set<number>();
  #bytes = 0;
  readonly #key = new Uint32Array(4);
  #record = new Uint8Array(64 * 1024);

  constructor(disk: Disk, paths: DiskWebPaths, dumps: number) {
    this.#disk = disk;
    this.#paths = paths;
    this.#seeds = disk.open(paths.seeds, 'create');
    for (let i = 0; i < dumps; i++) {
      const file = disk.open(paths.dump(i), 'create');
      this.#dumps.push(file);
      file.write(fileHeader(DUMP_MAGIC, i), 0, FILE_HEADER, 0);
      this.#ends.push(FILE_HEADER);
    }
  }

  /** `known`: the URL was there already. `no-body`: the page whose body it has is not there so far. */
  add(stored: StoredPage): 'added' | 'known' | 'no-body' {
    writeKey(stored.url, this.#key, 0);
    if (this.#pages.find(this.#key[0]!, this.#key[1]!) >= 0) return 'known';
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
    this.#note(number, dump, length);
    this.#ends[dump]! += length;
    this.#bytes += page.body.length;
    this.#addSeed(page.url);
    return 'added';
  }

  /** The body of a page that is packed already. */
  #bodyOf(url: Uint8Array): Uint8Array | null {
    writeKey(url, this.#key, 0);
    const page = this.#pages.find(this.#key[0]!, this.#key[1]!);
    if (page < 0) return null;
    const record = new Uint8Array(this.#lengths[page]!);
    this.#dumps[this.#dumpNumbers[page]!]!.read(record, 0, record.length, this.#offsets[page]!);
    const decoded = decodeRecord(record);
    if (typeof decoded === 'string')
      throw new DamagedFileError(this.#paths.dump(this.#dumpNumbers[page]!), this.#offsets[page]!, decoded);
    return decoded.body;
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
  }

  #note(page: number, dump: number, length: number): void {
    if (page === this.#offsets.length) {
      this.#offsets = doubled(this.#offsets);
      this.#lengths = doubled(this.#lengths);
      this.#dumpNumbers = doubled(this.#dumpNumbers);
    }
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
