/**
 * Reads a robots.txt by RFC 9309 and keeps what concerns one crawler: the rules of its groups, or of the groups for all
 * if none names it. robots-parser gets these rules alone: left to itself it ends a group at any other line, keeps text
 * behind the product token as part of the name, and compares paths as they are spelled.
 */
import { canonicalUrl } from '../model/canonical-url.js';
import { MAX_URL_BYTES } from '../model/url-list.js';
import { comparablePattern } from './comparable-path.js';

/** RFC 9309, section 2.5: at least this much is parsed. */
const MAX_BYTES = 500 * 1024;
const MAX_SITEMAPS = 1000;
const MAX_CRAWL_DELAY_MS = 60e3;
/** No URL that the crawler takes is longer than this in its comparable form, in which an octet may take three. */
const MAX_PATTERN = 3 * MAX_URL_BYTES;
/**
 * A pattern with wildcards costs its length times the path's. Once these together are longer than any site needs, what
 * follows is read on the safe side: a Disallow ends at its first wildcard, an Allow is left out.
 */
const MAX_WILDCARD_OCTETS = 32 * 1024;

export interface RobotsLine {
  readonly isAllow: boolean;
  /** In comparable form. */
  readonly pattern: string;
  /** As it stands in the file. */
  readonly value: string;
  /** The line's number in the file, from 1. */
  readonly line: number;
}

export interface RobotsText {
  readonly rules: readonly RobotsLine[];
  /** Milliseconds; 0 if none is asked for. */
  readonly crawlDelay: number;
  /** Canonical URLs. */
  readonly sitemaps: readonly string[];
}

/** What the groups for one kind of crawler say together. */
class Group {
  isNamed = false;
  crawlDelay = 0;
  readonly rules: RobotsLine[] = [];
  #wildcardOctets = 0;

  addRule(isAllow: boolean, octets: string, line: number): void {
    const bytes = Buffer.from(octets, 'latin1');
    const pattern = comparablePattern(bytes);
    // Every path begins with a slash, so that no other pattern ever matches.
    if (!pattern.startsWith('/') && !pattern.startsWith('*')) return;
    if (pattern.length - countStars(pattern) > MAX_PATTERN) return;
    const star = pattern.indexOf('*');
    if (star >= 0) this.#wildcardOctets += pattern.length;
    const isWhole = star < 0 || this.#wildcardOctets <= MAX_WILDCARD_OCTETS;
    if (!isWhole && isAllow) return;
    this.rules.push({
      isAllow,
      pattern: isWhole ? pattern : pattern.slice(0, star) || '/',
      value: bytes.toString(),
      line,
    });
  }
}

function countStars(pattern: string): number {
  let count = 0;
  for (let at = pattern.indexOf('*'); at >= 0; at = pattern.indexOf('*', at + 1)) count++;
  return count;
}

/** The part of a name that is a product token, in lower case: letters, `-` and `_`. */
export function productToken(name: string): string {
  return /^[a-z_-]*/.exec(name.trim().toLowerCase())![0];
}

/** `token` is the crawler's product token; `origin` is where the file came from. */
export function readRobotsText(body: Uint8Array, length: number, token: string, origin: string): RobotsText {
  const text = decode(body, length);
  const own = new Group();
  const others = new Group();
  const sitemaps = new Set<string>();
  let isOwn = false;
  let isForAll = false;
  /** A rule was read since the last User-agent line: the next one begins another group. */
  let isClosed = true;
  let number = 0;
  for (const line of text.split(/\r\n|\r|\n/)) {
    number++;
    const hash = line.indexOf('#');
    const colon = line.indexOf(':');
    if (colon < 0 || (hash >= 0 && hash < colon)) continue;
    const name = trimBlanks(line, 0, colon).toLowerCase();
    const value = trimBlanks(line, colon + 1, hash < 0 ? line.length : hash);
    switch (name) {
      case 'user-agent':
        if (isClosed) {
          isOwn = false;
          isForAll = false;
          isClosed = false;
        }
        if (token !== '' && productToken(value) === token) isOwn = own.isNamed = true;
        else if (/^\*(?:\s|$)/.test(value)) isForAll = true;
        break;
      case 'allow':
      case 'disallow': {
        isClosed = true;
        if (value === '') break;
        const isAllow = name === 'allow';
        if (isOwn) own.addRule(isAllow, value, number);
        if (isForAll) others.addRule(isAllow, value, number);
        break;
      }
      case 'crawl-delay': {
        const delay = readDelay(value);
        if (isOwn) own.crawlDelay = Math.max(own.crawlDelay, delay);
        if (isForAll) others.crawlDelay = Math.max(others.crawlDelay, delay);
        break;
      }
      case 'sitemap': {
        if (value === '' || sitemaps.size >= MAX_SITEMAPS) break;
        const url = canonicalUrl(Buffer.from(value, 'latin1').toString('utf8'), `${origin}/`);
        if (url !== null) sitemaps.add(url);
        break;
      }
    }
  }
  const { rules, crawlDelay } = own.isNamed ? own : others;
  return { rules, crawlDelay, sitemaps: [...sitemaps] };
}

/**
 * An octet a character, as patterns are compared octet by octet: UTF-8 and what is none alike. A page of HTML that is
 * served in place of rules holds none.
 */
function decode(body: Uint8Array, length: number): string {
  const hasMark = body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf;
  const text = Buffer.from(body.buffer, body.byteOffset, Math.min(length, MAX_BYTES)).toString(
    'latin1',
    hasMark ? 3 : 0,
  );
  if (/^\s*</.test(text)) return '';
  if (length <= MAX_BYTES) return text;
  // Half a line could forbid more than the whole one.
  return text.slice(0, Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1);
}

/** Blanks of ASCII alone: in UTF-8 others are parts of characters. Walks, as a pattern would try each run of blanks anew. */
function trimBlanks(line: string, start: number, end: number): string {
  while (start < end && isBlank(line.charCodeAt(start))) start++;
  while (start < end && isBlank(line.charCodeAt(end - 1))) end--;
  return line.slice(start, end);
}

function isBlank(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0c);
}

function readDelay(value: string): number {
  const seconds = /^\d+(?:\.\d+)?$/.test(value) ? Number(value) : 0;
  return Math.min(Math.ceil(seconds * 1000), MAX_CRAWL_DELAY_MS);
}
