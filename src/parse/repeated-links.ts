/**
 * Which links of a page stood there before, but for the fragment: two of three do in documentation, and they need not be
 * resolved and hashed again. It may overlook a repetition, but never takes a link for another.
 *
 * One slot a hash, where a newer link replaces an older: a page can't make it slow.
 */
const SLOTS = 1024;
const NONE = 0xffff_ffff;
const SPACE = 0x20;
const HASH = 0x23;

export class RepeatedLinks {
  /** Where the link of each slot lies, without fragment and spaces around it. */
  readonly #starts = new Uint32Array(SLOTS).fill(NONE);
  readonly #ends = new Uint32Array(SLOTS);

  /** For another page, or another base. */
  clear(): void {
    this.#starts.fill(NONE);
  }

  /**
   * Did the link `bytes[start, end)` stand before? Notes it either way. REQUIRES: all links since `clear` lie in `bytes`
   * and are as they were.
   */
  testAndAdd(bytes: Uint8Array, start: number, end: number): boolean {
    // Spaces before a fragment belong to the link, so those around it must go first.
    while (start < end && bytes[start]! <= SPACE) start++;
    while (start < end && bytes[end - 1]! <= SPACE) end--;
    let hash = 0;
    let at = start;
    for (; at < end && bytes[at] !== HASH; at++) hash = Math.imul(hash ^ bytes[at]!, 0x01000193);
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
