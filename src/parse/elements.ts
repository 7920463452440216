/**
 * The elements whose tags the scanner must know by name: those that can carry a link, those whose content is
 * not markup, and those that change how the tags after them are read. All other tags are only skipped.
 */
import { asciiBytes, matchesWord } from './markup-bytes.js';

/**
 * Attributes that matter, one bit each. A tag goes to sax-wasm as a run of attributes named by single letters, in this
 * order: those that say what the link is, each by its own letter, then the link, by the letter of its element.
 */
export const REL = 1;
export const NAME = 2;
export const HTTP_EQUIV = 4;
export const CONTENT = 8;
export const HREF = 16;
export const SRC = 32;
export const FIRST_LINK_BIT = CONTENT;
export const ATTRIBUTE_COUNT = 6;
export const REL_INDEX = 0;
export const NAME_INDEX = 1;
export const HTTP_EQUIV_INDEX = 2;
export const HREF_INDEX = 4;

const ATTRIBUTES = ['rel', 'name', 'http-equiv', 'content', 'href', 'src'].map((name, i) => ({
  name: asciiBytes(name),
  bit: 1 << i,
  index: i,
}));
export type Attribute = (typeof ATTRIBUTES)[number];

function letter(character: string): number {
  return character.charCodeAt(0);
}
export const REL_LETTER = letter('e');
export const NAME_LETTER = letter('n');
export const HTTP_EQUIV_LETTER = letter('h');
export const ATTRIBUTE_LETTERS = [REL_LETTER, NAME_LETTER, HTTP_EQUIV_LETTER];
export const A_LETTER = letter('a');
export const AREA_LETTER = letter('r');
export const BASE_LETTER = letter('b');
export const FRAME_LETTER = letter('f');
export const LINK_LETTER = letter('l');
export const META_LETTER = letter('m');

/** How the text after a start tag is read. */
export type Content = 'markup' | 'raw' | 'script' | 'plaintext' | 'foreign';

export interface Element {
  readonly name: Uint8Array;
  readonly label: string;
  readonly content: Content;
  /** The attributes to keep; 0 for an element that carries no link. */
  readonly wanted: number;
  /** A tag without all of these carries no link. */
  readonly needed: number;
  /** Nor does one without any of these, if there are any. */
  readonly neededOne: number;
  /** What its `rel` can say that matters. */
  readonly relations: readonly Uint8Array[];
  /** What its link is called. */
  readonly letter: number;
}

function element(label: string, content: Content, link: Partial<Element> = {}): Element {
  const plain = { letter: 0, wanted: 0, needed: 0, neededOne: 0, relations: [] };
  return { name: asciiBytes(label), label, content, ...plain, ...link };
}

export const NOFOLLOW = asciiBytes('nofollow');
/** Relations that make a `link` element a link, by rank: of several the first here is the link's kind. */
export const NEXT = asciiBytes('next');
export const PREV = asciiBytes('prev');
export const PREVIOUS = asciiBytes('previous');
export const CANONICAL = asciiBytes('canonical');
export const ALTERNATE = asciiBytes('alternate');
const relations = [NEXT, PREV, PREVIOUS, CANONICAL, ALTERNATE];
export const REFRESH = asciiBytes('refresh');

const ELEMENTS = [
  element('a', 'markup', { letter: A_LETTER, wanted: HREF | REL, needed: HREF, relations: [NOFOLLOW] }),
  element('area', 'markup', { letter: AREA_LETTER, wanted: HREF | REL, needed: HREF, relations: [NOFOLLOW] }),
  element('base', 'markup', { letter: BASE_LETTER, wanted: HREF, needed: HREF }),
  element('frame', 'markup', { letter: FRAME_LETTER, wanted: SRC, needed: SRC }),
  element('frameset', 'markup'),
  element('iframe', 'raw', { letter: FRAME_LETTER, wanted: SRC, needed: SRC }),
  element('input', 'markup'),
  element('keygen', 'markup'),
  element('link', 'markup', { letter: LINK_LETTER, wanted: HREF | REL, needed: HREF | REL, relations }),
  element('meta', 'markup', {
    letter: META_LETTER,
    wanted: NAME | HTTP_EQUIV | CONTENT,
    needed: CONTENT,
    neededOne: NAME | HTTP_EQUIV,
  }),
  element('math', 'foreign'),
  element('noembed', 'raw'),
  element('noframes', 'raw'),
  element('plaintext', 'plaintext'),
  element('script', 'script'),
  element('select', 'markup'),
  element('style', 'raw'),
  element('svg', 'foreign'),
  element('table', 'markup'),
  element('template', 'markup'),
  element('textarea', 'raw'),
  element('title', 'raw'),
  element('xmp', 'raw'),
];

const LENGTHS = 16;

/** Names by first letter and length, which together single out very few. */
class Names<T extends { readonly name: Uint8Array }> {
  readonly #all: readonly T[];
  /** One more than the index of a shape's first name, and of the next name with the shape of each; 0 for none. */
  readonly #firsts = new Uint8Array(32 * LENGTHS);
  readonly #nexts: Uint8Array;

  constructor(all: readonly T[]) {
    this.#all = all;
    this.#nexts = new Uint8Array(all.length);
    for (const [i, { name }] of all.entries()) {
      const shape = (name[0]! & 31) * LENGTHS + name.length;
      this.#nexts[i] = this.#firsts[shape]!;
      this.#firsts[shape] = i + 1;
    }
  }

  find(bytes: Uint8Array, start: number, end: number): T | null {
    if (end - start >= LENGTHS) return null;
    let next = this.#firsts[(bytes[start]! & 31) * LENGTHS + end - start]!;
    while (next !== 0) {
      const one = this.#all[next - 1]!;
      if (matchesWord(bytes, start, one.name)) return one;
      next = this.#nexts[next - 1]!;
    }
    return null;
  }
}

const elements = new Names(ELEMENTS);
const attributes = new Names(ATTRIBUTES);

/** The element that `bytes[start, end)`, a tag's name, names; null if it is none of these. */
export function knownElement(bytes: Uint8Array, start: number, end: number): Element | null {
  return elements.find(bytes, start, end);
}

/** The same for an attribute. */
export function knownAttribute(bytes: Uint8Array, start: number, end: number): Attribute | null {
  return attributes.find(bytes, start, end);
}
