/** Keys for every contender alike: seeded, half of them seen before, any earlier one as likely as another. */
export class KeyStream {
  /** Low and high half of key i of the last `fill` at 2i and 2i + 1. */
  readonly keys: Uint32Array;
  /** Distinct keys so far; setting it pretends that so many came before. */
  distinct = 0;
  #state: number;
  /** A key is new if a random word is less. */
  readonly #newBelow: number;

  /** `share` of the keys is new. */
  constructor(seed: number, capacity: number, share = 0.5) {
    this.#state = seed;
    this.#newBelow = share * 2 ** 32;
    this.keys = new Uint32Array(2 * capacity);
  }

  /** Makes the next `count` keys. */
  fill(count: number): void {
    const { keys } = this;
    let state = this.#state;
    let distinct = this.distinct;
    for (let i = 0; i < 2 * count; i += 2) {
      state = next(state);
      let n = distinct;
      if (distinct === 0 || state >>> 0 < this.#newBelow) {
        distinct++;
      } else {
        state = next(state);
        n = Math.floor(((state >>> 0) / 2 ** 32) * distinct);
      }
      keys[i] = scramble(n ^ 0x5bd1e995);
      keys[i + 1] = scramble(n);
    }
    this.#state = state;
    this.distinct = distinct;
  }
}

function next(state: number): number {
  let x = state;
  x ^= x << 13;
  x ^= x >>> 17;
  x ^= x << 5;
  return x;
}

/** The finalizer of MurmurHash3: a permutation of 32 bits, so different numbers are different keys. */
function scramble(n: number): number {
  let x = n;
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return x ^ (x >>> 16);
}
