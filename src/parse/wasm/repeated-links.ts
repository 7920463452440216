/**
 * Which links of a page stood there before, but for the fragment: two of three do in documentation, and they need not be
 * read, resolved and hashed again. It may overlook a repetition, but never takes a link for another.
 *
 * One slot a hash, where a newer link replaces an older: a page can't make it slow. A slot is the link's place and its
 * length, 4 bytes each, without spaces around it, and without fragment if it holds no reference; place 0 is none.
 */
import { AMPERSAND, HASH, SPACE } from '../byte-values';
import { isSame } from './bytes';

const SLOTS: usize = 1024;
const SLOT_BYTES: usize = 8;
const slots = memory.data(1024 * 8);
const PRIME: u64 = 0x9e3779b185ebca87;

/** What a URL may stand between; but NUL, which markup makes another character. */
function isPadding(byte: i32): bool {
  return byte <= SPACE && byte !== 0;
}

/** For another page. */
export function clearRepeated(): void {
  memory.fill(slots, 0, SLOTS * SLOT_BYTES);
}

/**
 * Did the link [at, end), as it stands in the markup, stand before? Notes it either way. REQUIRES: all links since
 * `clearRepeated` are as they were.
 */
export function testAndAdd(at: usize, end: usize): bool {
  // Spaces before a fragment belong to the link, so those around it must go first.
  while (at < end && isPadding(load<u8>(at))) at++;
  while (at < end && isPadding(load<u8>(end - 1))) end--;
  end = fragmentStart(at, end);
  const length = end - at;
  const slot = slots + SLOT_BYTES * (hash(at, end) & (SLOTS - 1));
  const other = load<u32>(slot) as usize;
  if (other !== 0 && (load<u32>(slot, 4) as usize) === length && isSame(at, other, length)) return true;
  store<u32>(slot, at as u32);
  store<u32>(slot, length as u32, 4);
  return false;
}

/** Where the fragment begins, or the end. After an ampersand a hash may belong to a character reference. */
function fragmentStart(at: usize, end: usize): usize {
  for (; at < end; at += 16) {
    const bytes = v128.load(at);
    const found = i8x16.bitmask(
      v128.or(i8x16.eq(bytes, i8x16.splat(HASH as i8)), i8x16.eq(bytes, i8x16.splat(AMPERSAND as i8))),
    );
    if (found === 0) continue;
    const first = at + ctz(found);
    return first < end && load<u8>(first) === HASH ? first : end;
  }
  return end;
}

/** Eight bytes at a time, of the last those that belong to the link. */
function hash(at: usize, end: usize): usize {
  let mixed: u64 = end - at;
  for (; at + 8 <= end; at += 8) mixed = rotl((mixed ^ load<u64>(at)) * PRIME, 31);
  if (at < end) mixed = rotl((mixed ^ (load<u64>(at) << (8 * (at + 8 - end)))) * PRIME, 31);
  return ((mixed ^ (mixed >> 15)) & 0xffff_ffff) as usize;
}
