/**
 * The HTML standard's prescan of a page's beginning for the encoding that a `meta` element names: its own small parser,
 * which differs from the tokenizer, and pages are told apart by it.
 */
import {
  BANG,
  DASH,
  DOUBLE_QUOTE,
  EQUALS,
  GREATER,
  LESS,
  QUESTION,
  SINGLE_QUOTE,
  SLASH,
} from '../byte-values';
import { attributeNameEnd, findByte, isLetter, isSpace, skipSpaces } from './bytes';
import { isText, wordLength, words } from './words';

const PRESCAN_BYTES: usize = 1024;
const SEMICOLON = 0x3b;
const meta = words('meta');
const charset = words('charset');
const content = words('content');
const httpEquiv = words('http-equiv');
const contentType = words('content-type');

/** What is still to be looked at. */
let at: usize = 0;
let end: usize = 0;
/** The attribute read last. */
let name: usize = 0;
let nameEnd: usize = 0;
let value: usize = 0;
let valueEnd: usize = 0;
/** The label found last. */
let label: usize = 0;
let labelEnd: usize = 0;

/** The page is [page, pageEnd). */
export function beginPrescan(page: usize, pageEnd: usize): void {
  at = page;
  end = min(page + PRESCAN_BYTES, pageEnd);
}

/** Finds the next `meta` element that names an encoding; its label is at `labelAt`. */
export function nextLabel(): bool {
  while (at < end) {
    const next = byteAt(at + 1);
    if (load<u8>(at) !== LESS) at = findByte(LESS, at + 1, end);
    else if (next === BANG && byteAt(at + 2) === DASH && byteAt(at + 3) === DASH) skipComment();
    else if (isMeta(at + 1)) {
      if (readMeta()) return true;
    } else if (isLetter(next) || (next === SLASH && isLetter(byteAt(at + 2)))) skipTag();
    else if (next === BANG || next === SLASH || next === QUESTION) at = findByte(GREATER, at, end) + 1;
    else at++;
  }
  return false;
}

export function labelAt(): usize {
  return label;
}

export function labelBytes(): usize {
  return labelEnd - label;
}

/** The byte at `place`, -1 behind the last. */
function byteAt(place: usize): i32 {
  return place < end ? load<u8>(place) : -1;
}

/** To behind the `>` of the first `-->`, whose dashes may be those of `<!--`. */
function skipComment(): void {
  at += 4;
  do at = findByte(GREATER, at, end) + 1;
  while (at <= end && (load<u8>(at - 2) !== DASH || load<u8>(at - 3) !== DASH));
}

function isMeta(place: usize): bool {
  const after = place + wordLength(meta);
  if (after >= end || !isText(place, after, meta)) return false;
  const byte: i32 = load<u8>(after);
  return isSpace(byte) || byte === SLASH;
}

function skipTag(): void {
  skipName();
  while (nextAttribute());
  at++;
}

function skipName(): void {
  while (at < end && load<u8>(at) !== GREATER && !isSpace(load<u8>(at))) at++;
}

/** Whether the `meta` element at `at`, which is read, names an encoding. Of duplicate attributes the first counts. */
function readMeta(): bool {
  at += 1 + wordLength(meta);
  let hasCharset = false;
  let hasContent = false;
  let hasPragma = false;
  let isContentType = false;
  let isLabelInContent = false;
  while (nextAttribute()) {
    if (!hasPragma && isText(name, nameEnd, httpEquiv)) {
      hasPragma = true;
      isContentType = isText(value, valueEnd, contentType);
    } else if (!hasCharset && isText(name, nameEnd, charset)) {
      hasCharset = true;
      label = value;
      labelEnd = valueEnd;
    } else if (!hasContent && isText(name, nameEnd, content)) {
      hasContent = true;
      if (!hasCharset) isLabelInContent = findLabel();
    }
  }
  at++;
  return hasCharset || (isLabelInContent && isContentType);
}

/** The label in a `content` attribute's value, `text/html; charset=label`. */
function findLabel(): bool {
  const length = wordLength(charset);
  for (let place = value; place + length < valueEnd; place++) {
    if (!isText(place, place + length, charset)) continue;
    place = skipSpaces(place + length, valueEnd);
    if (place < valueEnd && load<u8>(place) === EQUALS && isLabel(skipSpaces(place + 1, valueEnd)))
      return true;
    place--;
  }
  return false;
}

/** Whether what stands at `place` in the value is a label: quoted, or up to a space or semicolon. */
function isLabel(place: usize): bool {
  if (place >= valueEnd) return false;
  const first: i32 = load<u8>(place);
  label = place;
  if (first === DOUBLE_QUOTE || first === SINGLE_QUOTE) {
    label++;
    labelEnd = findByte(first, label, valueEnd);
    return labelEnd < valueEnd;
  }
  labelEnd = place;
  while (labelEnd < valueEnd && load<u8>(labelEnd) !== SEMICOLON && !isSpace(load<u8>(labelEnd))) labelEnd++;
  return labelEnd > label;
}

/** Reads the next attribute of a tag; false at its `>`, where `at` stays. */
function nextAttribute(): bool {
  while (isSpace(byteAt(at)) || byteAt(at) === SLASH) at++;
  if (at >= end || load<u8>(at) === GREATER) return false;
  name = at;
  nameEnd = attributeNameEnd(at + 1, end);
  at = skipSpaces(nameEnd, end);
  value = nameEnd;
  valueEnd = nameEnd;
  if (byteAt(at) === EQUALS) readValue(skipSpaces(at + 1, end));
  return true;
}

function readValue(place: usize): void {
  const quote = byteAt(place);
  if (quote === DOUBLE_QUOTE || quote === SINGLE_QUOTE) {
    value = place + 1;
    valueEnd = findByte(quote, value, end);
    at = valueEnd + 1;
    return;
  }
  value = place;
  at = place;
  skipName();
  valueEnd = at;
}
