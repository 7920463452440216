/** Paths and queries, copied as the URL standard writes them, as far as that takes no percent-encoding. */
import { HASH, PERCENT, QUESTION, SLASH } from '../byte-values';
import { others, pathBytes, queryBytes } from './byte-classes';

/** Instead of the place where a URL ends: the `URL` class must decide. */
export const UNDECIDED: usize = 0;

const DOT = 0x2e;

/** Copies a path whose leading slash stood before `at` to `root`; returns the end of the URL there, or UNDECIDED. */
export function copyPath(at: usize, end: usize, root: usize): usize {
  store<u8>(root, SLASH);
  return copyPathFrom(at, end, root, root + 1);
}

/** Copies path segments, and all after them, to `to`, where a segment begins; the path's first slash is at `root`. */
export function copyPathFrom(at: usize, end: usize, root: usize, to: usize): usize {
  let isSegmentStart = true;
  while (at < end) {
    const bytes = v128.load(at);
    v128.store(to, bytes);
    const slashes = i8x16.bitmask(i8x16.eq(bytes, i8x16.splat(SLASH as i8)));
    const dots = i8x16.bitmask(i8x16.eq(bytes, i8x16.splat(DOT as i8)));
    const leading = dots & ((slashes << 1) | (isSegmentStart ? 1 : 0));
    const stops = others(bytes, pathBytes) | leading;
    const plain: usize = stops === 0 ? 16 : ctz(stops);
    const left = end - at;
    if (plain >= left) return to + left;
    if (plain > 0) isSegmentStart = ((slashes >> ((plain as i32) - 1)) & 1) !== 0;
    at += plain;
    to += plain;
    if (stops === 0) continue;
    const byte: i32 = load<u8>(at);
    if (byte === PERCENT) {
      // An encoded dot may make a dot segment.
      if (at + 2 < end && load<u8>(at, 1) === 0x32 && (load<u8>(at, 2) | 0x20) === 0x65) return UNDECIDED;
      isSegmentStart = false;
      store<u8>(to++, byte);
      at++;
      continue;
    }
    if (byte !== DOT) break;
    const isDouble = at + 1 < end && load<u8>(at, 1) === DOT;
    at += isDouble ? 2 : 1;
    const after: i32 = at < end ? load<u8>(at) : SLASH;
    // Behind a name that begins with a dot, Node's `URL` can leave dot segments as they are.
    if (after !== SLASH && after !== QUESTION && after !== HASH) return UNDECIDED;
    if (isDouble && to - 1 > root) {
      to--;
      while (load<u8>(to - 1) !== SLASH) to--;
    }
    if (after !== SLASH) break;
    // The slash goes with the dots; at the end of the link there is none.
    at++;
  }
  return copyRest(at, end, to);
}

/** What follows a path: nothing, a query, or a fragment, which is dropped. */
export function copyRest(at: usize, end: usize, to: usize): usize {
  if (at >= end || load<u8>(at) === HASH) return to;
  return load<u8>(at) === QUESTION ? copyQuery(at, end, to) : UNDECIDED;
}

export function copyQuery(at: usize, end: usize, to: usize): usize {
  for (; at < end; at += 16, to += 16) {
    const bytes = v128.load(at);
    v128.store(to, bytes);
    const stops = others(bytes, queryBytes);
    const plain: usize = stops === 0 ? 16 : ctz(stops);
    const left = end - at;
    if (plain >= left) return to + left;
    if (stops !== 0) return load<u8>(at + plain) === HASH ? to + plain : UNDECIDED;
  }
  return to;
}
