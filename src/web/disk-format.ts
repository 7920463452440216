/**
 * A DiskWWW on disk (FC2L-UDCbot, section 4.1): crawled pages dumped in crawl order, here with an index, so
 * that a page is found by its URL. Numbers are little-endian; keys are the 64-bit keys of model/key.ts;
 * checksums are keys of the bytes they cover. Written once by pack-web.ts, then only read.
 *
 *   web.json           written last: format, version, dumps, pages, sites, bytes
 *   seeds.txt          URL of the first page of each site, one a line, in crawl order
 *   sites.index        keys of all hosts, no values
 *   pages-000.dump     records; with several dumps a page is in dump (low half of its host's key) mod dumps
 *   pages-000.index    URL key -> where its record is, one index a dump
 *
 * A dump is a FileHeader and then records, back to back:
 *   offset  size  name
 *        0     8  checksum of the rest of the record
 *        8     4  length of the body
 *       12     2  status
 *       14     2  length of the URL
 *       16     2  length of the content type
 *       18     2  length of the location
 *       20     2  length of the X-Robots-Tag
 *       22     2  length of the Link
 *       24     -  URL, content type, location, X-Robots-Tag, Link, body
 *
 * Headers are UTF-8, '' where there was none; several X-Robots-Tag or Link headers are joined by ', '.
 *
 * A FileHeader, also of an index (disk-index.ts):
 *        0     8  magic: what the file is
 *        8     4  version
 *       12     4  the dump's number; in an index the number of entries
 *
 * The value of an entry in pages-*.index:
 *        0     8  offset of the record in the dump (two 32-bit halves, low first)
 *        8     4  length of the record
 *       12     4  page number, in crawl order over all dumps
 */
import { join } from 'node:path';
import { DamagedFileError } from '../model/errors.js';
import { writeKey } from '../model/key.js';

export const VERSION = 2;
export const FORMAT = 'drumline DiskWWW';
export const DUMP_MAGIC = 'DRUMDUMP';
export const INDEX_MAGIC = 'DRUMINDX';
export const FILE_HEADER = 16;
export const CHECKSUM = 8;
export const RECORD_HEADER = 24;
/** Bytes of the value of a page's index entry. */
export const PAGE_VALUE = 16;

export interface Manifest {
  readonly format: string;
  readonly version: number;
  readonly dumps: number;
  readonly pages: number;
  readonly sites: number;
  readonly bytes: number;
}

/** Every path in a DiskWWW. */
export class DiskWebPaths {
  readonly directory: string;

  constructor(directory: string) {
    this.directory = directory;
  }

  get manifest(): string {
    return join(this.directory, 'web.json');
  }

  get seeds(): string {
    return join(this.directory, 'seeds.txt');
  }

  get sites(): string {
    return join(this.directory, 'sites.index');
  }

  /** There only while a web is packed. */
  get bodies(): string {
    return join(this.directory, 'bodies.tmp');
  }

  dump(number: number): string {
    return join(this.directory, `pages-${String(number).padStart(3, '0')}.dump`);
  }

  index(number: number): string {
    return join(this.directory, `pages-${String(number).padStart(3, '0')}.index`);
  }
}

/** The dump that holds the pages of a host, by the low half of its key. */
export function dumpOf(siteKeyLow: number, dumps: number): number {
  return siteKeyLow % dumps;
}

const SLASH = 47;
const COLON = 58;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;

/** Writes the key of the host of a canonical URL, `url[start, end)`. */
export function writeSiteKey(
  url: Uint8Array,
  start: number,
  end: number,
  keys: Uint32Array,
  at: number,
): void {
  let hostStart = start;
  while (hostStart < end && url[hostStart] !== SLASH) hostStart++;
  hostStart = Math.min(end, hostStart + 2);
  let hostEnd = hostStart;
  // The colons of an IPv6 address are within brackets.
  if (url[hostStart] === OPEN_BRACKET) while (hostEnd < end && url[hostEnd] !== CLOSE_BRACKET) hostEnd++;
  while (hostEnd < end && url[hostEnd] !== SLASH && url[hostEnd] !== COLON) hostEnd++;
  writeKey(url.subarray(hostStart, hostEnd), keys, at);
}

const sum = new Uint32Array(2);

export function writeChecksum(covered: Uint8Array, into: DataView, at: number): void {
  writeKey(covered, sum, 0);
  into.setUint32(at, sum[0]!, true);
  into.setUint32(at + 4, sum[1]!, true);
}

export function hasChecksum(covered: Uint8Array, from: DataView, at: number): boolean {
  writeKey(covered, sum, 0);
  return from.getUint32(at, true) === sum[0] && from.getUint32(at + 4, true) === sum[1];
}

export function fileHeader(magic: string, number: number): Uint8Array {
  const bytes = new Uint8Array(FILE_HEADER);
  new TextEncoder().encodeInto(magic, bytes);
  const view = new DataView(bytes.buffer);
  view.setUint32(8, VERSION, true);
  view.setUint32(12, number, true);
  return bytes;
}

/** Returns the number in a file's header. */
export function checkFileHeader(header: Uint8Array, magic: string, path: string): number {
  const expected = new TextEncoder().encode(magic);
  if (header.length < FILE_HEADER || expected.some((byte, i) => header[i] !== byte)) {
    throw new DamagedFileError(path, 0, `it does not begin with ${magic}`);
  }
  const view = new DataView(header.buffer, header.byteOffset, FILE_HEADER);
  const version = view.getUint32(8, true);
  if (version !== VERSION) throw new DamagedFileError(path, 8, otherVersion(version));
  return view.getUint32(12, true);
}

/** What is said of a web that another drumline packed. */
export function otherVersion(version: number): string {
  return `it is of version ${version}, and version ${VERSION} is read here; 'drumline web pack' makes it anew`;
}

export interface PageRecord {
  readonly url: Uint8Array;
  readonly status: number;
  readonly contentType: Uint8Array;
  readonly location: Uint8Array;
  readonly robotsTag: Uint8Array;
  readonly link: Uint8Array;
  readonly body: Uint8Array;
}

/** What stands behind a record's header, in this order. */
function partsOf({ url, contentType, location, robotsTag, link, body }: PageRecord): Uint8Array[] {
  return [url, contentType, location, robotsTag, link, body];
}

export function recordLength(page: PageRecord): number {
  return partsOf(page).reduce((length, part) => length + part.length, RECORD_HEADER);
}

/** Writes a record to the start of `into`. REQUIRES: it has `recordLength(page)` bytes. */
export function encodeRecord(page: PageRecord, into: Uint8Array): void {
  const view = new DataView(into.buffer, into.byteOffset);
  view.setUint32(8, page.body.length, true);
  view.setUint16(12, page.status, true);
  view.setUint16(14, page.url.length, true);
  view.setUint16(16, page.contentType.length, true);
  view.setUint16(18, page.location.length, true);
  view.setUint16(20, page.robotsTag.length, true);
  view.setUint16(22, page.link.length, true);
  let at = RECORD_HEADER;
  for (const part of partsOf(page)) {
    into.set(part, at);
    at += part.length;
  }
  writeChecksum(into.subarray(CHECKSUM, at), view, 0);
}

/** Reads a whole record; its parts are views of `bytes`. Returns what is wrong with it otherwise. */
export function decodeRecord(bytes: Uint8Array): PageRecord | string {
  if (bytes.length < RECORD_HEADER) return 'the record is cut off';
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (!hasChecksum(bytes.subarray(CHECKSUM), view, 0)) return 'the checksum of the record does not match';
  let at = RECORD_HEADER;
  const part = (length: number): Uint8Array => {
    at += length;
    return bytes.subarray(at - length, at);
  };
  const url = part(view.getUint16(14, true));
  const contentType = part(view.getUint16(16, true));
  const location = part(view.getUint16(18, true));
  const robotsTag = part(view.getUint16(20, true));
  const link = part(view.getUint16(22, true));
  const body = part(view.getUint32(8, true));
  if (at !== bytes.length) return 'the lengths in the record do not add up';
  return { url, status: view.getUint16(12, true), contentType, location, robotsTag, link, body };
}
