/**
 * The fast way to a canonical URL: resolves over bytes what needs no percent-encoding, no IDNA and no IP address
 * parsing, and says so where it can't.
 */
import { MAX_URL_BYTES } from './url-list.js';

/** The `URL` class must decide. */
export const UNDECIDED = -1;
/** No URL, or none that is crawled. */
export const NOT_CRAWLABLE = -2;

const HASH = 0x23;
const PERCENT = 0x25;
const DASH = 0x2d;
const DOT = 0x2e;
const SLASH = 0x2f;
const COLON = 0x3a;
const QUESTION = 0x3f;
const BACKSLASH = 0x5c;

/** Bytes that stand for themselves in a path, a query, a host, a scheme. */
const IN_PATH = 1;
const IN_QUERY = 2;
const IN_HOST = 4;
const IN_SCHEME = 8;
const CLASSES = new Uint8Array(256);
for (let byte = 0x21; byte < 0x7f; byte++) {
  const character = String.fromCharCode(byte);
  if (/[A-Za-z0-9\-._~!$&'()*+,;=:@/]/.test(character)) CLASSES[byte]! |= IN_PATH;
  if (/[^"#<>']/.test(character)) CLASSES[byte]! |= IN_QUERY;
  if (/[A-Za-z0-9\-._]/.test(character)) CLASSES[byte]! |= IN_HOST;
  if (/[A-Za-z0-9+\-.]/.test(character)) CLASSES[byte]! |= IN_SCHEME;
}

function ascii(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
const HTTP = ascii('http://');
const HTTPS = ascii('https://');

function isLetter(byte: number): boolean {
  const folded = byte | 0x20;
  return folded >= 0x61 && folded <= 0x7a;
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}

export class ByteResolver {
  /** The base is `#base[0, #length)`: scheme and authority to `#origin`, directory to `#directory`, path to `#path`. */
  readonly #base = new Uint8Array(MAX_URL_BYTES);
  #length = 0;
  #hostStart = 0;
  #hostEnd = 0;
  #origin = 0;
  #directory = 0;
  #path = 0;
  /** Set where Node's `URL` departs from the standard: it may read such a base differently than it wrote it. */
  #isOdd = false;
  /** The host of the last URL resolved lies this far from the URL's first byte. */
  hostStart = 0;
  hostEnd = 0;

  /** REQUIRES: `url[start, end)` is a canonical URL. */
  setBase(url: Uint8Array, start: number, end: number): void {
    const base = this.#base;
    const length = end - start;
    for (let i = 0; i < length; i++) base[i] = url[start + i]!;
    this.#length = length;
    this.#hostStart = base[4] === COLON ? HTTP.length : HTTPS.length;
    this.#hostEnd = hostEnd(base, this.#hostStart);
    let at = this.#hostEnd;
    while (base[at] !== SLASH) at++;
    this.#origin = at;
    this.#directory = at + 1;
    this.#isOdd = base[length - 1] === QUESTION;
    for (; at < length && base[at] !== QUESTION; at++) {
      if (base[at] !== SLASH) continue;
      this.#directory = at + 1;
      if (base[at + 1] === DOT) this.#isOdd = true;
    }
    this.#path = at;
  }

  /** The base, for messages and the slow way. */
  base(): Uint8Array {
    return this.#base.subarray(0, this.#length);
  }

  /**
   * Resolves `href[start, end)`, without whitespace around it, into `to` at `at`; returns the URL's end there, or
   * UNDECIDED or NOT_CRAWLABLE. REQUIRES: room for MAX_URL_BYTES.
   */
  resolve(href: Uint8Array, start: number, end: number, to: Uint8Array, at: number): number {
    if (this.#length + end - start >= MAX_URL_BYTES - HTTPS.length) return UNDECIDED;
    this.hostStart = this.#hostStart;
    this.hostEnd = this.#hostEnd;
    const first = start < end ? href[start]! : HASH;
    if (first === HASH) return this.#isOdd ? UNDECIDED : this.#copyBase(this.#length, to, at);
    if (first === QUESTION) {
      if (this.#isOdd) return UNDECIDED;
      return copyQuery(href, start, end, to, this.#copyBase(this.#path, to, at));
    }
    if (first === BACKSLASH) return UNDECIDED;
    if (first === SLASH) {
      const second = start + 1 < end ? href[start + 1]! : 0;
      if (second === BACKSLASH) return UNDECIDED;
      if (second === SLASH) {
        return this.#authority(href, start + 2, end, to, this.#copyBase(this.#hostStart, to, at), at);
      }
      const root = this.#copyBase(this.#origin, to, at);
      return copyPath(href, start + 1, end, to, root);
    }
    let colon = start;
    while (colon < end && (CLASSES[href[colon]!]! & IN_SCHEME) !== 0) colon++;
    if (colon < end && href[colon] === COLON && isLetter(first)) {
      return this.#absolute(href, start, colon, end, to, at);
    }
    if (this.#isOdd) return UNDECIDED;
    const after = this.#copyBase(this.#directory, to, at);
    return copyPathFrom(href, start, end, to, at + this.#origin, after);
  }

  #copyBase(length: number, to: Uint8Array, at: number): number {
    const base = this.#base;
    for (let i = 0; i < length; i++) to[at + i] = base[i]!;
    return at + length;
  }

  #absolute(href: Uint8Array, start: number, colon: number, end: number, to: Uint8Array, at: number): number {
    const length = colon - start;
    const isHttp =
      (length === 4 || (length === 5 && (href[start + 4]! | 0x20) === 0x73)) &&
      (href[start]! | 0x20) === 0x68 &&
      (href[start + 1]! | 0x20) === 0x74 &&
      (href[start + 2]! | 0x20) === 0x74 &&
      (href[start + 3]! | 0x20) === 0x70;
    if (!isHttp) return NOT_CRAWLABLE;
    if (colon + 2 >= end || href[colon + 1] !== SLASH || href[colon + 2] !== SLASH) return UNDECIDED;
    const scheme = length === 4 ? HTTP : HTTPS;
    for (let i = 0; i < scheme.length; i++) to[at + i] = scheme[i]!;
    return this.#authority(href, colon + 3, end, to, at + scheme.length, at);
  }

  /** Host, port and all after them; `to` already holds the scheme from `first` on. */
  #authority(
    href: Uint8Array,
    start: number,
    end: number,
    to: Uint8Array,
    at: number,
    first: number,
  ): number {
    const isHttps = at - first === HTTPS.length;
    this.hostStart = at - first;
    let label = at;
    while (start < end) {
      const byte = href[start]!;
      if ((CLASSES[byte]! & IN_HOST) === 0) break;
      // Two dashes may be Punycode, which is validated; an empty label is odd enough.
      if (byte === DASH && to[at - 1] === DASH) return UNDECIDED;
      if (byte === DOT) {
        if (label === at) return UNDECIDED;
        label = at + 1;
      }
      to[at++] = byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte;
      start++;
    }
    // A host whose last label begins with a digit may be an IPv4 address.
    if (label === at || isDigit(to[label]!)) return UNDECIDED;
    this.hostEnd = at - first;
    if (start < end && href[start] === COLON) {
      let port = 0;
      const digits = ++start;
      while (start < end && isDigit(href[start]!)) port = port * 10 + href[start++]! - 0x30;
      if (start === digits || start - digits > 5 || href[digits] === 0x30) return UNDECIDED;
      if (port > 0xffff) return UNDECIDED;
      if (port !== (isHttps ? 443 : 80)) {
        for (let i = digits - 1; i < start; i++) to[at++] = href[i]!;
      }
    }
    if (start < end && href[start] === SLASH) return copyPath(href, start + 1, end, to, at);
    to[at] = SLASH;
    return copyRest(href, start, end, to, at + 1);
  }
}

/** Where the host of a canonical URL ends. */
export function hostEnd(url: Uint8Array, hostStart: number): number {
  let at = hostStart;
  if (url[at] === 0x5b) while (url[at] !== 0x5d) at++;
  while (url[at] !== SLASH && url[at] !== COLON) at++;
  return at;
}

/**
 * The host of the canonical URL at `start`, without port: its site. Not by the URL class: the URL may be one of another
 * version's, under which the crawl began.
 */
export function hostText(url: Uint8Array, start: number): string {
  const from = url.indexOf(SLASH, start) + 2;
  return Buffer.from(url.buffer, url.byteOffset + from, hostEnd(url, from) - from).toString('latin1');
}

/** Copies a path whose leading slash stood before `start` to `to` at `root`. */
function copyPath(href: Uint8Array, start: number, end: number, to: Uint8Array, root: number): number {
  to[root] = SLASH;
  return copyPathFrom(href, start, end, to, root, root + 1);
}

/** Copies path segments, and all after them, to `at`, where a segment begins; the path's first slash is at `root`. */
function copyPathFrom(
  href: Uint8Array,
  start: number,
  end: number,
  to: Uint8Array,
  root: number,
  at: number,
): number {
  let isSegmentStart = true;
  while (start < end) {
    const byte = href[start]!;
    if (isSegmentStart && byte === DOT) {
      let stop = start + 1;
      const isDouble = stop < end && href[stop] === DOT;
      if (isDouble) stop++;
      const after = stop < end ? href[stop]! : SLASH;
      // Behind a name that begins with a dot, Node's `URL` can leave dot segments as they are.
      if (after !== SLASH && after !== QUESTION && after !== HASH) return UNDECIDED;
      if (isDouble && at - 1 > root) {
        at--;
        while (to[at - 1] !== SLASH) at--;
      }
      start = stop;
      if (after !== SLASH) break;
      // The slash goes with the dots; at the end of the link there is none.
      start++;
      continue;
    }
    if ((CLASSES[byte]! & IN_PATH) === 0) {
      if (byte !== PERCENT) break;
      // An encoded dot may make a dot segment.
      if (start + 2 < end && href[start + 1] === 0x32 && (href[start + 2]! | 0x20) === 0x65) return UNDECIDED;
    }
    isSegmentStart = byte === SLASH;
    to[at++] = byte;
    start++;
  }
  return copyRest(href, start, end, to, at);
}

/** What follows a path: nothing, a query, or a fragment, which is dropped. */
function copyRest(href: Uint8Array, start: number, end: number, to: Uint8Array, at: number): number {
  if (start >= end || href[start] === HASH) return at;
  return href[start] === QUESTION ? copyQuery(href, start, end, to, at) : UNDECIDED;
}

function copyQuery(href: Uint8Array, start: number, end: number, to: Uint8Array, at: number): number {
  for (; start < end; start++) {
    const byte = href[start]!;
    if ((CLASSES[byte]! & IN_QUERY) === 0) return byte === HASH ? at : UNDECIDED;
    to[at++] = byte;
  }
  return at;
}
