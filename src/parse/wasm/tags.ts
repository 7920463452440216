/** The inside of a tag, from the end of its name, as the HTML standard's tokenizer reads it. */
import { DOUBLE_QUOTE, EQUALS, GREATER, SINGLE_QUOTE, SLASH } from '../byte-values';
import { attributeNameEnd, findByte, isLetter, isSpace, skipSpaces, unquotedEnd } from './bytes';
import { ATTRIBUTES, attributeIndex } from './elements';

/** The attributes of the tag read last that matter, a bit each, and where in the page their values lie. */
let seen = 0;
const starts = memory.data(ATTRIBUTES * 4);
const ends = memory.data(ATTRIBUTES * 4);

export function hasAttribute(bit: i32): bool {
  return (seen & bit) !== 0;
}

export function seenAttributes(): i32 {
  return seen;
}

/** Where the value of the attribute begins whose bit is `bit`. REQUIRES: it was seen. */
export function valueStart(bit: i32): usize {
  return load<u32>(starts + 4 * ctz(bit)) as usize;
}

export function valueEnd(bit: i32): usize {
  return load<u32>(ends + 4 * ctz(bit)) as usize;
}

/**
 * The place after a tag's `>`, having noted those of its attributes that are `wanted`. One past the page's end says that
 * the page ends inside the tag, which then is none.
 */
export function readTag(at: usize, end: usize, wanted: i32): usize {
  seen = 0;
  while (at < end) {
    const byte: i32 = load<u8>(at);
    if (byte === GREATER) return at + 1;
    if (isSpace(byte) || byte === SLASH) at++;
    else at = readAttribute(at, end, wanted);
  }
  return end + 1;
}

/** The same for a tag whose attributes don't matter: most are seen through at once. */
export function skipTag(at: usize, end: usize): usize {
  while (at < end) {
    const bytes = v128.load(at);
    const quotes = bits(bytes, DOUBLE_QUOTE) | bits(bytes, SINGLE_QUOTE);
    const stops = quotes | bits(bytes, GREATER);
    const first = ctz(stops);
    const stop = at + first;
    if (stops === 0 || stop >= end) at = stepInTag(at, end);
    // Before a quote every `>` ends the tag.
    else if (((quotes >> first) & 1) === 0) return stop + 1;
    else if (opensValue(bits(bytes, EQUALS), first, stop)) at = findByte(load<u8>(stop), stop + 1, end) + 1;
    else at = stepInTag(at, end);
  }
  return end + 1;
}

/**
 * Whether the quote at `stop`, `first` bytes from a place between attributes, opens a value for certain: behind a letter and
 * the first `equals` since there. Behind another `=` it may stand in a value.
 */
function opensValue(equals: i32, first: i32, stop: usize): bool {
  return first >= 2 && (equals & ((1 << first) - 1)) === 1 << (first - 1) && isLetter(load<u8>(stop - 2));
}

/** Behind the next attribute, or the next byte that belongs to none. REQUIRES: it is not the tag's end. */
function stepInTag(at: usize, end: usize): usize {
  const byte: i32 = load<u8>(at);
  return isSpace(byte) || byte === SLASH ? at + 1 : readAttribute(at, end, 0);
}

/** Which of 16 bytes are `byte`, a bit each. */
function bits(bytes: v128, byte: i32): i32 {
  return i8x16.bitmask(i8x16.eq(bytes, i8x16.splat(byte as i8)));
}

/** The place after the attribute whose name begins at `at`; beyond the end if that comes first. */
function readAttribute(at: usize, end: usize, wanted: i32): usize {
  const name = at;
  // Whatever a name begins with is part of it, even `=`.
  const nameEnd = attributeNameEnd(at + 1, end);
  at = skipSpaces(nameEnd, end);
  if (at === end) return end;
  if (load<u8>(at) !== EQUALS) {
    if (wanted !== 0) note(wanted, name, nameEnd, at, at);
    return at;
  }
  at = skipSpaces(at + 1, end);
  if (at === end) return end;
  const quote: i32 = load<u8>(at);
  let value = at;
  if (quote === DOUBLE_QUOTE || quote === SINGLE_QUOTE) {
    value++;
    at = findByte(quote, value, end);
    if (at === end) return end + 1;
    if (wanted !== 0) note(wanted, name, nameEnd, value, at);
    return at + 1;
  }
  if (quote !== GREATER) at = unquotedEnd(value + 1, end);
  if (wanted !== 0) note(wanted, name, nameEnd, value, at);
  return at;
}

function note(wanted: i32, name: usize, nameEnd: usize, value: usize, valueEnd: usize): void {
  const index = attributeIndex(name, nameEnd);
  // Of duplicate attributes the first counts.
  if (index < 0 || ((1 << index) & wanted & ~seen) === 0) return;
  seen |= 1 << index;
  store<u32>(starts + 4 * index, value as u32);
  store<u32>(ends + 4 * index, valueEnd as u32);
}

/** Whether the tag whose name ends at `at`, and which ends before `after`, ends in `/>`. */
export function isSelfClosing(at: usize, after: usize, end: usize): bool {
  const slash = after - 2;
  if (load<u8>(slash) !== SLASH) return false;
  // The slash may be the end of an unquoted value.
  while (at < slash) at = stepInTag(at, end);
  return at === slash;
}
