/**
 * The open SVG and MathML elements. Inside them no element's content is raw text and CDATA sections exist, so
 * the scanner must know when it is there. Only what the HTML standard's tree construction needs for that is
 * kept: HTML elements inside an integration point are not tracked, and an end tag that matches nothing here is
 * taken to close an HTML element around the whole.
 *
 * Of each open element, by depth; names of one length that begin alike are taken for one:
 *
 * | offset | size | what                               |
 * |--------|------|------------------------------------|
 * | 0      | 16   | its name's beginning, folded       |
 * | 16     | 4    | its name's length                  |
 * | 20     | 4    | whether it is an integration point |
 */
import { foldedName, isOneOf, isWord, words } from './words';

/** Inside these, start tags are HTML again. */
const integrationPoints = words('foreignobject desc title mi mo mn ms mtext annotation-xml');
/** HTML start tags that close all foreign elements up to the next integration point. */
const breaksOut = words(
  'b big blockquote body br center code dd div dl dt em embed font h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var',
);
const paragraph = words('p');
const lineBreak = words('br');

/** Deeper nesting is not tracked: the page is hostile, and memory stays bounded. */
const MAX_DEPTH = 512;
const OPEN_BYTES: usize = 32;
const LENGTH = 16;
const INTEGRATION = 20;
const open = memory.data(512 * 32);
let depth = 0;

export function inForeignContent(): bool {
  return depth > 0;
}

export function clearForeignContent(): void {
  depth = 0;
}

function openElement(i: i32): usize {
  return open + OPEN_BYTES * (i as usize);
}

export function openForeign(at: usize, end: usize): void {
  if (depth === MAX_DEPTH) return;
  const element = openElement(depth++);
  const folded = foldedName(at, end);
  v128.store(element, folded);
  store<u32>(element, (end - at) as u32, LENGTH);
  store<u32>(element, isOneOf(folded, end - at, integrationPoints) ? 1 : 0, INTEGRATION);
}

/** Whether a start tag is read by the rules for HTML; foreign elements that it closes are closed. */
export function startsHtml(at: usize, end: usize): bool {
  if (atIntegrationPoint()) return true;
  if (!isOneOf(foldedName(at, end), end - at, breaksOut)) return false;
  breakOut();
  return true;
}

/** `isRawText`: the name is that of an HTML element with raw text, of which none can be open around. */
export function endForeign(at: usize, end: usize, isRawText: bool): void {
  const folded = foldedName(at, end);
  const length = end - at;
  for (let i = depth - 1; i >= 0; i--) {
    const element = openElement(i);
    if (!isWord(folded, length, element)) continue;
    depth = i;
    return;
  }
  if (isRawText || atIntegrationPoint()) return;
  if (isWord(folded, length, paragraph) || isWord(folded, length, lineBreak)) breakOut();
  else depth = 0;
}

function atIntegrationPoint(): bool {
  return depth > 0 && load<u32>(openElement(depth - 1), INTEGRATION) !== 0;
}

function breakOut(): void {
  while (depth > 0 && !atIntegrationPoint()) depth--;
}
