/**
 * URL <-> page of a synthetic web, on bytes. A URL is made of prepared pieces and two numbers, so that it can
 * be read back: the first digits of the host are the site, the last digits of the path the page in its site.
 *
 *   scheme://  host piece  SITE  host piece   directory  piece  PAGE  piece
 *   http://    www.garden  12    .example     /docs/guide/  view.php?id=  7  &lang=en
 *
 * Beside its pages a site has `/robots.txt` and, for page j, `/go/1/j` (redirects to it) and `/go/2/j`
 * (redirects to `/go/1/j`). Paths below `/gone/` and `/decoy/` never exist.
 */
import { mix } from './synthetic-hash.js';
import { type Piece, piece, pieces, putNumber, putPiece } from './synthetic-pieces.js';
import type { SyntheticSites } from './synthetic-sites.js';
import type { SyntheticSpec } from './synthetic-spec.js';

const encoder = new TextEncoder();

const HTTP = encoder.encode('http://');
const HTTPS = encoder.encode('https://');
const SCHEMES = pieces(['http://', 'https://']);
const HOST_BEFORE = pieces([
  ...['www.garden', 'www.river', 'www.stone-', 'news', 'blog.harbour', 'shop-', 'the-mill', 'wiki.field'],
  ...['library', 'forum.north', 'old-town', 'www.lantern', 'museum', 'radio', 'en.atlas', 'people.hill'],
]);
const HOST_AFTER = pieces(['.example', '.test', '-online.example', '.co.test', 'x.example', '.org.example']);
/** Robots rules speak of directories by their place in this list; see synthetic-robots.ts. */
const DIRECTORIES = pieces([
  ...['/docs/', '/docs/guide/', '/news/', '/a/', '/products/', '/people/', '/archive/old/', '/img/gallery/'],
  ...['/forum/', '/~staff/', '/en/about/', '/wiki/', '/data/', '/private/open/', '/private/', '/tmp/'],
]);
const BEFORE_NUMBER = [
  ...['report-', '', 'view.php?id=', 'item/', '?page=', 'archive/', 'list.cgi?cat=books&item=', 'post-'],
  ...['photo', 'story_', 'index.asp?a=b&c=d&n=', 'p', 'The-', '?q=all&s=', 'chapter', 'show;'],
];
const AFTER_NUMBER = [
  ...['.html', '/', '&lang=en', '', '&copy=on', '/index.html', '', '.htm'],
  ...['.htm', '.shtml', '&sort=asc', '/', '-story', '', '.xhtml', ''],
];

/** What surrounds the number of a page, in each spelling of the ampersand. */
interface Tails {
  readonly before: readonly Piece[];
  readonly after: readonly Piece[];
}

function tails(ampersand: string): Tails {
  const spell = (texts: readonly string[]) => pieces(texts.map((text) => text.replaceAll('&', ampersand)));
  return { before: spell(BEFORE_NUMBER), after: spell(AFTER_NUMBER) };
}

/** The path as it is, which is also one of the ways to write it in markup. */
export const BARE = tails('&');
export const NAMED = tails('&amp;');
export const NUMERIC = tails('&#38;');

const GO = encoder.encode('/go/');
const GO_PIECE = piece('/go/');
const GONE = piece('/gone/');
const ROBOTS = encoder.encode('/robots.txt');
const NOWHERE_BEFORE = piece('nowhere');
const NOWHERE_AFTER = piece('.example');

const HOST_SALT = 11;
const PATH_SALT = 12;
const SLASH = 47;
const ZERO = 48;
/** No URL of a synthetic web is longer. */
export const LONGEST_URL = 128;

export type UrlKind = 'page' | 'redirect' | 'robots' | 'missing';

export class SyntheticUrls {
  /** What the last `read` found. `site` is -1 if the host or the scheme is nobody's. */
  kind: UrlKind = 'missing';
  site = -1;
  /** The page in its site; for a redirect the page it ends at. */
  local = 0;
  /** Requests from a redirect to its page: 1 or 2. */
  hops = 0;
  readonly #sites: SyntheticSites;
  readonly #hostSalt: number;
  readonly #pathSalt: number;
  readonly #bytes = new Uint8Array(LONGEST_URL);
  readonly #scratch = new DataView(this.#bytes.buffer);

  constructor(spec: SyntheticSpec, sites: SyntheticSites) {
    this.#sites = sites;
    this.#hostSalt = mix(HOST_SALT, spec.seed);
    this.#pathSalt = mix(PATH_SALT, spec.seed);
  }

  isHttps(site: number): boolean {
    return mix(this.#hostSalt, site) >>> 29 === 0;
  }

  putScheme(site: number, into: DataView, at: number): number {
    return putPiece(SCHEMES[this.isHttps(site) ? 1 : 0]!, into, at);
  }

  putHost(site: number, into: DataView, at: number): number {
    const hash = mix(this.#hostSalt, site);
    let end = putPiece(HOST_BEFORE[hash & 15]!, into, at);
    end = putNumber(site, into, end);
    return putPiece(HOST_AFTER[((hash >>> 4) & 0xffff) % HOST_AFTER.length]!, into, end);
  }

  /** A host that no site has. */
  putMissingHost(number: number, into: DataView, at: number): number {
    const end = putNumber(number, into, putPiece(NOWHERE_BEFORE, into, at));
    return putPiece(NOWHERE_AFTER, into, end);
  }

  putPath(site: number, local: number, into: DataView, at: number, spelling = BARE): number {
    if (local === 0) {
      into.setUint8(at, SLASH);
      return at + 1;
    }
    const hash = this.#pathHash(site, local);
    let end = putPiece(DIRECTORIES[hash & 15]!, into, at);
    end = putPiece(spelling.before[(hash >>> 4) & 15]!, into, end);
    end = putNumber(local, into, end);
    return putPiece(spelling.after[(hash >>> 4) & 15]!, into, end);
  }

  putRedirectPath(hops: number, local: number, into: DataView, at: number): number {
    const end = putNumber(hops, into, putPiece(GO_PIECE, into, at));
    into.setUint8(end, SLASH);
    return putNumber(local, into, end + 1);
  }

  putMissingPath(number: number, into: DataView, at: number): number {
    return putNumber(number, into, putPiece(GONE, into, at));
  }

  /** Place of the page's directory in the list of directories; -1 for a root page. */
  directoryOf(site: number, local: number): number {
    return local === 0 ? -1 : this.#pathHash(site, local) & 15;
  }

  urlOf(page: number): string {
    const site = this.#sites.siteOf(page);
    let end = this.putScheme(site, this.#scratch, 0);
    end = this.putHost(site, this.#scratch, end);
    end = this.putPath(site, page - this.#sites.root(site), this.#scratch, end);
    return String.fromCharCode(...this.#bytes.subarray(0, end));
  }

  /** The site of a host, or -1. */
  siteOfHost(host: string): number {
    const bytes = encoder.encode(host);
    return this.#readHost(bytes, 0, bytes.length);
  }

  /** Says what `url[start, end)` is; the fields hold the answer until the next call. */
  read(url: Uint8Array, start: number, end: number): UrlKind {
    this.kind = 'missing';
    this.site = -1;
    const https = url[start + 4] === HTTPS[4];
    const hostStart = start + (https ? HTTPS : HTTP).length;
    let hostEnd = hostStart;
    while (hostEnd < end && url[hostEnd] !== SLASH) hostEnd++;
    if (hostEnd >= end || !startsWith(https ? HTTPS : HTTP, url, start, end)) return this.kind;
    const site = this.#readHost(url, hostStart, hostEnd);
    if (site < 0 || this.isHttps(site) !== https) return this.kind;
    this.site = site;
    this.#readPath(url, hostEnd, end);
    return this.kind;
  }

  #pathHash(site: number, local: number): number {
    return mix(this.#pathSalt, this.#sites.root(site) + local);
  }

  #readHost(bytes: Uint8Array, start: number, end: number): number {
    let at = start;
    while (at < end && !isDigit(bytes[at]!)) at++;
    let site = 0;
    for (; at < end && isDigit(bytes[at]!); at++) site = 10 * site + bytes[at]! - ZERO;
    if (site >= this.#sites.count || end - start > LONGEST_URL) return -1;
    return this.#isScratch(this.putHost(site, this.#scratch, 0), bytes, start, end) ? site : -1;
  }

  #readPath(url: Uint8Array, start: number, end: number): void {
    if (end - start > LONGEST_URL) return;
    const scratch = this.#scratch;
    let last = end - 1;
    while (last > start && !isDigit(url[last]!)) last--;
    let local = 0;
    for (let at = last, unit = 1; isDigit(url[at]!); at--, unit *= 10) local += unit * (url[at]! - ZERO);
    if (startsWith(GO, url, start, end)) {
      this.hops = url[start + GO.length]! - ZERO;
      const known = (this.hops === 1 || this.hops === 2) && local < this.#sites.size(this.site);
      const length = known ? this.putRedirectPath(this.hops, local, scratch, 0) : 0;
      if (this.#isScratch(length, url, start, end)) this.kind = 'redirect';
    } else if (end - start === ROBOTS.length && startsWith(ROBOTS, url, start, end)) {
      this.kind = 'robots';
    } else {
      const length = local < this.#sites.size(this.site) ? this.putPath(this.site, local, scratch, 0) : 0;
      if (this.#isScratch(length, url, start, end)) this.kind = 'page';
    }
    this.local = local;
  }

  #isScratch(length: number, bytes: Uint8Array, start: number, end: number): boolean {
    if (length !== end - start) return false;
    for (let i = 0; i < length; i++) if (this.#bytes[i] !== bytes[start + i]) return false;
    return true;
  }
}

function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= ZERO + 9;
}

function startsWith(prefix: Uint8Array, bytes: Uint8Array, start: number, end: number): boolean {
  if (end - start < prefix.length) return false;
  for (let i = 0; i < prefix.length; i++) if (bytes[start + i] !== prefix[i]) return false;
  return true;
}
