/**
 * A bounded, exact memory of keys: it may forget a key, but says "seen" only of a key that was put in. Stands before
 * the PageUrlDrum, where the navigation links of a site repeat on every page.
 *
 * Two-way sets: the newer key of a set replaces the older. Key (0, 0) is never remembered, so that an empty slot
 * matches nothing. Which set a key goes to depends on a seed, by a cheaper hash than tables have where a search goes on from
 * slot to slot: whoever fills a set knowingly has only that one forget.
 */
import { KeyHash, type KeyPlaces } from '../model/key-hash.js';

export class RecentlySeen {
  readonly #keys: Uint32Array;
  /** The first bits of a product say which set: the rest of it is shifted out. */
  readonly #shift: number;
  readonly #factor: number;
  readonly #change: number;

  /** As many keys as fit `memoryBytes`, 8 bytes each, at least 16. */
  constructor(memoryBytes: number, hash: KeyPlaces = new KeyHash()) {
    const keys = 2 ** Math.floor(Math.log2(Math.max(16, memoryBytes / 8)));
    this.#keys = new Uint32Array(2 * keys);
    this.#shift = 33 - Math.log2(keys);
    this.#factor = hash.of(1, 1) | 1;
    this.#change = hash.of(0, 0);
  }

  /** Was the key put in before? */
  has(low: number, high: number): boolean {
    const keys = this.#keys;
    const at = (Math.imul(low ^ this.#change, this.#factor) >>> this.#shift) * 4;
    const isThere =
      (keys[at] === low && keys[at + 1] === high) || (keys[at + 2] === low && keys[at + 3] === high);
    return isThere && (low | high) !== 0;
  }

  /** Was the key put in before? Puts it in either way. */
  testAndAdd(low: number, high: number): boolean {
    const keys = this.#keys;
    const at = (Math.imul(low ^ this.#change, this.#factor) >>> this.#shift) * 4;
    if (keys[at] === low && keys[at + 1] === high) return (low | high) !== 0;
    const wasOlder = keys[at + 2] === low && keys[at + 3] === high;
    keys[at + 2] = keys[at]!;
    keys[at + 3] = keys[at + 1]!;
    keys[at] = low;
    keys[at + 1] = high;
    return wasOlder && (low | high) !== 0;
  }
}
