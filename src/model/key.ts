/**
 * 64-bit keys of URLs and sites. A key travels as two unsigned 32-bit halves in a Uint32Array, low half
 * first: no BigInt and no object is kept per URL.
 */
import { hashAddon } from './assets.js';

/** The same keys on every machine and in every crawl: they are stored on disk. */
const SEED = 0n;

const wide = new BigUint64Array(1);
const halves = new Uint32Array(wide.buffer);
/** Typed arrays are little-endian on every platform that Node supports, so the low half comes first. */

/** The addon is loaded when the first key is asked for: help needs none. */
let xxh64 = (bytes: Uint8Array, seed: bigint): bigint => {
  xxh64 = hashAddon().xxh64;
  return xxh64(bytes, seed);
};

/** Writes the key of `bytes` into `keys[at]` (low) and `keys[at + 1]` (high). With a seed of its own it is another one. */
export function writeKey(bytes: Uint8Array, keys: Uint32Array, at: number, seed = SEED): void {
  wide[0] = xxh64(bytes, seed);
  keys[at] = halves[0]!;
  keys[at + 1] = halves[1]!;
}

/** A key as text, to compare and to send. */
export const keyText = (low: number, high: number): string =>
  high.toString(16).padStart(8, '0') + low.toString(16).padStart(8, '0');
