/**
 * The elements whose tags the scanner must know by name: those that can carry a link, those whose content is
 * not markup, and those that change how the tags after them are read. All other tags are only skipped.
 */
import { foldedName, isWord, LONGEST_WORD, words } from './words';

/** Attributes that matter, one bit each. */
export const REL = 1;
export const NAME = 2;
export const HTTP_EQUIV = 4;
export const CONTENT = 8;
export const HREF = 16;
export const SRC = 32;
export const ATTRIBUTES = 6;

/** Elements by number; 0 is none of these. */
export const A = 1;
export const AREA = 2;
export const BASE = 3;
export const FRAME = 4;
export const FRAMESET = 5;
export const IFRAME = 6;
export const INPUT = 7;
export const KEYGEN = 8;
export const LINK = 9;
export const META = 10;
export const MATH = 11;
export const NOEMBED = 12;
export const NOFRAMES = 13;
export const PLAINTEXT = 14;
export const SCRIPT = 15;
export const SELECT = 16;
export const STYLE = 17;
export const SVG = 18;
export const TABLE = 19;
export const TEMPLATE = 20;
export const TEXTAREA = 21;
export const TITLE = 22;
export const XMP = 23;

/** How the text after a start tag is read. */
export const MARKUP = 0;
export const RAW = 1;
export const SCRIPT_DATA = 2;
export const PLAIN = 3;
export const FOREIGN = 4;

/** Of each of the 24 elements: how its content is read, the attributes to keep, those without all of which it carries no link. */
const contents = memory.data(24);
const wanted = memory.data(24);
const needed = memory.data(24);
const names = memory.data(24 * 4);
/** The first element of each shape, a name's first letter and length, and the next with the shape of each. */
const firsts = memory.data(32 * 16);
const nexts = memory.data(24);

function define(element: i32, name: string, content: i32, keep: i32 = 0, need: i32 = 0): void {
  store<u8>(contents + element, content);
  store<u8>(wanted + element, keep);
  store<u8>(needed + element, need);
  store<u32>(names + 4 * element, words(name) as u32);
  const shape = firsts + shapeOf(name.charCodeAt(0), name.length);
  store<u8>(nexts + element, load<u8>(shape));
  store<u8>(shape, element);
}

function shapeOf(first: i32, length: usize): usize {
  return ((first & 31) as usize) * LONGEST_WORD + length;
}

define(A, 'a', MARKUP, HREF | REL, HREF);
define(AREA, 'area', MARKUP, HREF | REL, HREF);
define(BASE, 'base', MARKUP, HREF, HREF);
define(FRAME, 'frame', MARKUP, SRC, SRC);
define(FRAMESET, 'frameset', MARKUP);
define(IFRAME, 'iframe', RAW, SRC, SRC);
define(INPUT, 'input', MARKUP);
define(KEYGEN, 'keygen', MARKUP);
define(LINK, 'link', MARKUP, HREF | REL, HREF | REL);
define(META, 'meta', MARKUP, NAME | HTTP_EQUIV | CONTENT, CONTENT);
define(MATH, 'math', FOREIGN);
define(NOEMBED, 'noembed', RAW);
define(NOFRAMES, 'noframes', RAW);
define(PLAINTEXT, 'plaintext', PLAIN);
define(SCRIPT, 'script', SCRIPT_DATA);
define(SELECT, 'select', MARKUP);
define(STYLE, 'style', RAW);
define(SVG, 'svg', FOREIGN);
define(TABLE, 'table', MARKUP);
define(TEMPLATE, 'template', MARKUP);
define(TEXTAREA, 'textarea', RAW);
define(TITLE, 'title', RAW);
define(XMP, 'xmp', RAW);

/** The element that [at, end), a tag's name, names; 0 if it is none of these. */
export function knownElement(at: usize, end: usize): i32 {
  const length = end - at;
  if (length >= LONGEST_WORD) return 0;
  let element: i32 = load<u8>(firsts + shapeOf(load<u8>(at), length));
  if (element === 0) return 0;
  const folded = foldedName(at, end);
  while (element !== 0 && !isWord(folded, length, nameOf(element))) element = load<u8>(nexts + element);
  return element;
}

export function nameOf(element: i32): usize {
  return load<u32>(names + 4 * element) as usize;
}

export function contentOf(element: i32): i32 {
  return load<u8>(contents + element);
}

export function wantedOf(element: i32): i32 {
  return load<u8>(wanted + element);
}

export function neededOf(element: i32): i32 {
  return load<u8>(needed + element);
}

const rel = words('rel');
const name = words('name');
const httpEquiv = words('http-equiv');
const content = words('content');
const href = words('href');
const src = words('src');

/** The index of the attribute that [at, end) names, or -1. */
export function attributeIndex(at: usize, end: usize): i32 {
  const length = end - at;
  if (length < 3 || length > 10) return -1;
  const folded = foldedName(at, end);
  if (length === 4) {
    if (isWord(folded, length, href)) return 4;
    return isWord(folded, length, name) ? 1 : -1;
  }
  if (length === 3) {
    if (isWord(folded, length, rel)) return 0;
    return isWord(folded, length, src) ? 5 : -1;
  }
  if (isWord(folded, length, content)) return 3;
  return isWord(folded, length, httpEquiv) ? 2 : -1;
}
