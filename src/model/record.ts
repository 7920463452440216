/**
 * The one wire between threads: every record in a ring is one of these. A page URL keeps this form on its whole way
 * (aux of the PageUrlDrum, ring, unassigned list, frontier): it is encoded once and then only copied.
 *
 * | offset | size | name      | of                                                                    |
 * |--------|------|-----------|-----------------------------------------------------------------------|
 * | 0      | 1    | type      | PAGE_URL, SITE_URL, SITE_VISIT, SITE_OWNER, SITE_ADDRESS or LEFT_OUT   |
 * | 1      | 1    | redirects | PAGE_URL: redirects followed to get here; + 128 if it is a sitemap     |
 * |        |      | isDead    | SITE_ADDRESS: 1 if nobody answered at the address that is known        |
 * | 2      | 2    | depth     | hops from a seed                                                      |
 * |        |      | agent     | SITE_ADDRESS: who asks                                                |
 * | 4      | 2    | siteDepth | PAGE_URL: hops inside its site since the site was entered             |
 * |        |      | reason    | LEFT_OUT: the place of the reason (`left-out.ts`)                     |
 * | 6      | 2    | tail      | PAGE_URL, SITE_VISIT, SITE_ADDRESS: bytes behind the URL              |
 * |        |      | owner     | SITE_OWNER: the agent, or NOBODY if the site was refused              |
 * | 8      | 8    | siteKey   | low half first                                                        |
 * | 16     | 8    | key       | PAGE_URL: of the URL, low half first                                  |
 * | 24     | rest | url       | PAGE_URL: the page; of a site: the root page of the origin            |
 * |        | tail |           | PAGE_URL: the page it was found on; SITE_VISIT, SITE_ADDRESS: the     |
 * |        |      |           | site's address, or why it has none any more                           |
 *
 * What else a PAGE_URL record has, a LEFT_OUT record has, too.
 * The page that a URL was found on is kept as the number of bytes that it begins with in common with the URL (2 bytes),
 * and the others. Numbers are little-endian. Unknown types are fatal.
 */
import { assert } from './assert.js';
import { MAX_URL_BYTES } from './url-list.js';
import { readWord, writeWord } from './words.js';

/** A page to check and, if it is new, to fetch: agent to agent; from the coordinator, a seed. */
export const PAGE_URL = 1;
/** A site that an agent found and knows no agent for: agent to coordinator. */
export const SITE_URL = 2;
/** A site to visit from its root page: coordinator to the agent that got it. */
export const SITE_VISIT = 3;
/** Whose a site is, for sites that the shared table has no room for: coordinator to every agent. */
export const SITE_OWNER = 4;
/** Where is this site now? Its agent to the coordinator, which sends it back with the answer. */
export const SITE_ADDRESS = 5;
/** A URL that is out of scope, for the agent that logs it: agent to agent. */
export const LEFT_OUT = 6;

export const RECORD_HEADER = 24;
/** With a tail of more than this a record would not fit the smallest ring. */
const MAX_TAIL = 1900;
export const MAX_RECORD = RECORD_HEADER + MAX_URL_BYTES + MAX_TAIL;
const SITEMAP = 0x80;
const MOST_REDIRECTS = SITEMAP - 1;
const MAX_DEPTH = 0xffff;

export function writeUint16(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = value;
  bytes[at + 1] = value >>> 8;
}

export function readUint16(bytes: Uint8Array, at: number): number {
  return bytes[at]! | (bytes[at + 1]! << 8);
}

/** Writes the header's fields at `at`; the caller puts the URL's bytes behind it. */
export function writeHeader(
  bytes: Uint8Array,
  at: number,
  type: number,
  siteLow: number,
  siteHigh: number,
  keyLow: number,
  keyHigh: number,
): void {
  bytes[at] = type;
  bytes[at + 1] = 0;
  writeUint16(bytes, at + 2, 0);
  writeUint16(bytes, at + 4, 0);
  writeUint16(bytes, at + 6, 0);
  writeWord(bytes, at + 8, siteLow);
  writeWord(bytes, at + 12, siteHigh);
  writeWord(bytes, at + 16, keyLow);
  writeWord(bytes, at + 20, keyHigh);
}

export const recordType = (bytes: Uint8Array, at: number): number => bytes[at]!;
export const recordDepth = (bytes: Uint8Array, at: number): number => readUint16(bytes, at + 2);
export const recordSiteDepth = (bytes: Uint8Array, at: number): number => readUint16(bytes, at + 4);
export const recordRedirects = (bytes: Uint8Array, at: number): number => bytes[at + 1]! & ~SITEMAP;
export const isSitemapRecord = (bytes: Uint8Array, at: number): boolean => bytes[at + 1]! >= SITEMAP;
export const recordOwner = (bytes: Uint8Array, at: number): number => readUint16(bytes, at + 6);
export const recordSiteLow = (bytes: Uint8Array, at: number): number => readWord(bytes, at + 8);
export const recordSiteHigh = (bytes: Uint8Array, at: number): number => readWord(bytes, at + 12);
export const recordKeyLow = (bytes: Uint8Array, at: number): number => readWord(bytes, at + 16);
export const recordKeyHigh = (bytes: Uint8Array, at: number): number => readWord(bytes, at + 20);

/** Depths are counted up to 65,535 and stay there. */
export function setDepths(bytes: Uint8Array, at: number, depth: number, siteDepth: number): void {
  writeUint16(bytes, at + 2, Math.min(depth, MAX_DEPTH));
  writeUint16(bytes, at + 4, Math.min(siteDepth, MAX_DEPTH));
}

/** REQUIRES: at most 127 redirects. */
export function setRedirects(bytes: Uint8Array, at: number, redirects: number, isSitemap: boolean): void {
  assert(redirects <= MOST_REDIRECTS, 'the redirects of a URL fit its record');
  bytes[at + 1] = redirects | (isSitemap ? SITEMAP : 0);
}

export function setOwner(bytes: Uint8Array, at: number, owner: number): void {
  writeUint16(bytes, at + 6, owner);
}

/** Where the URL of a record ends and its tail begins. REQUIRES: it is no SITE_OWNER record. */
export const recordUrlEnd = (bytes: Uint8Array, start: number, end: number): number =>
  end - readUint16(bytes, start + 6);

/** The same record without its tail: bytes[at, recordUrlEnd). */
export function cutTail(bytes: Uint8Array, at: number): void {
  writeUint16(bytes, at + 6, 0);
}

/** Most bytes that `writeVia` adds for a page's URL of this length. */
export const viaRoom = (viaLength: number): number => Math.min(MAX_TAIL, 2 + viaLength);

/**
 * Notes the page that a URL was found on, unless it is too long, behind the URL, which ends at `urlEnd`; returns the end
 * of the record.
 */
export function writeVia(
  bytes: Uint8Array,
  at: number,
  urlEnd: number,
  via: Uint8Array,
  viaStart: number,
  viaEnd: number,
): number {
  const url = at + RECORD_HEADER;
  const most = Math.min(urlEnd - url, viaEnd - viaStart);
  let common = 0;
  while (common < most && bytes[url + common] === via[viaStart + common]) common++;
  const tail = 2 + viaEnd - viaStart - common;
  if (tail > MAX_TAIL) return urlEnd;
  writeUint16(bytes, at + 6, tail);
  writeUint16(bytes, urlEnd, common);
  for (let from = viaStart + common, to = urlEnd + 2; from < viaEnd; ) bytes[to++] = via[from++]!;
  return urlEnd + tail;
}

const decoder = new TextDecoder();

/** The page that the URL of a PAGE_URL record was found on; '' if that is not known. */
export function recordVia(bytes: Uint8Array, start: number, end: number): string {
  const urlEnd = recordUrlEnd(bytes, start, end);
  if (urlEnd === end) return '';
  const url = start + RECORD_HEADER;
  const common = decoder.decode(bytes.subarray(url, url + readUint16(bytes, urlEnd)));
  return common + decoder.decode(bytes.subarray(urlEnd + 2, end));
}

/** Says who asks for the address of a SITE_ADDRESS record, and whether the one that is known is dead. */
export function setAsker(bytes: Uint8Array, at: number, agent: number, isDead: boolean): void {
  bytes[at + 1] = isDead ? 1 : 0;
  writeUint16(bytes, at + 2, agent);
}

export const recordAsker = (bytes: Uint8Array, at: number): number => readUint16(bytes, at + 2);
export const isAddressDead = (bytes: Uint8Array, at: number): boolean => bytes[at + 1] === 1;

/** Puts a site's address behind its URL, which ends at `urlEnd`; returns the end of the record. */
export function writeAddress(bytes: Uint8Array, at: number, urlEnd: number, address: string): number {
  for (let i = 0; i < address.length; i++) bytes[urlEnd + i] = address.charCodeAt(i);
  writeUint16(bytes, at + 6, address.length);
  return urlEnd + address.length;
}

/** The address in a SITE_VISIT or SITE_ADDRESS record. */
export function recordAddress(bytes: Uint8Array, start: number, end: number): string {
  return decoder.decode(bytes.subarray(recordUrlEnd(bytes, start, end), end));
}

/** Where the URL's path begins: the end of scheme, host and port. REQUIRES: url[start, end) is canonical. */
export function originEnd(url: Uint8Array, start: number, end: number): number {
  let slashes = 0;
  for (let at = start; at < end; at++) {
    if (url[at] === 0x2f && ++slashes === 3) return at;
  }
  return end;
}

/** A record is `bytes[start, end)`, valid until the visitor returns. */
export type RecordVisitor = (bytes: Uint8Array, start: number, end: number) => void;
