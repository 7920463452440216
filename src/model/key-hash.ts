/**
 * Where 64-bit keys go in tables in memory. Keys themselves are the same in every crawl, so that whoever writes pages can
 * choose URLs whose keys lie side by side; hashed with a seed that nobody knows they don't.
 *
 * Simple tabulation hashing: for each byte of a key a table of 256 random words, which are combined. With linear
 * probing a look-up takes constant time on average whatever the keys are, as long as they were chosen without knowing
 * the tables (Pătraşcu and Thorup, *The Power of Simple Tabulation Hashing*). 8 KB, which stay in the processor's cache.
 */
import { randomBytes } from 'node:crypto';

/** Four words of 32 bits. */
export type TableSeed = readonly number[];

const SEED_WORDS = 4;
const WARM_UP = 16;

/** Where a table puts a key. */
export type KeyPlaces = Pick<KeyHash, 'of'>;

export function newTableSeed(): TableSeed {
  return Array.from(new Uint32Array(randomBytes(4 * SEED_WORDS).buffer.slice(0, 4 * SEED_WORDS)));
}

export class KeyHash {
  readonly seed: TableSeed;
  /** For byte i of a key the words from 256 i on. */
  readonly #words = new Int32Array(8 * 256);

  /** A seed of one's own makes what depends on places in tables repeatable. */
  constructor(seed: TableSeed = newTableSeed()) {
    this.seed = seed;
    const next = randomWords(seed);
    for (let i = 0; i < WARM_UP; i++) next();
    for (let i = 0; i < this.#words.length; i++) this.#words[i] = next();
  }

  /** 32 bits with a sign: take as many of them as are needed, from either end. */
  of(low: number, high: number): number {
    const words = this.#words;
    return (
      words[low & 255]! ^
      words[256 | ((low >>> 8) & 255)]! ^
      words[512 | ((low >>> 16) & 255)]! ^
      words[768 | (low >>> 24)]! ^
      words[1024 | (high & 255)]! ^
      words[1280 | ((high >>> 8) & 255)]! ^
      words[1536 | ((high >>> 16) & 255)]! ^
      words[1792 | (high >>> 24)]!
    );
  }
}

/** The generator sfc32. */
function randomWords(seed: TableSeed): () => number {
  let [a = 0, b = 0, c = 0, d = 0] = seed;
  return () => {
    const word = (a + b + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + word) | 0;
    return word;
  };
}
