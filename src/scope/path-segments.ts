/**
 * Traps seen in the path of a URL: too many segments, or one segment again and again, as links resolved against a wrong
 * base and endless calendars make them. Segments are counted in a table of fixed size: no string is made of them.
 */
import { MAX_URL_BYTES } from '../model/url-list.js';

const SLASH = 0x2f;
const QUESTION = 0x3f;
/** A power of two, twice the segments that fit into a URL, so that probes stay short and end. */
const SLOTS = 2 * MAX_URL_BYTES;

export class PathSegments {
  readonly #mostSegments: number;
  readonly #mostRepeats: number;
  /** Where each segment begins, and behind the last where one more would. */
  readonly #starts = new Uint32Array(MAX_URL_BYTES + 1);
  #count = 0;
  /** By hash: the segment's number and how often it occurs, valid if the stamp is that of this URL. */
  readonly #stamps = new Uint32Array(SLOTS);
  readonly #segments = new Uint16Array(SLOTS);
  readonly #repeats = new Uint16Array(SLOTS);
  #stamp = 0;

  /** Both bounds may be Infinity. */
  constructor(mostSegments: number, mostRepeats: number) {
    this.#mostSegments = mostSegments;
    this.#mostRepeats = mostRepeats;
  }

  /** '' or the trap's code. REQUIRES: `url[pathStart, end)` is path and query of a canonical URL. */
  check(url: Uint8Array, pathStart: number, end: number): string {
    this.#split(url, pathStart, end);
    if (this.#count > this.#mostSegments) return 'TRAP_SEGMENTS';
    if (this.#count <= this.#mostRepeats) return '';
    return this.#hasRepeats(url) ? 'TRAP_REPEATED_SEGMENT' : '';
  }

  /** What follows the last slash is a segment only if there is something. */
  #split(url: Uint8Array, pathStart: number, end: number): void {
    const starts = this.#starts;
    let count = 0;
    let at = pathStart;
    for (; at < end; at++) {
      const byte = url[at];
      if (byte === SLASH) starts[count++] = at + 1;
      else if (byte === QUESTION) break;
    }
    if (starts[count - 1] === at) count--;
    else starts[count] = at + 1;
    this.#count = count;
  }

  #hasRepeats(url: Uint8Array): boolean {
    this.#nextStamp();
    const starts = this.#starts;
    for (let i = 0; i < this.#count; i++) {
      const start = starts[i]!;
      const end = starts[i + 1]! - 1;
      let hash = 0x811c9dc5;
      for (let at = start; at < end; at++) hash = Math.imul(hash ^ url[at]!, 0x01000193);
      let slot = (hash ^ (hash >>> 15)) & (SLOTS - 1);
      while (this.#stamps[slot] === this.#stamp && !this.#isSame(url, this.#segments[slot]!, start, end)) {
        slot = (slot + 1) & (SLOTS - 1);
      }
      if (this.#stamps[slot] !== this.#stamp) {
        this.#stamps[slot] = this.#stamp;
        this.#segments[slot] = i;
        this.#repeats[slot] = 0;
      }
      const repeats = this.#repeats[slot]! + 1;
      if (repeats > this.#mostRepeats) return true;
      this.#repeats[slot] = repeats;
    }
    return false;
  }

  #isSame(url: Uint8Array, segment: number, start: number, end: number): boolean {
    const other = this.#starts[segment]!;
    if (this.#starts[segment + 1]! - 1 - other !== end - start) return false;
    for (let i = 0; i < end - start; i++) if (url[other + i] !== url[start + i]) return false;
    return true;
  }

  #nextStamp(): void {
    this.#stamp = (this.#stamp + 1) >>> 0;
    if (this.#stamp !== 0) return;
    this.#stamps.fill(0);
    this.#stamp = 1;
  }
}
