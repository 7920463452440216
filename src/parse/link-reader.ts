/**
 * What counts as a link: `a` and `area` href, `frame` and `iframe` src, `link` href by its rel, `meta` refresh;
 * and what else a page's tags say to a crawler: the base, and the robots directives.
 */
import { decodeValue, MAX_DECODED_GROWTH } from './character-references.js';
import {
  LINK_ALTERNATE,
  LINK_ANCHOR,
  LINK_AREA,
  LINK_CANONICAL,
  LINK_FRAME,
  LINK_NEXT,
  LINK_NOFOLLOW,
  LINK_PREV,
  LINK_REFRESH,
  type LinkList,
} from './link-list.js';
import { AMPERSAND, asciiBytes, isSpace, matchesWord } from './markup-bytes.js';
import { refreshUrl } from './meta-refresh.js';
import type { RobotsDirectives } from './robots-directives.js';
import type { SaxTag } from './sax-tags.js';

const NOFOLLOW = asciiBytes('nofollow');
/** By rank: of several relations the first here is the link's kind. */
const RELATIONS = (
  [
    ['next', LINK_NEXT],
    ['prev', LINK_PREV],
    ['previous', LINK_PREV],
    ['canonical', LINK_CANONICAL],
    ['alternate', LINK_ALTERNATE],
  ] as const
).map(([name, kind]) => ({ name: asciiBytes(name), kind }));

/** First letters of the attributes that the scanner keeps. */
const CONTENT = 0x63;
const HREF = 0x68;
const HTTP_EQUIV = 0x68;
const NAME = 0x6e;
const REL = 0x72;
const SRC = 0x73;

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const encoder = new TextEncoder();

export class LinkReader {
  readonly #robots: RobotsDirectives;
  #links: LinkList;
  #scratch = new Uint8Array(1024);

  constructor(robots: RobotsDirectives, links: LinkList) {
    this.#robots = robots;
    this.#links = links;
  }

  /** Where the links of the next page go. */
  begin(links: LinkList): void {
    this.#links = links;
  }

  tag(tag: SaxTag): void {
    const { nameLength } = tag;
    if (nameLength === 1) this.#hyperlink(tag, LINK_ANCHOR);
    else if (nameLength > 4) this.#link(tag, SRC, LINK_FRAME);
    else {
      const first = tag.bytes[tag.nameStart];
      if (first === 0x61) this.#hyperlink(tag, LINK_AREA);
      else if (first === 0x62) this.#base(tag);
      else if (first === 0x6c) this.#linkElement(tag);
      else this.#meta(tag);
    }
  }

  #hyperlink(tag: SaxTag, kind: number): void {
    const nofollow = tag.find(REL) && this.#hasToken(tag, NOFOLLOW);
    this.#link(tag, HREF, nofollow ? kind | LINK_NOFOLLOW : kind);
  }

  #linkElement(tag: SaxTag): void {
    if (!tag.find(REL)) return;
    const relation = RELATIONS.find(({ name }) => this.#hasToken(tag, name));
    if (relation === undefined) return;
    this.#link(tag, HREF, this.#hasToken(tag, NOFOLLOW) ? relation.kind | LINK_NOFOLLOW : relation.kind);
  }

  #meta(tag: SaxTag): void {
    const name = tag.find(NAME) ? this.#text(tag) : '';
    const pragma = tag.find(HTTP_EQUIV) ? this.#text(tag) : '';
    if (!tag.find(CONTENT)) return;
    if (name !== '') this.#robots.meta(name, this.#text(tag), this.#links);
    if (pragma.toLowerCase() !== 'refresh') return;
    const url = refreshUrl(this.#text(tag));
    if (url === null) return;
    const bytes = encoder.encode(url);
    const start = this.#links.reserve(bytes.length);
    if (start < 0) return;
    this.#links.bytes.set(bytes, start);
    this.#links.commit(start + bytes.length, LINK_REFRESH);
  }

  #base(tag: SaxTag): void {
    if (this.#links.baseLength >= 0 || !tag.find(HREF)) return;
    const base = this.#links.reserveBase(MAX_DECODED_GROWTH * (tag.end - tag.start));
    this.#links.baseLength = decodeValue(tag.bytes, tag.start, tag.end, base, 0);
  }

  #link(tag: SaxTag, attribute: number, kind: number): void {
    if (!tag.find(attribute)) return;
    const links = this.#links;
    const start = links.reserve(MAX_DECODED_GROWTH * (tag.end - tag.start));
    if (start < 0) return;
    links.commit(decodeValue(tag.bytes, tag.start, tag.end, links.bytes, start), kind);
  }

  /** Whether the value found is a list of tokens, parted by whitespace, with `token` in it, in any case. */
  #hasToken(tag: SaxTag, token: Uint8Array): boolean {
    let { bytes, start, end } = tag;
    if (end - start < token.length) return false;
    if (bytes.subarray(start, end).includes(AMPERSAND)) {
      end = this.#decode(tag);
      bytes = this.#scratch;
      start = 0;
    }
    for (let at = start; at < end; at++) {
      if (isSpace(bytes[at]!)) continue;
      const first = at;
      while (at < end && !isSpace(bytes[at]!)) at++;
      if (at - first === token.length && matchesWord(bytes, first, token)) return true;
    }
    return false;
  }

  #text(tag: SaxTag): string {
    return decoder.decode(this.#scratch.subarray(0, this.#decode(tag)));
  }

  /** Decodes the value found into the scratch bytes; returns its length there. */
  #decode(tag: SaxTag): number {
    const room = MAX_DECODED_GROWTH * (tag.end - tag.start);
    if (room > this.#scratch.length) this.#scratch = new Uint8Array(room);
    return decodeValue(tag.bytes, tag.start, tag.end, this.#scratch, 0);
  }
}
