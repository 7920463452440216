/**
 * Numbers 64-bit keys in the order they first come, in typed arrays: 13 to 27 bytes a key,
 * no object. Slots hold a key's number plus one; a taken slot sends the search on to the next.
 */
import { KeyHash, type KeyPlaces } from '../model/key-hash.js';
import { compareKeys } from './disk-index.js';

export class KeyTable {
  count = 0;
  /** Key i is at 2i (low half) and 2i + 1. */
  keys = new Uint32Array(2 * 1024);
  #slots = new Uint32Array(2048);
  readonly #hash: KeyPlaces;

  constructor(hash: KeyPlaces = new KeyHash()) {
    this.#hash = hash;
  }

  /** The number of a key; it was new if that is the count before the call. */
  number(low: number, high: number): number {
    if (4 * this.count >= 3 * this.#slots.length) this.#grow();
    const slot = this.#slotOf(low, high);
    if (this.#slots[slot] !== 0) return this.#slots[slot]! - 1;
    if (2 * this.count === this.keys.length) this.keys = doubled(this.keys);
    this.keys[2 * this.count] = low;
    this.keys[2 * this.count + 1] = high;
    this.#slots[slot] = ++this.count;
    return this.count - 1;
  }

  /** The number of a key, or -1 if it never came. */
  find(low: number, high: number): number {
    return this.#slots[this.#slotOf(low, high)]! - 1;
  }

  /** Where the key is, or would go. */
  #slotOf(low: number, high: number): number {
    const mask = this.#slots.length - 1;
    let slot = this.#hash.of(low, high) & mask;
    for (; this.#slots[slot] !== 0; slot = (slot + 1) & mask) {
      const number = this.#slots[slot]! - 1;
      if (this.keys[2 * number] === low && this.keys[2 * number + 1] === high) break;
    }
    return slot;
  }

  /** The numbers of all keys for which `isWanted` holds, by ascending key. */
  sorted(isWanted: (number: number) => boolean = () => true): Uint32Array {
    const numbers = new Uint32Array(this.count);
    let length = 0;
    for (let i = 0; i < this.count; i++) if (isWanted(i)) numbers[length++] = i;
    const keys = this.keys;
    return numbers
      .subarray(0, length)
      .sort((a, b) => compareKeys(keys[2 * a]!, keys[2 * a + 1]!, keys[2 * b]!, keys[2 * b + 1]!));
  }

  #grow(): void {
    this.#slots = new Uint32Array(2 * this.#slots.length);
    const mask = this.#slots.length - 1;
    for (let i = 0; i < this.count; i++) {
      let slot = this.#hash.of(this.keys[2 * i]!, this.keys[2 * i + 1]!) & mask;
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
      this.#slots[slot] = i + 1;
    }
  }
}

/** A copy with room for twice as many. */
export function doubled<T extends Uint32Array | Float64Array | Uint16Array>(array: T): T {
  const larger = new (array.constructor as new (length: number) => T)(2 * array.length);
  larger.set(array);
  return larger;
}
