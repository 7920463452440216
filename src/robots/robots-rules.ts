/**
 * robots.txt of the origins an agent visits, by RFC 9309: kept for a day within a bound on memory; what was forgotten is
 * fetched again. An origin about which all or nothing is allowed costs a look into a table of keys, and the others keep
 * their parsed rules. Fetching, following redirects and trying again are the caller's.
 */
import { type Clock, monotonicClock } from '../model/clock.js';
import type { FetchedPage } from '../model/web.js';
import { comparablePath } from './comparable-path.js';
import { NO_ENTRY, PlainOrigins } from './plain-origins.js';
import { productToken, readRobotsText } from './robots-text.js';
import { RuleSet } from './rule-set.js';

export const ALLOWED = 0;
export const DISALLOWED = 1;
/** The origin's robots.txt has to be fetched first. */
export const NOT_KNOWN = 2;
export type Verdict = typeof ALLOWED | typeof DISALLOWED | typeof NOT_KNOWN;

/** What came for a robots.txt. */
export type RobotsAnswer = Pick<FetchedPage, 'status' | 'body' | 'bodyLength' | 'failure'>;

const KEPT_SECONDS = 24 * 3600;
const decoder = new TextDecoder();

/**
 * Did the server fail to say what its rules are? Then the site waits and is asked again, and at last
 * `learnUnreachable` closes it. 429 asks to wait, unlike the other 4xx, which say that there are no rules.
 */
export function isRobotsUnreachable({ status, failure }: RobotsAnswer): boolean {
  if (status === 0 || status === 429 || status >= 500) return true;
  return status < 300 && failure !== '' && failure !== 'UNWANTED_TYPE';
}

export class RobotsRules {
  readonly #token: string;
  readonly #bound: number;
  readonly #clock: Clock;
  readonly #start: number;
  #used = 0;
  /** Least recently used first. */
  readonly #rules = new Map<string, { readonly set: RuleSet; readonly expires: number }>();
  readonly #plain: PlainOrigins;

  /** Rules are looked up by the product token that `userAgent` begins with. */
  constructor(userAgent: string, memoryBytes: number, clock: Clock = monotonicClock) {
    this.#token = productToken(userAgent);
    this.#bound = memoryBytes / 2;
    this.#plain = new PlainOrigins(memoryBytes / 2);
    this.#clock = clock;
    this.#start = clock();
  }

  /**
   * Never NOT_KNOWN right after `learn` or `learnUnreachable` for the origin. REQUIRES: url[start, end) is canonical and
   * url[start, originEnd) its scheme, host and port.
   */
  verdict(url: Uint8Array, start: number, originEnd: number, end: number): Verdict {
    const slot = this.#plain.find(url, start, originEnd, this.#now());
    if (slot !== NO_ENTRY) return this.#plain.isDisallowed(slot) ? DISALLOWED : ALLOWED;
    const set = this.#find(url, start, originEnd);
    if (set === null) return NOT_KNOWN;
    return set.allows(comparablePath(url, originEnd, end)) ? ALLOWED : DISALLOWED;
  }

  /**
   * Takes what came for the origin's robots.txt, after redirects; without a body of rules, all is allowed. Returns the
   * sitemaps it names, canonical, which are not kept. REQUIRES: not isRobotsUnreachable(answer).
   */
  learn(origin: Uint8Array, start: number, end: number, answer: RobotsAnswer): readonly string[] {
    if (answer.status < 200 || answer.status >= 300 || answer.bodyLength === 0) {
      this.#setPlain(origin, start, end, false, 0);
      return [];
    }
    const name = decoder.decode(origin.subarray(start, end));
    const text = readRobotsText(answer.body, answer.bodyLength, this.#token, name);
    if (text.rules.every(({ isAllow }) => isAllow)) {
      this.#setPlain(origin, start, end, false, text.crawlDelay);
      return text.sitemaps;
    }
    this.#plain.remove(origin, start, end);
    this.#forget(name);
    const set = new RuleSet(text.rules, text.crawlDelay);
    this.#rules.set(name, { set, expires: this.#now() + KEPT_SECONDS });
    this.#used += set.size;
    for (const oldest of this.#rules.keys()) {
      if (this.#used <= this.#bound || oldest === name) break;
      this.#forget(oldest);
    }
    return text.sitemaps;
  }

  /** The origin's robots.txt could not be had after all: nothing is allowed. */
  learnUnreachable(origin: Uint8Array, start: number, end: number): void {
    this.#setPlain(origin, start, end, true, 0);
  }

  /** What the origin's robots.txt asks for in ms, at most a minute; 0 if nothing, or if it is not known. */
  crawlDelay(origin: Uint8Array, start: number, end: number): number {
    const slot = this.#plain.find(origin, start, end, this.#now());
    if (slot !== NO_ENTRY) return this.#plain.crawlDelay(slot);
    return this.#find(origin, start, end)?.crawlDelay ?? 0;
  }

  /** Which line decides about a URL, for people; '' if none does. Arguments as of `verdict`. */
  ruleFor(url: Uint8Array, start: number, originEnd: number, end: number): string {
    const slot = this.#plain.find(url, start, originEnd, this.#now());
    if (slot !== NO_ENTRY) return this.#plain.isDisallowed(slot) ? 'robots.txt could not be fetched' : '';
    return this.#find(url, start, originEnd)?.ruleFor(comparablePath(url, originEnd, end)) ?? '';
  }

  #now(): number {
    return Math.floor((this.#clock() - this.#start) / 1000);
  }

  /** The rules of an origin, now the most recently used; null if not known or too old. */
  #find(url: Uint8Array, start: number, originEnd: number): RuleSet | null {
    if (this.#rules.size === 0) return null;
    const origin = decoder.decode(url.subarray(start, originEnd));
    const known = this.#rules.get(origin);
    if (known === undefined) return null;
    if (known.expires <= this.#now()) {
      this.#forget(origin);
      return null;
    }
    this.#rules.delete(origin);
    this.#rules.set(origin, known);
    return known.set;
  }

  #forget(origin: string): void {
    const known = this.#rules.get(origin);
    if (known === undefined) return;
    this.#rules.delete(origin);
    this.#used -= known.set.size;
  }

  #setPlain(origin: Uint8Array, start: number, end: number, isDisallowed: boolean, crawlDelay: number): void {
    if (this.#rules.size > 0) this.#forget(decoder.decode(origin.subarray(start, end)));
    this.#plain.set(origin, start, end, this.#now() + KEPT_SECONDS, isDisallowed, crawlDelay);
  }
}
