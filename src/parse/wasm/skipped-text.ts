/**
 * Where what is not markup ends: comments, raw text, script data, CDATA sections, as the HTML standard's
 * tokenizer finds it. Every function takes the place just inside and returns the place just after, or the page's end
 * if that comes first; each looks at a byte once, so time stays linear on hostile pages.
 */
import { BANG, DASH, GREATER, LESS, SLASH } from '../byte-values';
import { findByte, isSpace } from './bytes';
import { isText, wordLength, words } from './words';

const OPENING_BRACKET = 0x5b;
const CLOSING_BRACKET = 0x5d;
const script = words('script');

/** Just after the next `>`: the end of a bogus comment, a DOCTYPE or an end of nothing. */
export function skipBogusComment(at: usize, end: usize): usize {
  return min(findByte(GREATER, at, end) + 1, end);
}

/** `at` is just after `<!--`. */
export function skipComment(at: usize, end: usize): usize {
  if (at < end && load<u8>(at) === GREATER) return at + 1;
  if (at + 1 < end && load<u8>(at) === DASH && load<u8>(at, 1) === GREATER) return at + 2;
  const first = at;
  for (; at < end; at++) {
    at = findByte(GREATER, at, end);
    if (at === end) break;
    // `-->` or `--!>`, of which no byte may belong to the `<!--` before.
    const dashes = load<u8>(at - 1) === BANG ? at - 3 : at - 2;
    if (dashes >= first && load<u8>(dashes) === DASH && load<u8>(dashes, 1) === DASH) return at + 1;
  }
  return end;
}

/** Just after the next `>` behind as many `mark` as `times`: the end of a CDATA section, or of what XML has. */
export function skipPast(mark: i32, times: i32, at: usize, end: usize): usize {
  const first = at + times;
  for (at = first; at < end; at++) {
    at = findByte(GREATER, at, end);
    if (at === end) break;
    if (load<u8>(at - 1) === mark && (times === 1 || load<u8>(at - 2) === mark)) return at + 1;
  }
  return end;
}

/** XML's DOCTYPE, whose brackets may hold declarations with a `>` of their own. */
export function skipDoctype(at: usize, end: usize): usize {
  const greater = findByte(GREATER, at, end);
  const bracket = findByte(OPENING_BRACKET, at, greater);
  return skipBogusComment(bracket < greater ? findByte(CLOSING_BRACKET, bracket, end) : greater, end);
}

/** Whether the name of a tag stands at `at` that is `word`. */
function isTagName(at: usize, end: usize, word: usize): bool {
  const length = wordLength(word);
  if (at + length >= end || !isText(at, at + length, word)) return false;
  const byte: i32 = load<u8>(at + length);
  return byte === GREATER || byte === SLASH || isSpace(byte);
}

/** Just after the `</name` of the end tag that closes raw text, whose name `word` is; its attributes still follow. */
export function skipRawText(at: usize, end: usize, word: usize): usize {
  while (at < end) {
    at = findByte(LESS, at, end) + 1;
    if (at < end && load<u8>(at) === SLASH && isTagName(at + 1, end, word)) return at + 1 + wordLength(word);
  }
  return end;
}

/** As `skipRawText` for `script`, whose text may hold `<!-- <script> </script> -->`. */
export function skipScript(at: usize, end: usize): usize {
  while (at < end) {
    at = findByte(LESS, at, end) + 1;
    if (at >= end) return end;
    const byte: i32 = load<u8>(at);
    if (byte === SLASH) {
      if (isTagName(at + 1, end, script)) return at + 1 + wordLength(script);
    } else if (byte === BANG && at + 2 < end && load<u8>(at, 1) === DASH && load<u8>(at, 2) === DASH) {
      at = skipEscapedScript(at + 1, end);
      if (isScriptOver) return at;
    }
  }
  return end;
}

/** Whether the escaped script data read last ended with the script. */
let isScriptOver: bool = false;

/**
 * The escaped states of script data, from the two dashes of `<!--`. Returns the place after `-->`, where plain
 * script data goes on, or the place after `</script`, where the script ends.
 */
function skipEscapedScript(first: usize, end: usize): usize {
  isScriptOver = false;
  let doubled = false;
  let less = findByte(LESS, first, end);
  let greater = findByte(GREATER, first, end);
  while (less < end || greater < less) {
    if (greater < less) {
      if (greater >= first + 2 && load<u8>(greater - 1) === DASH && load<u8>(greater - 2) === DASH)
        return greater + 1;
      greater = findByte(GREATER, greater + 1, end);
      continue;
    }
    const at = less + 1;
    if (at < end && load<u8>(at) === SLASH) {
      if (isTagName(at + 1, end, script)) {
        isScriptOver = !doubled;
        if (isScriptOver) return at + 1 + wordLength(script);
        doubled = false;
      }
    } else if (!doubled) doubled = isTagName(at, end, script);
    less = findByte(LESS, at, end);
  }
  return end;
}
