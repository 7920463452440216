/**
 * What counts as a link: `a` and `area` href, `frame` and `iframe` src, `link` href by its rel, `meta` refresh;
 * and what else a page's tags say to a crawler: the base, and the robots directives.
 */
import { decodeValue, MAX_DECODED_GROWTH } from './character-references.js';
import {
  A_LETTER,
  ALTERNATE,
  AREA_LETTER,
  BASE_LETTER,
  CANONICAL,
  FRAME_LETTER,
  HTTP_EQUIV_LETTER,
  LINK_LETTER,
  NAME_LETTER,
  NEXT,
  NOFOLLOW,
  PREV,
  PREVIOUS,
  REFRESH,
  REL_LETTER,
} from './elements.js';
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
import { refreshUrl } from './meta-refresh.js';
import type { RobotsDirectives } from './robots-directives.js';
import { SmallValue } from './small-value.js';

/** By rank. */
const RELATIONS = [
  { names: [NEXT], kind: LINK_NEXT },
  { names: [PREV, PREVIOUS], kind: LINK_PREV },
  { names: [CANONICAL], kind: LINK_CANONICAL },
  { names: [ALTERNATE], kind: LINK_ALTERNATE },
];
const NOFOLLOWS = [NOFOLLOW];

const encoder = new TextEncoder();

export class LinkReader {
  readonly #robots: RobotsDirectives;
  #links: LinkList;
  /** What the attributes before a link said. */
  readonly #rel = new SmallValue();
  readonly #name = new SmallValue();
  readonly #pragma = new SmallValue();
  readonly #content = new SmallValue();

  constructor(robots: RobotsDirectives, links: LinkList) {
    this.#robots = robots;
    this.#links = links;
  }

  /** Where the links of the next page go. */
  begin(links: LinkList): void {
    this.#links = links;
  }

  /** One attribute of a tag; what says what a link is comes before the link. */
  attribute(letter: number, memory: Uint8Array, start: number, end: number): void {
    switch (letter) {
      case A_LETTER:
        this.#hyperlink(LINK_ANCHOR, memory, start, end);
        break;
      case REL_LETTER:
        this.#rel.set(memory, start, end);
        return;
      case NAME_LETTER:
        this.#name.set(memory, start, end);
        return;
      case HTTP_EQUIV_LETTER:
        this.#pragma.set(memory, start, end);
        return;
      case AREA_LETTER:
        this.#hyperlink(LINK_AREA, memory, start, end);
        break;
      case BASE_LETTER:
        this.#base(memory, start, end);
        break;
      case FRAME_LETTER:
        this.#link(LINK_FRAME, memory, start, end);
        break;
      case LINK_LETTER:
        this.#linkElement(memory, start, end);
        break;
      default:
        this.#meta(memory, start, end);
    }
    this.#rel.clear();
    this.#name.clear();
    this.#pragma.clear();
  }

  #hyperlink(kind: number, memory: Uint8Array, start: number, end: number): void {
    this.#link(this.#rel.hasToken(NOFOLLOWS) ? kind | LINK_NOFOLLOW : kind, memory, start, end);
  }

  #linkElement(memory: Uint8Array, start: number, end: number): void {
    const relation = RELATIONS.find(({ names }) => this.#rel.hasToken(names));
    if (relation !== undefined) this.#hyperlink(relation.kind, memory, start, end);
  }

  #meta(memory: Uint8Array, start: number, end: number): void {
    if (this.#robots.areNamed(this.#name)) {
      this.#content.set(memory, start, end);
      this.#robots.apply(this.#content.toString(), this.#links);
    }
    if (!this.#pragma.is(REFRESH)) return;
    this.#content.set(memory, start, end);
    const url = refreshUrl(this.#content.toString());
    if (url !== null) this.#links.append(encoder.encode(url), LINK_REFRESH);
  }

  #base(memory: Uint8Array, start: number, end: number): void {
    if (this.#links.baseLength >= 0) return;
    const base = this.#links.reserveBase(MAX_DECODED_GROWTH * (end - start));
    this.#links.baseLength = decodeValue(memory, start, end, base, 0);
  }

  #link(kind: number, memory: Uint8Array, start: number, end: number): void {
    const links = this.#links;
    const at = links.reserve(MAX_DECODED_GROWTH * (end - start));
    if (at >= 0) links.commit(decodeValue(memory, start, end, links.bytes, at), kind);
  }
}
