/**
 * What counts as a link: `a` and `area` href, `frame` and `iframe` src, `link` href by its rel, `meta` refresh;
 * and what else a page's tags say to a crawler: the base, and the robots directives.
 */
import { AMPERSAND } from '../byte-values';
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
} from '../link-kinds';
import { findByte } from './bytes';
import { A, AREA, BASE, CONTENT, HREF, HTTP_EQUIV, LINK, META, NAME, neededOf, REL, SRC } from './elements';
import { addLink, decode, decodedStart, fits, hasRoom, isRepeated, isShort, keep } from './found-links';
import { takeBase, takeMeta } from './host';
import { isRobotsName } from './robots-names';
import { seenAttributes, valueEnd, valueStart } from './tags';
import { foldedName, isText, isWord, tokenEnd, words } from './words';

/** What a `rel` may say that matters, a bit each. */
const NEXT = 1;
const PREV = 2;
const CANONICAL = 4;
const ALTERNATE = 8;
const NOFOLLOW = 16;
const KINDS = NEXT | PREV | CANONICAL | ALTERNATE;

const next = words('next');
const prev = words('prev');
const previous = words('previous');
const canonical = words('canonical');
const alternate = words('alternate');
const nofollow = words('nofollow');
const refresh = words('refresh');

/** The tag read last is one of `element`: takes what it says. */
export function takeTag(element: i32): void {
  const needed = neededOf(element);
  if ((seenAttributes() & needed) !== needed) return;
  switch (element) {
    case A:
      takeHyperlink(LINK_ANCHOR);
      break;
    case AREA:
      takeHyperlink(LINK_AREA);
      break;
    case BASE:
      takeBaseElement();
      break;
    case LINK:
      takeLinkElement();
      break;
    case META:
      takeMetaElement();
      break;
    default:
      if (fits(size(SRC))) addLink(valueStart(SRC), valueEnd(SRC), LINK_FRAME);
  }
}

function size(bit: i32): usize {
  return valueEnd(bit) - valueStart(bit);
}

function takeHyperlink(kind: i32): void {
  const at = valueStart(HREF);
  const end = valueEnd(HREF);
  let isNofollow = false;
  if ((seenAttributes() & REL) !== 0) {
    if (!fits(size(REL))) return;
    isNofollow = (relations() & NOFOLLOW) !== 0;
  }
  if (kind === LINK_ANCHOR && !isNofollow && isRepeated(at, end)) return;
  if (fits(end - at)) addLink(at, end, isNofollow ? kind | LINK_NOFOLLOW : kind);
}

function takeLinkElement(): void {
  if (!fits(size(REL))) return;
  const told = relations();
  if ((told & KINDS) === 0 || !fits(size(HREF))) return;
  const kind = kindOf(told);
  addLink(valueStart(HREF), valueEnd(HREF), (told & NOFOLLOW) !== 0 ? kind | LINK_NOFOLLOW : kind);
}

/** By rank. */
function kindOf(told: i32): i32 {
  if ((told & NEXT) !== 0) return LINK_NEXT;
  if ((told & PREV) !== 0) return LINK_PREV;
  return (told & CANONICAL) !== 0 ? LINK_CANONICAL : LINK_ALTERNATE;
}

function takeBaseElement(): void {
  if (fits(size(HREF))) takeBase(decodedStart(), decode(valueStart(HREF), valueEnd(HREF)));
}

function takeMetaElement(): void {
  const isRobots = namesRobots();
  const isRefresh = isPragma(refresh);
  if ((!isRobots && !isRefresh) || !fits(size(CONTENT))) return;
  const end = decode(valueStart(CONTENT), valueEnd(CONTENT));
  const after = takeMeta(decodedStart(), end, isRobots, isRefresh);
  if (after !== 0 && hasRoom()) keep(after, LINK_REFRESH);
}

/** The value that is looked at, [text, textEnd): as it stands in the page, or decoded if it holds references. */
let text: usize = 0;
let textEnd: usize = 0;

/** Looks at an attribute's value; there is none if the tag has it not, or if it is so long that it means nothing. */
function look(bit: i32): void {
  text = 0;
  textEnd = 0;
  if ((seenAttributes() & bit) === 0 || !isShort(size(bit))) return;
  text = valueStart(bit);
  textEnd = valueEnd(bit);
  if (findByte(AMPERSAND, text, textEnd) === textEnd) return;
  textEnd = decode(text, textEnd);
  text = decodedStart();
}

/** What the tag's `rel` says that matters. */
function relations(): i32 {
  look(REL);
  let told = 0;
  for (let at = text; at < textEnd; at++) {
    const end = tokenEnd(at, textEnd);
    const folded = foldedName(at, end);
    const length = end - at;
    if (isWord(folded, length, nofollow)) told |= NOFOLLOW;
    else if (isWord(folded, length, next)) told |= NEXT;
    else if (isWord(folded, length, prev) || isWord(folded, length, previous)) told |= PREV;
    else if (isWord(folded, length, canonical)) told |= CANONICAL;
    else if (isWord(folded, length, alternate)) told |= ALTERNATE;
    at = end;
  }
  return told;
}

/** Whether the tag's `name` has the name of our robots directives among its tokens. */
function namesRobots(): bool {
  look(NAME);
  for (let at = text; at < textEnd; at++) {
    const end = tokenEnd(at, textEnd);
    if (isRobotsName(at, end)) return true;
    at = end;
  }
  return false;
}

function isPragma(word: usize): bool {
  look(HTTP_EQUIV);
  return isText(text, textEnd, word);
}
