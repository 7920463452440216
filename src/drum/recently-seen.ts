/**
 * A bounded, exact memory of keys: it may forget a key, but says "seen" only of a key that was put in. Stands before
 * the PageUrlDrum, where the navigation links of a site repeat on every page.
 *
 * Two-way sets: the newer key of a set replaces the older. Key (0, 0) is never remembered, so that an empty slot
 * matches nothing.
 */
import { KeyHash, type KeyPlaces } from '../model/key-hash.js';

export class RecentlySeen {
  readonly #keys: Uint32Array;
  readonly #mask: number;
  readonly #hash: KeyPlaces;

  /** As many keys as fit `memoryBytes`, 8 bytes each, at least 16. */
  constructor(memoryBytes: number, hash: KeyPlaces = new KeyHash()) {
    this.#hash = hash;
    const keys = 2 ** Math.floor(Math.log2(Math.max(16, memoryBytes / 8)));
    this.#keys = new Uint32Array(2 * keys);
    this.#mask = keys / 2 - 1;
  }

  /** Was the key put in before? */
  has(low: number, high: number): boolean {
    const keys = this.#keys;
    const at = (this.#hash.of(low, high) & this.#mask) * 4;
    const isThere =
      (keys[at] === low && keys[at + 1] === high) || (keys[at + 2] === low && keys[at + 3] === high);
    return isThere && (low | high) !== 0;
  }

  /** Was the key put in before? Puts it in either way. */
  testAndAdd(low: number, high: number): boolean {
    const keys = this.#keys;
    const at = (this.#hash.of(low, high) & this.#mask) * 4;
    if (keys[at] === low && keys[at + 1] === high) return (low | high) !== 0;
    const wasOlder = keys[at + 2] === low && keys[at + 3] === high;
    keys[at + 2] = keys[at]!;
    keys[at + 3] = keys[at + 1]!;
    keys[at] = low;
    keys[at + 1] = high;
    return wasOlder && (low | high) !== 0;
  }
}
