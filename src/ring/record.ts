/**
 * The one wire between threads: every record in a ring is one of these. A page URL keeps this form on its whole way
 * (aux of the PageUrlDrum, ring, unassigned list, frontier): it is encoded once and then only copied.
 *
 * | offset | size | name      | of                                                                   |
 * |--------|------|-----------|----------------------------------------------------------------------|
 * | 0      | 1    | type      | PAGE_URL, SITE_URL, SITE_VISIT or SITE_OWNER                          |
 * | 1      | 1    |           | 0                                                                    |
 * | 2      | 2    | depth     | PAGE_URL: hops from a seed                                           |
 * | 4      | 2    | siteDepth | PAGE_URL: hops inside its site since the site was entered            |
 * | 6      | 2    | redirects | PAGE_URL: redirects followed to get here                             |
 * |        |      | owner     | SITE_OWNER: the agent, or NOBODY if the site was refused             |
 * | 8      | 8    | siteKey   | low half first                                                       |
 * | 16     | 8    | key       | PAGE_URL: of the URL, low half first                                 |
 * | 24     | rest | url       | PAGE_URL: the page; SITE_URL, SITE_VISIT: the root page of the origin |
 *
 * Numbers are little-endian. Unknown types are fatal.
 */
import { MAX_URL_BYTES } from '../model/url-list.js';

/** A page to check and, if it is new, to fetch: agent to agent; from the coordinator, a seed. */
export const PAGE_URL = 1;
/** A site that an agent found and knows no agent for: agent to coordinator. */
export const SITE_URL = 2;
/** A site to visit from its root page: coordinator to the agent that got it. */
export const SITE_VISIT = 3;
/** Whose a site is, for sites that the shared table has no room for: coordinator to every agent. */
export const SITE_OWNER = 4;

export const RECORD_HEADER = 24;
export const MAX_RECORD = RECORD_HEADER + MAX_URL_BYTES;
const MAX_DEPTH = 0xffff;

export function writeUint16(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = value;
  bytes[at + 1] = value >>> 8;
}

export function readUint16(bytes: Uint8Array, at: number): number {
  return bytes[at]! | (bytes[at + 1]! << 8);
}

export function writeUint32(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = value;
  bytes[at + 1] = value >>> 8;
  bytes[at + 2] = value >>> 16;
  bytes[at + 3] = value >>> 24;
}

export function readUint32(bytes: Uint8Array, at: number): number {
  return (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)) >>> 0;
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
  writeUint32(bytes, at + 8, siteLow);
  writeUint32(bytes, at + 12, siteHigh);
  writeUint32(bytes, at + 16, keyLow);
  writeUint32(bytes, at + 20, keyHigh);
}

export const recordType = (bytes: Uint8Array, at: number): number => bytes[at]!;
export const recordDepth = (bytes: Uint8Array, at: number): number => readUint16(bytes, at + 2);
export const recordSiteDepth = (bytes: Uint8Array, at: number): number => readUint16(bytes, at + 4);
export const recordRedirects = (bytes: Uint8Array, at: number): number => readUint16(bytes, at + 6);
export const recordOwner = (bytes: Uint8Array, at: number): number => readUint16(bytes, at + 6);
export const recordSiteLow = (bytes: Uint8Array, at: number): number => readUint32(bytes, at + 8);
export const recordSiteHigh = (bytes: Uint8Array, at: number): number => readUint32(bytes, at + 12);
export const recordKeyLow = (bytes: Uint8Array, at: number): number => readUint32(bytes, at + 16);
export const recordKeyHigh = (bytes: Uint8Array, at: number): number => readUint32(bytes, at + 20);

/** Depths are counted up to 65,535 and stay there. */
export function setDepths(bytes: Uint8Array, at: number, depth: number, siteDepth: number): void {
  writeUint16(bytes, at + 2, Math.min(depth, MAX_DEPTH));
  writeUint16(bytes, at + 4, Math.min(siteDepth, MAX_DEPTH));
}

export function setRedirects(bytes: Uint8Array, at: number, redirects: number): void {
  writeUint16(bytes, at + 6, redirects);
}

export function setOwner(bytes: Uint8Array, at: number, owner: number): void {
  writeUint16(bytes, at + 6, owner);
}

/** Where the URL's path begins: the end of scheme, host and port. REQUIRES: url[start, end) is canonical. */
export function originEnd(url: Uint8Array, start: number, end: number): number {
  let slashes = 0;
  for (let at = start; at < end; at++) {
    if (url[at] === 0x2f && ++slashes === 3) return at;
  }
  return end;
}
