/** A DiskWWW: serves the pages of an earlier crawl from a dump and its index (disk-format.ts has the layout). */
import { type Disk, type DiskFile, readWhole } from '../model/disk.js';
import { DamagedFileError, DrumlineError, UsageError } from '../model/errors.js';
import { writeKey } from '../model/key.js';
import { type FetchCallback, type FetchedPage, type Fetcher, type Web, WHOLE_ANSWER } from '../model/web.js';
import {
  checkFileHeader,
  DiskWebPaths,
  DUMP_MAGIC,
  decodeRecord,
  dumpOf,
  FILE_HEADER,
  FORMAT,
  type Manifest,
  otherVersion,
  PAGE_VALUE,
  VERSION,
  writeSiteKey,
} from './disk-format.js';
import { KeyIndex } from './disk-index.js';

const NOT_FOUND = '<!doctype html><title>Not found</title><p>This page is not in the dump.</p>\n';
const MISSING: FetchedPage = {
  ...WHOLE_ANSWER,
  status: 404,
  body: new TextEncoder().encode(NOT_FOUND),
  bodyLength: NOT_FOUND.length,
  contentType: 'text/html; charset=utf-8',
  location: '',
  pageNumber: -1,
};
const SEED_CHUNK = 64 * 1024;

export class DiskWeb implements Web {
  readonly spec: string;
  /** What can be reached would need the links of every page. */
  readonly truth = null;
  readonly #disk: Disk;
  readonly #paths: DiskWebPaths;
  readonly #manifest: Manifest;
  readonly #sites: KeyIndex;
  readonly #key = new Uint32Array(2);

  constructor(disk: Disk, directory: string) {
    this.spec = `disk:${directory}`;
    this.#disk = disk;
    this.#paths = new DiskWebPaths(directory);
    this.#manifest = readManifest(disk, this.#paths);
    this.#sites = new KeyIndex(disk, this.#paths.sites, 0);
  }

  /** Read in pieces: there may be as many as sites. */
  *seeds(): Generator<string> {
    const file = this.#disk.open(this.#paths.seeds, 'read');
    try {
      const chunk = new Uint8Array(SEED_CHUNK);
      let rest = '';
      for (let position = 0; ; ) {
        const length = file.read(chunk, 0, chunk.length, position);
        if (length === 0) break;
        position += length;
        // URLs are ASCII, so a chunk may end anywhere.
        const lines = (rest + Buffer.from(chunk.buffer, 0, length).toString('latin1')).split('\n');
        rest = lines.pop()!;
        yield* lines;
      }
    } finally {
      file.close();
    }
  }

  hasSite(host: string): boolean {
    writeKey(new TextEncoder().encode(host), this.#key, 0);
    return this.#sites.find(this.#key[0]!, this.#key[1]!) >= 0;
  }

  fetcher(): Fetcher {
    return new DiskFetcher(this.#disk, this.#paths, this.#manifest.dumps);
  }

  summarise(): { pages: number; sites: number; links: null; bytes: number } {
    const { pages, sites, bytes } = this.#manifest;
    return { pages, sites, links: null, bytes };
  }

  close(): void {
    this.#sites.close();
  }
}

function readManifest(disk: Disk, paths: DiskWebPaths): Manifest {
  if (!disk.exists(paths.manifest)) {
    const takes = "it takes a directory made by 'drumline web pack'";
    throw new UsageError(`--web disk: no web in '${paths.directory}'; ${takes}`);
  }
  let manifest: Partial<Manifest>;
  try {
    manifest = JSON.parse(new TextDecoder().decode(readWhole(disk, paths.manifest)));
  } catch {
    throw new DamagedFileError(paths.manifest, 0, 'it is not JSON');
  }
  const { format, version, dumps, pages, sites, bytes } = manifest;
  const isWhole = [dumps, pages, sites, bytes].every((value) => Number.isSafeInteger(value));
  if (format !== FORMAT || !Number.isSafeInteger(version) || !isWhole || dumps! < 1) {
    throw new DamagedFileError(paths.manifest, 0, `not a ${FORMAT}`);
  }
  if (version !== VERSION) throw new DrumlineError('VERSION', `${paths.manifest}: ${otherVersion(version!)}`);
  return manifest as Manifest;
}

interface Dump {
  readonly path: string;
  readonly file: DiskFile;
  readonly index: KeyIndex;
}

class DiskFetcher implements Fetcher {
  readonly #dumps: Dump[] = [];
  readonly #key = new Uint32Array(2);
  #buffer = new Uint8Array(64 * 1024);

  constructor(disk: Disk, paths: DiskWebPaths, dumps: number) {
    try {
      for (let i = 0; i < dumps; i++) {
        const path = paths.dump(i);
        const index = new KeyIndex(disk, paths.index(i), PAGE_VALUE);
        this.#dumps.push({ path, file: disk.open(path, 'read'), index });
        this.#checkHeader(i);
      }
    } catch (error) {
      this.close();
      throw error;
    }
  }

  fetch(url: Uint8Array, start: number, end: number, _address: string, done: FetchCallback): void {
    done(this.#find(url, start, end) ?? MISSING);
  }

  close(): void {
    for (const dump of this.#dumps) {
      dump.file.close();
      dump.index.close();
    }
  }

  #checkHeader(dump: number): void {
    const { path, file } = this.#dumps[dump]!;
    const header = new Uint8Array(FILE_HEADER);
    file.read(header, 0, FILE_HEADER, 0);
    const number = checkFileHeader(header, DUMP_MAGIC, path);
    if (number !== dump) throw new DamagedFileError(path, 12, `it is dump ${number}, not ${dump}`);
  }

  #find(url: Uint8Array, start: number, end: number): FetchedPage | null {
    const { path, file, index } = this.#dumps[this.#dumpOf(url, start, end)]!;
    writeKey(url.subarray(start, end), this.#key, 0);
    const at = index.find(this.#key[0]!, this.#key[1]!);
    if (at < 0) return null;
    const offset = index.view.getUint32(at, true) + index.view.getUint32(at + 4, true) * 0x1_0000_0000;
    const length = index.view.getUint32(at + 8, true);
    if (length > this.#buffer.length) this.#buffer = new Uint8Array(2 * length);
    const read = file.read(this.#buffer, 0, length, offset);
    const page = decodeRecord(this.#buffer.subarray(0, read));
    if (typeof page === 'string') throw new DamagedFileError(path, offset, page);
    if (!isSame(page.url, url, start, end)) return null;
    return {
      ...WHOLE_ANSWER,
      status: page.status,
      body: page.body,
      bodyLength: page.body.length,
      contentType: text(page.contentType),
      location: text(page.location),
      robotsTag: text(page.robotsTag),
      link: text(page.link),
      pageNumber: index.view.getUint32(at + 12, true),
    };
  }

  #dumpOf(url: Uint8Array, start: number, end: number): number {
    if (this.#dumps.length === 1) return 0;
    writeSiteKey(url, start, end, this.#key, 0);
    return dumpOf(this.#key[0]!, this.#dumps.length);
  }
}

/** Most headers are empty. */
function text(bytes: Uint8Array): string {
  return bytes.length === 0 ? '' : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString();
}

function isSame(bytes: Uint8Array, url: Uint8Array, start: number, end: number): boolean {
  if (bytes.length !== end - start) return false;
  for (let i = 0; i < bytes.length; i++) if (bytes[i] !== url[start + i]) return false;
  return true;
}
