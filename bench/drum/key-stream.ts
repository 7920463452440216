/** Keys for every contender alike: seeded, half of them seen before, any earlier one as likely as another. */
export class KeyStream {
  /** Distinct keys so far. */
  distinct = 0;
  low = 0;
  high = 0;
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** Sets `low` and `high` to the next key. */
  next(): void {
    const isNew = this.distinct === 0 || (this.#word() & 1) === 0;
    const n = isNew ? this.distinct++ : this.#word() % this.distinct;
    this.high = scramble(n);
    this.low = scramble(n ^ 0x5bd1e995);
  }

  #word(): number {
    let x = this.#state;
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    this.#state = x;
    return x >>> 0;
  }
}

/** The finalizer of MurmurHash3: a permutation of 32 bits, so different numbers are different keys. */
function scramble(n: number): number {
  let x = n;
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return (x ^ (x >>> 16)) >>> 0;
}
