/**
 * The elements whose tags the scanner must know by name: those that can carry a link, those whose content is
 * not markup, and those that change how the tags after them are read. All other tags are only skipped.
 */
import { asciiBytes, matchesWord } from './markup-bytes.js';

/** Attributes that matter, one bit each; their names, by bit number, are what the scanner looks for. */
export const HREF = 1;
export const SRC = 2;
export const REL = 4;
export const NAME = 8;
export const CONTENT = 16;
export const HTTP_EQUIV = 32;
export const ATTRIBUTE_NAMES = ['href', 'src', 'rel', 'name', 'content', 'http-equiv'].map(asciiBytes);

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
  /** Whether it is the same element inside SVG. */
  readonly inSvg: boolean;
}

function element(name: string, content: Content, wanted = 0, needed = wanted, inSvg = false): Element {
  return { name: asciiBytes(name), label: name, content, wanted, needed, inSvg };
}

const ELEMENTS = [
  element('a', 'markup', HREF | REL, HREF, true),
  element('area', 'markup', HREF | REL, HREF),
  element('base', 'markup', HREF),
  element('frame', 'markup', SRC),
  element('frameset', 'markup'),
  element('iframe', 'raw', SRC),
  element('input', 'markup'),
  element('keygen', 'markup'),
  element('link', 'markup', HREF | REL),
  element('meta', 'markup', NAME | CONTENT | HTTP_EQUIV, CONTENT),
  element('math', 'foreign'),
  element('noembed', 'raw'),
  element('noframes', 'raw'),
  element('plaintext', 'plaintext'),
  element('script', 'script'),
  element('select', 'markup'),
  element('style', 'raw'),
  element('svg', 'foreign'),
  element('table', 'markup'),
  element('textarea', 'raw'),
  element('title', 'raw'),
  element('xmp', 'raw'),
];

const LENGTHS = 16;
/** By first letter and length; both together single out at most two elements. */
const byShape: (readonly Element[] | undefined)[] = new Array(32 * LENGTHS).fill(undefined);
for (const known of ELEMENTS) {
  const shape = (known.name[0]! & 31) * LENGTHS + known.name.length;
  byShape[shape] = [...(byShape[shape] ?? []), known];
}

/** The element that `bytes[start, end)`, a tag's name beginning with a letter, names; null if it is none of these. */
export function knownElement(bytes: Uint8Array, start: number, end: number): Element | null {
  const length = end - start;
  if (length >= LENGTHS) return null;
  const candidates = byShape[(bytes[start]! & 31) * LENGTHS + length];
  if (candidates === undefined) return null;
  for (const candidate of candidates) if (matchesWord(bytes, start, candidate.name)) return candidate;
  return null;
}
