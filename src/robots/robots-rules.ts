/**
 * robots.txt of the origins an agent visits, bounded: what was forgotten is fetched again. An origin without rules costs
 * a look into a table of keys; the others keep their parsed rules.
 */
import robotsParserModule from 'robots-parser';
import { writeKey } from '../model/key.js';
import type { FetchedPage } from '../model/web.js';

export const ALLOWED = 0;
export const DISALLOWED = 1;
/** The origin's robots.txt has to be fetched first. */
export const NOT_KNOWN = 2;
export type Verdict = typeof ALLOWED | typeof DISALLOWED | typeof NOT_KNOWN;

/** The package's types describe an ES module, but it is a CommonJS one whose only export is the function. */
const robotsParser = robotsParserModule as unknown as typeof robotsParserModule.default;
type Rules = ReturnType<typeof robotsParser>;

/** What the rules of one origin take, by estimate: the parser keeps an object for each line. */
const RULES_BYTES_PER_TEXT_BYTE = 10;
const RULES_BYTES = 1000;
const decoder = new TextDecoder();

export class RobotsRules {
  readonly #userAgent: string;
  readonly #bound: number;
  #used = 0;
  /** Least recently used first. */
  readonly #rules = new Map<string, { rules: Rules; size: number }>();
  /** Keys of origins that have no rules; a newer key takes an older one's slot. */
  readonly #free: Uint32Array;
  readonly #key = new Uint32Array(2);

  constructor(userAgent: string, memoryBytes: number) {
    this.#userAgent = userAgent;
    this.#bound = memoryBytes / 2;
    this.#free = new Uint32Array(2 ** Math.floor(Math.log2(Math.max(64, memoryBytes / 8))));
  }

  /** REQUIRES: url[start, end) is canonical and url[start, originEnd) its scheme, host and port. */
  verdict(url: Uint8Array, start: number, originEnd: number, end: number): Verdict {
    if (this.#isFree(url, start, originEnd)) return ALLOWED;
    const origin = decoder.decode(url.subarray(start, originEnd));
    const known = this.#rules.get(origin);
    if (known === undefined) return NOT_KNOWN;
    this.#rules.delete(origin);
    this.#rules.set(origin, known);
    const allowed = known.rules.isAllowed(decoder.decode(url.subarray(start, end)), this.#userAgent);
    return allowed === false ? DISALLOWED : ALLOWED;
  }

  /** Takes what came for the origin's robots.txt. Without a body of rules, all is allowed. */
  learn(origin: Uint8Array, start: number, end: number, page: FetchedPage): void {
    const text =
      page.status >= 200 && page.status < 300 ? decoder.decode(page.body.subarray(0, page.bodyLength)) : '';
    if (!/^\s*disallow\s*:\s*\S/im.test(text)) {
      this.#setFree(origin, start, end);
      return;
    }
    const name = decoder.decode(origin.subarray(start, end));
    const size = RULES_BYTES + RULES_BYTES_PER_TEXT_BYTE * text.length;
    this.#rules.set(name, { rules: robotsParser(`${name}/robots.txt`, text), size });
    this.#used += size;
    for (const [oldest, { size: freed }] of this.#rules) {
      if (this.#used <= this.#bound || oldest === name) break;
      this.#rules.delete(oldest);
      this.#used -= freed;
    }
  }

  #slot(origin: Uint8Array, start: number, end: number): number {
    writeKey(origin.subarray(start, end), this.#key, 0);
    return (this.#key[0]! & (this.#free.length / 2 - 1)) * 2;
  }

  #isFree(origin: Uint8Array, start: number, end: number): boolean {
    const slot = this.#slot(origin, start, end);
    return this.#free[slot] === this.#key[0] && this.#free[slot + 1] === this.#key[1];
  }

  #setFree(origin: Uint8Array, start: number, end: number): void {
    const slot = this.#slot(origin, start, end);
    this.#free[slot] = this.#key[0]!;
    this.#free[slot + 1] = this.#key[1]!;
  }
}
