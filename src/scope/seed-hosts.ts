/**
 * The hosts of the seeds, for `--same-host` and `--same-domain`: 8 bytes each in a sorted array, so that a million seeds
 * take 8 MB. The public suffixes are not known here: the domain of a seed is its host without a leading `www.`.
 */
import { hostEnd } from '../model/canonical-url-bytes.js';
import { writeKey } from '../model/key.js';

const DOT = 0x2e;
const SLASH = 0x2f;
const WWW = new TextEncoder().encode('www.');
const FIRST_KEYS = 1024;

export class SeedHosts {
  readonly #isDomain: boolean;
  /** Sorted 64-bit keys, low half first. */
  readonly #keys: Uint32Array;
  readonly #key = new Uint32Array(2);

  /** REQUIRES: seeds are canonical URLs. With `isDomain`, subdomains belong to a seed's host too. */
  constructor(seeds: Iterable<string>, isDomain: boolean) {
    this.#isDomain = isDomain;
    let keys = new BigUint64Array(FIRST_KEYS);
    let count = 0;
    const encoder = new TextEncoder();
    for (const seed of seeds) {
      const url = encoder.encode(seed);
      const start = url.indexOf(SLASH) + 2;
      const end = hostEnd(url, start);
      if (count === keys.length) {
        const larger = new BigUint64Array(2 * keys.length);
        larger.set(keys);
        keys = larger;
      }
      this.#writeKey(url, isDomain ? start + prefixLength(url, start, end) : start, end);
      keys[count++] = (BigInt(this.#key[1]!) << 32n) | BigInt(this.#key[0]!);
    }
    keys = keys.subarray(0, count).sort();
    let unique = 0;
    for (const key of keys) if (unique === 0 || keys[unique - 1] !== key) keys[unique++] = key;
    this.#keys = new Uint32Array(keys.slice(0, unique).buffer);
  }

  has(url: Uint8Array, hostStart: number, hostEnd: number): boolean {
    if (this.#hasKey(url, hostStart, hostEnd)) return true;
    if (!this.#isDomain) return false;
    for (let at = hostStart; at < hostEnd - 1; at++) {
      if (url[at] === DOT && this.#hasKey(url, at + 1, hostEnd)) return true;
    }
    return false;
  }

  #writeKey(url: Uint8Array, start: number, end: number): void {
    // A trailing dot names the same host.
    writeKey(url.subarray(start, url[end - 1] === DOT ? end - 1 : end), this.#key, 0);
  }

  #hasKey(url: Uint8Array, start: number, end: number): boolean {
    this.#writeKey(url, start, end);
    const keys = this.#keys;
    const low = this.#key[0]!;
    const high = this.#key[1]!;
    let from = 0;
    let to = keys.length / 2;
    while (from < to) {
      const middle = (from + to) >>> 1;
      const midHigh = keys[2 * middle + 1]!;
      const midLow = keys[2 * middle]!;
      if (midHigh === high && midLow === low) return true;
      if (midHigh < high || (midHigh === high && midLow < low)) from = middle + 1;
      else to = middle;
    }
    return false;
  }
}

/** Of `www.`, unless nothing but a top-level domain would be left. */
function prefixLength(url: Uint8Array, start: number, end: number): number {
  for (let i = 0; i < WWW.length; i++) if (url[start + i] !== WWW[i]) return 0;
  return url.subarray(start + WWW.length, end).includes(DOT) ? WWW.length : 0;
}
