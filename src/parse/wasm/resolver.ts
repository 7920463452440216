/**
 * The fast way to a canonical URL: resolves what needs no percent-encoding, no IDNA and no IP address parsing, and says
 * so where it can't.
 */
import { BACKSLASH, COLON, DASH, HASH, QUESTION, SLASH } from '../byte-values';
import { hostBytes, isIn, schemeBytes } from './byte-classes';
import { isDigit, isLetter } from './bytes';
import { copyPath, copyPathFrom, copyQuery, copyRest, UNDECIDED } from './url-paths';

/** Instead of the place where a URL ends: no URL, or none that is crawled. */
export const NOT_CRAWLABLE: usize = 1;
export const MAX_URL_BYTES: usize = 2048;

const DOT = 0x2e;
const OPENING_BRACKET = 0x5b;
const CLOSING_BRACKET = 0x5d;
/** `http` and `://`. */
const HTTP: u32 = 0x70747468;
const LOWER: u32 = 0x20202020;
const HTTP_BYTES: usize = 7;
const HTTPS_BYTES: usize = 8;

/** The base: scheme and authority to `origin`, directory to `directory`, path to `path`; how many bytes these are. */
export const base = memory.data(2048 + 64);
let length: usize = 0;
let baseHostStart: usize = 0;
let baseHostEnd: usize = 0;
let origin: usize = 0;
let directory: usize = 0;
let path: usize = 0;
/** Set where Node's `URL` departs from the standard: it may read such a base differently than it wrote it. */
let isOdd: bool = false;

/** The host of the last URL resolved lies this far from the URL's first byte. */
export let hostStart: usize = 0;
export let hostEnd: usize = 0;

/** What stands at `base` is a canonical URL of so many bytes, or if there are none no such URL: then nothing is decided. */
export function setBase(bytes: usize): void {
  length = bytes;
  if (bytes === 0) return;
  baseHostStart = hostStartOf(base);
  baseHostEnd = hostEndOf(base, baseHostStart);
  const end = base + bytes;
  let at = base + baseHostEnd;
  while (load<u8>(at) !== SLASH) at++;
  origin = at - base;
  isOdd = load<u8>(end - 1) === QUESTION;
  for (; at < end && load<u8>(at) !== QUESTION; at++) {
    if (load<u8>(at) !== SLASH) continue;
    directory = at + 1 - base;
    if (load<u8>(at, 1) === DOT) isOdd = true;
  }
  path = at - base;
}

/** Where the host of the canonical URL at `url` begins, from its first byte. */
export function hostStartOf(url: usize): usize {
  return load<u8>(url, 4) === COLON ? HTTP_BYTES : HTTPS_BYTES;
}

/** Where it ends. */
export function hostEndOf(url: usize, start: usize): usize {
  let at = url + start;
  if (load<u8>(at) === OPENING_BRACKET) while (load<u8>(at) !== CLOSING_BRACKET) at++;
  while (load<u8>(at) !== SLASH && load<u8>(at) !== COLON) at++;
  return at - url;
}

/**
 * Resolves the link [at, end), without whitespace around it, to `to`; returns the URL's end there, or UNDECIDED or
 * NOT_CRAWLABLE. REQUIRES: room for MAX_URL_BYTES.
 */
export function resolve(at: usize, end: usize, to: usize): usize {
  if (length === 0 || length + (end - at) >= MAX_URL_BYTES - HTTPS_BYTES) return UNDECIDED;
  hostStart = baseHostStart;
  hostEnd = baseHostEnd;
  const first: i32 = at < end ? load<u8>(at) : HASH;
  if (first === HASH) return isOdd ? UNDECIDED : copyBase(length, to);
  if (first === QUESTION) return isOdd ? UNDECIDED : copyQuery(at, end, copyBase(path, to));
  if (first === BACKSLASH) return UNDECIDED;
  if (first === SLASH) {
    const second: i32 = at + 1 < end ? load<u8>(at, 1) : 0;
    if (second === BACKSLASH) return UNDECIDED;
    if (second === SLASH) return copyAuthority(at + 2, end, copyBase(baseHostStart, to), to);
    return copyPath(at + 1, end, copyBase(origin, to));
  }
  const colon = schemeEnd(at, end);
  if (colon < end && load<u8>(colon) === COLON && isLetter(first)) return copyAbsolute(at, colon, end, to);
  return isOdd ? UNDECIDED : copyPathFrom(at, end, to + origin, copyBase(directory, to));
}

/** Where what may be a scheme ends. */
function schemeEnd(at: usize, end: usize): usize {
  while (at < end && isIn(load<u8>(at), schemeBytes)) at++;
  return at;
}

function copyBase(bytes: usize, to: usize): usize {
  for (let i: usize = 0; i < bytes; i += 16) v128.store(to + i, v128.load(base + i));
  return to + bytes;
}

function copyAbsolute(at: usize, colon: usize, end: usize, to: usize): usize {
  const isHttps = colon - at === 5 && (load<u8>(at, 4) | 0x20) === 0x73;
  if ((!isHttps && colon - at !== 4) || (load<u32>(at) | LOWER) !== HTTP) return NOT_CRAWLABLE;
  if (colon + 2 >= end || load<u8>(colon, 1) !== SLASH || load<u8>(colon, 2) !== SLASH) return UNDECIDED;
  store<u32>(to, HTTP);
  if (isHttps) store<u8>(to, 0x73, 4);
  const after = to + (isHttps ? HTTPS_BYTES : HTTP_BYTES);
  store<u8>(after - 3, COLON);
  store<u8>(after - 2, SLASH);
  store<u8>(after - 1, SLASH);
  return copyAuthority(colon + 3, end, after, to);
}

/** Host, port and all after them; the scheme stands already from `first` to `to`. */
function copyAuthority(at: usize, end: usize, to: usize, first: usize): usize {
  const isHttps = to - first === HTTPS_BYTES;
  hostStart = to - first;
  let label = to;
  for (; at < end; at++) {
    const byte: i32 = load<u8>(at);
    if (!isIn(byte, hostBytes)) break;
    // Two dashes may be Punycode, which is validated; an empty label is odd enough.
    if (byte === DASH && load<u8>(to - 1) === DASH) return UNDECIDED;
    if (byte === DOT) {
      if (label === to) return UNDECIDED;
      label = to + 1;
    }
    store<u8>(to++, byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte);
  }
  // A host whose last label begins with a digit may be an IPv4 address.
  if (label === to || isDigit(load<u8>(label))) return UNDECIDED;
  hostEnd = to - first;
  if (at < end && load<u8>(at) === COLON) {
    const digits = at + 1;
    at = digitsEnd(digits, end);
    if (at === digits || at - digits > 5 || load<u8>(digits) === 0x30) return UNDECIDED;
    const port = numberOf(digits, at);
    if (port > 0xffff) return UNDECIDED;
    if (port !== (isHttps ? 443 : 80)) {
      memory.copy(to, digits - 1, at + 1 - digits);
      to += at + 1 - digits;
    }
  }
  if (at < end && load<u8>(at) === SLASH) return copyPath(at + 1, end, to);
  store<u8>(to, SLASH);
  return copyRest(at, end, to + 1);
}

function digitsEnd(at: usize, end: usize): usize {
  while (at < end && isDigit(load<u8>(at))) at++;
  return at;
}

/** REQUIRES: at most nine digits. */
function numberOf(at: usize, end: usize): i32 {
  let number = 0;
  for (; at < end; at++) number = number * 10 + load<u8>(at) - 0x30;
  return number;
}
