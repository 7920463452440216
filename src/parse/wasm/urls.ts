/**
 * Links become URLs. Of each URL the tables have where it ends, where its host begins and ends, and the keys of both; its
 * bytes lie behind those of the URL before, in the last region.
 */

import { SPACE } from '../byte-values';
import { LINK_NOFOLLOW } from '../link-kinds';
import { isSame } from './bytes';
import { resolveSlowly } from './host';
import { keyOf } from './keys';
import { ensureMemory, firstRegion, regionAfter } from './memory';
import {
  hostEnd,
  hostEndOf,
  hostStart,
  hostStartOf,
  MAX_URL_BYTES,
  NOT_CRAWLABLE,
  resolve,
} from './resolver';
import { UNDECIDED } from './url-paths';

/** The links: ends, from their first byte, kinds, bytes. */
let linkEnds: usize = 0;
let linkKinds: usize = 0;
let links: usize = 0;
/** The URLs. */
let ends: usize = 0;
let hostStarts: usize = 0;
let hostEnds: usize = 0;
let keys: usize = 0;
let siteKeys: usize = 0;
let bytes: usize = 0;
/** Where the next URL begins. */
let next: usize = 0;
let urls: usize = 0;
/** Links that were left out because they say so themselves. */
let left = 0;
/** The host of the URL before, and its key: links of a page mostly share it. */
let host: usize = 0;
let hostBytes: usize = 0;
let siteKey: u64 = 0;

/** Lays out the regions for `count` links of `length` bytes in all. */
export function layLinks(length: usize, count: usize): void {
  linkEnds = regionAfter(firstRegion(), 0);
  linkKinds = regionAfter(linkEnds, 4 * count);
  links = regionAfter(linkKinds, count);
  ends = regionAfter(links, length);
  hostStarts = regionAfter(ends, 4 * count);
  hostEnds = regionAfter(hostStarts, 4 * count);
  keys = regionAfter(hostEnds, 4 * count);
  siteKeys = regionAfter(keys, 8 * count);
  bytes = regionAfter(siteKeys, 8 * count);
  ensureMemory(bytes);
}

/**
 * Resolves the links that stand where `layLinks` said, all but those that must not be followed; ends and hosts are told from
 * the first byte of a list of which these are bytes `from` and on. Returns the number of URLs.
 */
export function resolveLinks(count: usize, first: usize, from: usize): usize {
  const origin = bytes - from;
  next = bytes;
  urls = 0;
  left = 0;
  hostBytes = 0;
  let at = links;
  for (let i: usize = 0; i < count; i++) {
    const end = links + (load<u32>(linkEnds + 4 * i) as usize) - first;
    if ((load<u8>(linkKinds + i) & LINK_NOFOLLOW) !== 0) left++;
    else resolveLink(at, end, origin);
    at = end;
  }
  return urls;
}

function resolveLink(at: usize, end: usize, origin: usize): void {
  while (at < end && (load<u8>(at) as i32) <= SPACE) at++;
  while (at < end && (load<u8>(end - 1) as i32) <= SPACE) end--;
  ensureMemory(next + MAX_URL_BYTES);
  const url = next;
  let after = resolve(at, end, url);
  let start = hostStart;
  let stop = hostEnd;
  if (after === UNDECIDED) {
    after = resolveSlowly(at, end, url);
    if (after === 0) return;
    start = hostStartOf(url);
    stop = hostEndOf(url, start);
  } else if (after === NOT_CRAWLABLE) return;
  next = after;
  store<u32>(ends + 4 * urls, (after - origin) as u32);
  store<u32>(hostStarts + 4 * urls, (url + start - origin) as u32);
  store<u32>(hostEnds + 4 * urls, (url + stop - origin) as u32);
  store<u64>(keys + 8 * urls, keyOf(url, after));
  store<u64>(siteKeys + 8 * urls, siteKeyOf(url + start, url + stop));
  urls++;
}

function siteKeyOf(at: usize, end: usize): u64 {
  const length = end - at;
  if (length !== hostBytes || !isSame(at, host, length)) siteKey = keyOf(at, end);
  host = at;
  hostBytes = length;
  return siteKey;
}

export function leftOut(): i32 {
  return left;
}

export function urlBytes(): usize {
  return next - bytes;
}

export function linkEndsAt(): usize {
  return linkEnds;
}

export function linkKindsAt(): usize {
  return linkKinds;
}

export function linksAt(): usize {
  return links;
}

export function urlEndsAt(): usize {
  return ends;
}

export function hostStartsAt(): usize {
  return hostStarts;
}

export function hostEndsAt(): usize {
  return hostEnds;
}

export function keysAt(): usize {
  return keys;
}

export function siteKeysAt(): usize {
  return siteKeys;
}

export function urlsAt(): usize {
  return bytes;
}
