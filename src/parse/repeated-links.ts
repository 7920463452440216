/**
 * Which links of a page stood there before, but for the fragment: two of three do in documentation, and they need not be
 * read, resolved and hashed again. It may overlook a repetition, but never takes a link for another.
 *
 * One slot a hash, where a newer link replaces an older: a page can't make it slow.
 */
const SLOTS = 1024;
const NONE = 0xffff_ffff;
const SPACE = 0x20;
const HASH = 0x23;
const AMPERSAND = 0x26;

/** What a URL may stand between; but NUL, which markup makes another character. */
function isPadding(byte: number): boolean {
  return byte <= SPACE && byte !== 0;
}

export class RepeatedLinks {
  /** Where the link of each slot lies, without spaces around it, and without fragment if it holds no reference. */
  readonly #starts = new Uint32Array(SLOTS).fill(NONE);
  readonly #ends = new Uint32Array(SLOTS);

  /** For another page. */
  clear(): void {
    this.#starts.fill(NONE);
  }

  /**
   * Did the link `bytes[start, end)`, as it stands in the markup, stand before? Notes it either way. REQUIRES: all links
   * since `clear` lie in `bytes` and are as they were.
   */
  testAndAdd(bytes: Uint8Array, start: number, end: number): boolean {
    // Spaces before a fragment belong to the link, so those around it must go first.
    while (start < end && isPadding(bytes[start]!)) start++;
    while (start < end && isPadding(bytes[end - 1]!)) end--;
    let hash = 0;
    let at = start;
    // After an ampersand the hash may belong to a character reference.
    let isPlain = true;
    for (; at < end; at++) {
      const byte = bytes[at]!;
      if (byte === AMPERSAND) isPlain = false;
      else if (byte === HASH && isPlain) break;
      hash = Math.imul(hash ^ byte, 0x01000193);
    }
    const length = at - start;
    const slot = (hash ^ (hash >>> 15)) & (SLOTS - 1);
    const other = this.#starts[slot]!;
    let isSame = other !== NONE && this.#ends[slot]! - other === length;
    for (let i = 0; isSame && i < length; i++) isSame = bytes[other + i] === bytes[start + i];
    if (isSame) return true;
    this.#starts[slot] = start;
    this.#ends[slot] = at;
    return false;
  }
}
