/**
 * Finds tags in a page's bytes as the HTML standard's tokenizer does, and takes from those that matter what they say.
 */
import { BANG, DASH, LESS, QUESTION, SLASH } from '../byte-values';
import { findByte, isLetter, tagNameEnd } from './bytes';
import { A, contentOf, FOREIGN, knownElement, nameOf, PLAIN, RAW, SCRIPT_DATA, wantedOf } from './elements';
import {
  clearForeignContent,
  endForeign,
  inForeignContent,
  openForeign,
  startsHtml,
} from './foreign-content';
import { takeTag } from './links';
import {
  skipBogusComment,
  skipComment,
  skipDoctype,
  skipPast,
  skipRawText,
  skipScript,
} from './skipped-text';
import { isSelfClosing, readTag, skipTag } from './tags';
import { clearTree, countsStart, isInSelect, takeEnd } from './tree-rules';

const LETTER_T = 0x74;
const CLOSING_BRACKET = 0x5d;
/** `[CDATA[`, and as much before it as makes it 8 bytes. */
const CDATA: u64 = 0x5b41_5441_4443_5b00;
const CDATA_BYTES = 7;

/** Scans the page [at, end); `isXml` reads it as XHTML, where no element's content is raw text. */
export function scanPage(at: usize, end: usize, isXml: bool): void {
  clearForeignContent();
  clearTree();
  while (at < end) {
    at = findByte(LESS, at, end) + 1;
    if (at >= end) return;
    const byte: i32 = load<u8>(at);
    if (isLetter(byte)) at = isXml ? startXmlTag(at, end) : startTag(at, end);
    else if (byte === SLASH) at = endTag(at + 1, end, isXml);
    else if (byte === BANG) at = declaration(at + 1, end, isXml);
    else if (byte === QUESTION) at = isXml ? skipPast(QUESTION, 1, at + 1, end) : skipBogusComment(at, end);
  }
}

function startXmlTag(at: usize, end: usize): usize {
  const nameEnd = tagNameEnd(at, end);
  const element = knownElement(at, nameEnd);
  return wantedOf(element) === 0 ? skipTag(nameEnd, end) : takeWholeTag(element, nameEnd, end);
}

function startTag(at: usize, end: usize): usize {
  const nameEnd = tagNameEnd(at, end);
  const element = knownElement(at, nameEnd);
  const isForeign = inForeignContent();
  if (element === 0 && !isForeign && !isInSelect()) return skipTag(nameEnd, end);
  if (isForeign && !startsHtml(at, nameEnd)) return startForeignTag(element, at, nameEnd, end);
  const counts = countsStart(element, at, nameEnd);
  if (element === 0 || !counts) return skipTag(nameEnd, end);
  const after = wantedOf(element) === 0 ? skipTag(nameEnd, end) : takeWholeTag(element, nameEnd, end);
  if (after >= end) return after;
  switch (contentOf(element)) {
    case RAW:
      return skipTag(skipRawText(after, end, nameOf(element)), end);
    case SCRIPT_DATA:
      return skipTag(skipScript(after, end), end);
    case PLAIN:
      return end;
    case FOREIGN:
      if (!isSelfClosing(nameEnd, after, end)) openForeign(at, nameEnd);
      return after;
    default:
      return after;
  }
}

function startForeignTag(element: i32, at: usize, nameEnd: usize, end: usize): usize {
  const after = element === A ? takeWholeTag(element, nameEnd, end) : skipTag(nameEnd, end);
  if (after <= end && !isSelfClosing(nameEnd, after, end)) openForeign(at, nameEnd);
  return after;
}

function endTag(at: usize, end: usize, isXml: bool): usize {
  if (at >= end) return end;
  if (!isLetter(load<u8>(at))) return skipBogusComment(at, end);
  const nameEnd = tagNameEnd(at, end);
  const isForeign = inForeignContent();
  if (isXml || (!isForeign && !isInSelect() && !mayCount(at))) return skipTag(nameEnd, end);
  const element = knownElement(at, nameEnd);
  if (element === 0 && !isForeign && !isInSelect()) return skipTag(nameEnd, end);
  if (isForeign) {
    const content = contentOf(element);
    endForeign(at, nameEnd, content === RAW || content === SCRIPT_DATA);
  } else takeEnd(element, at, nameEnd);
  return skipTag(nameEnd, end);
}

/** Whether the end tag whose name begins at `at` may be one that counts everywhere: of `table` or `template`. */
function mayCount(at: usize): bool {
  return (load<u8>(at) | 0x20) === LETTER_T;
}

/** What follows `<!`. */
function declaration(at: usize, end: usize, isXml: bool): usize {
  if (at + 1 < end && load<u8>(at) === DASH && load<u8>(at, 1) === DASH)
    return isXml ? skipPast(DASH, 2, at + 2, end) : skipComment(at + 2, end);
  if ((isXml || inForeignContent()) && isCdata(at, end))
    return skipPast(CLOSING_BRACKET, 2, at + CDATA_BYTES, end);
  return isXml ? skipDoctype(at, end) : skipBogusComment(at, end);
}

/** Whether a CDATA section begins at `at`: it is written in capitals. */
function isCdata(at: usize, end: usize): bool {
  return at + CDATA_BYTES <= end && load<u64>(at) << 8 === CDATA;
}

/** Reads a tag of `element` and takes what it says. A tag that the page's end cuts short is none. */
function takeWholeTag(element: i32, at: usize, end: usize): usize {
  const after = readTag(at, end, wantedOf(element));
  if (after <= end) takeTag(element);
  return after;
}
