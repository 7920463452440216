/**
 * Which digests may have been noted: bits in shared memory, four in a word of 32 for each. The agent that sets the last of
 * them is the first with its digest, and needs nobody's answer. The fuller the filter, the more digests are asked for
 * that are new, and at last all of them.
 *
 * What chooses the bits are the digest's first eight bytes, the key in the DRUM: so the filter can be made of the keys.
 */
const BITS = 5;
const BIT_MASK = (1 << BITS) - 1;

export const allocateDigestFilter = (bytes: number): SharedArrayBuffer =>
  new SharedArrayBuffer(4 * Math.max(1, Math.floor(bytes / 4)));

export class DigestFilter {
  readonly #words: Int32Array;

  constructor(memory: SharedArrayBuffer) {
    this.#words = new Int32Array(memory);
  }

  /** True if nobody added this digest before, for certain: of several that add it at once, one is told so. */
  add(digest: Uint8Array): boolean {
    const view = new DataView(digest.buffer, digest.byteOffset, digest.length);
    return this.addKey(view.getUint32(0), view.getUint32(4));
  }

  addKey(first: number, second: number): boolean {
    const word = Math.floor((first / 2 ** 32) * this.#words.length);
    let mask = 0;
    for (let bit = 0; bit < 4; bit++) mask |= 1 << ((second >>> (BITS * bit)) & BIT_MASK);
    return (Atomics.or(this.#words, word, mask) & mask) !== mask;
  }
}
