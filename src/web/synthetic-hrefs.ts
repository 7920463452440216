/**
 * Writes a link the way people write links: relative to the directory, with `../`, from the root, without the
 * scheme, whole, with the host in capitals, with `&amp;` or a bare `&`, with a fragment; quoted or not, in
 * tags of every look. Whatever the form, the URL standard makes the same URL of it.
 */
import { DEAD, STRAIGHT } from './synthetic-links.js';
import { type Piece, piece, putPiece } from './synthetic-pieces.js';
import { BARE, LONGEST_URL, NAMED, NUMERIC, type SyntheticUrls } from './synthetic-urls.js';

interface Frame {
  readonly open: Piece;
  /** Each ends the value and the tag, with another text. */
  readonly closes: readonly Piece[];
}

const TEXTS = ['more', 'the old mill', 'letters &amp; <b>wool</b>', 'read on &raquo;'];

function frame(open: string, close: string): Frame {
  return { open: piece(open), closes: TEXTS.map((text) => piece(close.replace('TEXT', text))) };
}

const PLAIN = frame('<a href="', '">TEXT</a> ');
/** Drawn by four bits: the plain form is the most common. */
const FRAMES: readonly Frame[] = [
  ...[PLAIN, PLAIN, PLAIN, PLAIN],
  frame('<a class="k" href="', '">TEXT</a>, '),
  frame("<a href='", "'>TEXT</a> "),
  frame('<a href=', '>TEXT</a>\n'),
  frame('<a id=n href=', ' class=k>TEXT</a> '),
  frame('<A HREF="', '">TEXT</A> '),
  frame('<a\n  title="1 > 0"\n  href="', '"\n>TEXT</a> '),
  frame('<a href="  ', ' ">TEXT</a>. '),
  frame("<li><A Class=k HREF = '", "' >TEXT</A ></li>"),
  frame('<a data-href="/decoy/attribute" href="', '" rel="bookmark">TEXT</a> '),
  frame('<a title=\'href="/decoy/quoted"\' href="', '">TEXT</a> '),
  frame('<area shape="rect" coords="0,0,9,9" href="', '" alt="TEXT">'),
  frame('<iframe width=300 src="', '"></iframe>'),
];
const NAVIGATION = frame('<li class="nav"><a href="', '">TEXT</a></li>\n');
const SPELLINGS = [NAMED, NAMED, BARE, NUMERIC];
const FRAGMENTS = [piece('#top'), piece('#a/b?c')];
const SCHEME_RELATIVE = piece('//');
const DOT = 46;
const SLASH = 47;
const QUESTION = 63;

/** No link, from the start of its tag to the end of its element, is longer. */
export const LONGEST_LINK = 3 * LONGEST_URL;

export class HrefWriter {
  readonly #urls: SyntheticUrls;
  readonly #base = new Uint8Array(LONGEST_URL);
  readonly #baseView = new DataView(this.#base.buffer);
  /** The base's directory is `base[0, directoryEnd)`, this many levels below the root. */
  #directoryEnd = 1;
  #depth = 0;
  #site = 0;
  #isHttps = false;

  /** How far a link of this page was written before it was made shorter: what stood up to there is gone. */
  reach = 0;

  constructor(urls: SyntheticUrls) {
    this.#urls = urls;
  }

  /** The page that the links stand on. */
  setBase(site: number, local: number): void {
    this.#site = site;
    this.reach = 0;
    this.#isHttps = this.#urls.isHttps(site);
    const end = this.#urls.putPath(site, local, this.#baseView, 0);
    this.#directoryEnd = 1;
    this.#depth = 0;
    for (let i = 1; i < end && this.#base[i] !== QUESTION; i++) {
      if (this.#base[i] !== SLASH) continue;
      this.#directoryEnd = i + 1;
      this.#depth++;
    }
  }

  /** A navigation link: the same bytes on every page of the site. */
  putNavigation(site: number, local: number, way: number, into: DataView, at: number): number {
    const end = this.#putPath(site, local, way, NAMED, into, putPiece(NAVIGATION.open, into, at));
    return putPiece(NAVIGATION.closes[local % TEXTS.length]!, into, end);
  }

  /** One link of the plan; `draw`, 32 bits, chooses its look. */
  put(site: number, local: number, way: number, draw: number, into: DataView, at: number): number {
    const look = FRAMES[draw & 15]!;
    let end = putPiece(look.open, into, at);
    end = this.#putUrl(site, local, way, draw, into, end);
    if (draw >>> 29 === 0) end = putPiece(FRAGMENTS[(draw >>> 28) & 1]!, into, end);
    return putPiece(look.closes[(draw >>> 4) & 3]!, into, end);
  }

  #putUrl(site: number, local: number, way: number, draw: number, into: DataView, at: number): number {
    const form = (draw >>> 8) & 7;
    const spelling = SPELLINGS[(draw >>> 6) & 3]!;
    let end = at;
    if (site !== this.#site) {
      const isRelative = form === 0 && this.#urls.isHttps(site) === this.#isHttps;
      end = this.#putOrigin(site, local, isRelative, form === 1, into, end);
    } else if (form >= 2 && form < 5) {
      end = this.#putOrigin(site, local, form === 2, form === 3, into, end);
    } else if (form >= 5) {
      end = this.#putWayUp(into, end);
    }
    const pathEnd = this.#putPath(site, local, way, spelling, into, end);
    this.reach = Math.max(this.reach, pathEnd);
    return form === 7 && site === this.#site ? this.#dropDirectory(into, at, end, pathEnd) : pathEnd;
  }

  /** Up to the root, for a path that begins with a slash to follow: `.`, `..`, `../..` */
  #putWayUp(into: DataView, at: number): number {
    let end = at;
    for (let level = 0; level < this.#depth; level++) {
      if (level > 0) into.setUint8(end++, SLASH);
      into.setUint8(end++, DOT);
      into.setUint8(end++, DOT);
    }
    if (this.#depth === 0) into.setUint8(end++, DOT);
    return end;
  }

  /** Makes a path of the base's own directory relative to it; `[at, pathAt)` is the way up. */
  #dropDirectory(into: DataView, at: number, pathAt: number, pathEnd: number): number {
    const restAt = pathAt + this.#directoryEnd;
    if (pathEnd < restAt) return pathEnd;
    for (let i = 0; i < this.#directoryEnd; i++)
      if (into.getUint8(pathAt + i) !== this.#base[i]) return pathEnd;
    let end = at;
    if (restAt === pathEnd || into.getUint8(restAt) === QUESTION) {
      into.setUint8(end++, DOT);
      into.setUint8(end++, SLASH);
    }
    for (let i = restAt; i < pathEnd; i++) into.setUint8(end++, into.getUint8(i));
    return end;
  }

  #putPath(
    site: number,
    local: number,
    way: number,
    spelling: typeof BARE,
    into: DataView,
    at: number,
  ): number {
    if (way === STRAIGHT) return this.#urls.putPath(site, local, into, at, spelling);
    if (way === DEAD) return this.#urls.putMissingPath(local, into, at);
    return this.#urls.putRedirectPath(way, local, into, at);
  }

  #putOrigin(
    site: number,
    local: number,
    isRelative: boolean,
    isUpper: boolean,
    into: DataView,
    at: number,
  ): number {
    let end = isRelative ? putPiece(SCHEME_RELATIVE, into, at) : this.#urls.putScheme(site, into, at);
    end = site < 0 ? this.#urls.putMissingHost(local, into, end) : this.#urls.putHost(site, into, end);
    if (isUpper) {
      for (let i = at; i < end; i++) {
        const byte = into.getUint8(i);
        if (byte >= 97) into.setUint8(i, byte - 32);
      }
    }
    return end;
  }
}
