/**
 * Words that names and tokens are compared with, in any case: lower-case ASCII of at most 16 bytes. The words of a list
 * stand one after the other:
 *
 * | offset | size | what                                      |
 * |--------|------|-------------------------------------------|
 * | 0      | 16   | bytes, zeros behind them                  |
 * | 16     | 4    | length                                    |
 * | 20     | 4    | of a list's first: how many words it has  |
 */
import { SPACE } from '../byte-values';
import { isSpace } from './bytes';

export const LONGEST_WORD: usize = 16;
const WORD_BYTES: usize = 32;
const LENGTH = 16;
const COUNT = 20;

/** For 128 words. */
const memoryOfWords = memory.data(128 * 32);
let made: usize = 0;
/** The 16 bytes before the middle are kept, those behind it dropped. */
const masks = memory.data(32);
memory.fill(masks, 0xff, 16);

/** A new list of the words in `text`, which spaces part. */
export function words(text: string): usize {
  const list = memoryOfWords + WORD_BYTES * made++;
  let at = list;
  let length = 0;
  let count = 1;
  for (let i = 0; i < text.length; i++) {
    const letter = text.charCodeAt(i);
    if (letter !== SPACE) {
      store<u8>(at + length++, letter);
      continue;
    }
    store<u32>(at, length, LENGTH);
    at = memoryOfWords + WORD_BYTES * made++;
    length = 0;
    count++;
  }
  store<u32>(at, length, LENGTH);
  store<u32>(list, count, COUNT);
  return list;
}

export function wordLength(word: usize): usize {
  return load<u32>(word, LENGTH) as usize;
}

/** The first 16 bytes of the name [at, end), in lower case where they are ASCII, zeros behind it. */
export function foldedName(at: usize, end: usize): v128 {
  const bytes = v128.and(v128.load(at), v128.load(masks + 16 - min<usize>(end - at, LONGEST_WORD)));
  // Only letters, and what no word has, become others so: bit 5, which tells the cases apart, is set behind bit 6.
  return v128.or(bytes, i64x2.shr_u(v128.and(bytes, i8x16.splat(0x40)), 1));
}

/** Whether `word` is the name of `length` bytes that begins with `folded`. */
export function isWord(folded: v128, length: usize, word: usize): bool {
  return wordLength(word) === length && i8x16.all_true(i8x16.eq(folded, v128.load(word)));
}

/** Whether [at, end) is `word`. */
export function isText(at: usize, end: usize, word: usize): bool {
  return isWord(foldedName(at, end), end - at, word);
}

/** Whether a name is one of the words of `list`. */
export function isOneOf(folded: v128, length: usize, list: usize): bool {
  const end = list + WORD_BYTES * (load<u32>(list, COUNT) as usize);
  for (let word = list; word < end; word += WORD_BYTES) if (isWord(folded, length, word)) return true;
  return false;
}

/** Where the token ends that begins at `at`. */
export function tokenEnd(at: usize, end: usize): usize {
  while (at < end && !isSpace(load<u8>(at))) at++;
  return at;
}
