/** What JavaScript calls. Where a region begins, it is told; regions hold good until the next call of `layPage` or `layLinks`. */
import { beginLinks, count, dropped, linkBytes, repeated } from './found-links';
import { ensureMemory, firstRegion, regionAfter } from './memory';
import { beginPrescan } from './prescan';
import { clearRepeated } from './repeated-links';
import { base, setBase } from './resolver';
import { robotsNames } from './robots-names';
import { scanPage } from './scan';
import { setUtf8 } from './values';

export { labelAt, labelBytes, nextLabel } from './prescan';
export * from './urls';
export { count, dropped, linkBytes, repeated, setBase, setUtf8 };

/** The regions of a page: ends and kinds of its links, the page, its links' bytes. */
let ends: usize = 0;
let kinds: usize = 0;
let page: usize = 0;
let pageEnd: usize = 0;
let bytes: usize = 0;

export function robotsNamesAt(): usize {
  return robotsNames;
}

/** Where the base goes that `setBase` tells of. */
export function baseAt(): usize {
  return base;
}

/** Lays out the regions for a page of `length` bytes with at most `capacity` links; returns where the page goes. */
export function layPage(length: usize, capacity: usize): usize {
  ends = regionAfter(firstRegion(), 0);
  kinds = regionAfter(ends, 4 * capacity);
  page = regionAfter(kinds, capacity);
  pageEnd = page + length;
  bytes = regionAfter(page, length);
  ensureMemory(bytes);
  return page;
}

/** Before `nextLabel`: the page stands where `layPage` said. */
export function prescan(): void {
  beginPrescan(page, pageEnd);
}

/** Scans the page that stands where `layPage` said. The first link's byte is byte `from` of the list it goes to. */
export function scan(from: usize, capacity: i32, isXml: bool, keepsRepeated: bool): void {
  beginLinks(ends, kinds, bytes, from, capacity, keepsRepeated);
  if (!keepsRepeated) clearRepeated();
  scanPage(page, pageEnd, isXml);
}

export function endsAt(): usize {
  return ends;
}

export function kindsAt(): usize {
  return kinds;
}

export function bytesAt(): usize {
  return bytes;
}
