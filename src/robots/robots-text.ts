/**
 * Reads a robots.txt by RFC 9309 and keeps what concerns one crawler: the rules of its groups, or of the groups for all
 * if none names it. robots-parser gets these rules alone: left to itself it ends a group at any other line, keeps text
 * behind the product token as part of the name, and compares paths as they are spelled.
 */
import { canonicalUrl } from '../model/canonical-url.js';
import { productToken } from '../model/product-token.js';
import { MAX_URL_BYTES } from '../model/url-list.js';
import type { FetchedPage } from '../model/web.js';
import { comparablePattern } from './comparable-path.js';
import { readRobotsLine } from './robots-line.js';

/** RFC 9309, section 2.5: at least this much is parsed. */
export const MOST_PARSED = 500 * 1024;
const MAX_SITEMAPS = 1000;
const MAX_CRAWL_DELAY_MS = 60e3;
/** No URL that the crawler takes is longer than this in its comparable form, in which an octet may take three. */
const MAX_PATTERN = 3 * MAX_URL_BYTES;
/**
 * Patterns with wildcards cost their octets times the path's. Once these together are longer than any site needs, what
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

/** What came for a robots.txt: `body[0, bodyLength)`, without its rest if `isTruncated`. */
export type RobotsFile = Pick<FetchedPage, 'body' | 'bodyLength' | 'isTruncated'>;

/** `token` is the crawler's product token; `origin` is where the file came from. */
export function readRobotsText(file: RobotsFile, token: string, origin: string): RobotsText {
  const own = new Group();
  const others = new Group();
  const sitemaps = new Set<string>();
  let isOwn = false;
  let isForAll = false;
  /** A rule was read since the last User-agent line: the next one begins another group. */
  let isClosed = true;
  let number = 0;
  for (const line of decode(file).split(/\r\n|\r|\n/)) {
    number++;
    const statement = readRobotsLine(line);
    if (statement === null) continue;
    const { kind, value } = statement;
    switch (kind) {
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
        const isAllow = kind === 'allow';
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

/** An octet a character, as patterns are compared octet by octet: UTF-8 and what is none alike. */
function decode({ body, bodyLength, isTruncated }: RobotsFile): string {
  const hasMark = body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf;
  const text = Buffer.from(body.buffer, body.byteOffset, Math.min(bodyLength, MOST_PARSED)).toString(
    'latin1',
    hasMark ? 3 : 0,
  );
  if (bodyLength <= MOST_PARSED && !isTruncated) return text;
  // Half a Disallow could forbid more than the whole one, and half an Allow let more through.
  return text.slice(0, Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1);
}

/** The number that a delay begins with: `5`, `2.5`, `10s`. */
function readDelay(value: string): number {
  const seconds = /^(?:\d+(?:[.,]\d+)?|[.,]\d+)/.exec(value)?.[0].replace(',', '.') ?? '0';
  return Math.min(Math.ceil(Number(seconds) * 1000), MAX_CRAWL_DELAY_MS);
}
