/**
 * robots.txt of the origins an agent visits, by RFC 9309: kept for a day within bounds on memory and disk; what was
 * forgotten is fetched again. An origin about which all or nothing is allowed costs a look into a table of keys, the others
 * keep their parsed rules while there is room, and then have them in a file. Fetching, following redirects and trying
 * again are the caller's.
 */
import type { Clock } from '../model/clock.js';
import { productToken } from '../model/product-token.js';
import type { FetchedPage } from '../model/web.js';
import { comparablePath } from './comparable-path.js';
import {
  ALL_ALLOWED,
  ALL_DISALLOWED,
  type EntryKind,
  IN_FILE,
  NO_ENTRY,
  OriginTable,
} from './origin-table.js';
import { type RobotsFile, type RobotsLine, readRobotsText } from './robots-text.js';
import { describeRule, RuleSet } from './rule-set.js';
import { NOT_FILED, type RulesFile } from './rules-file.js';

export const ALLOWED = 0;
export const DISALLOWED = 1;
/** The origin's robots.txt has to be fetched first. */
export const NOT_KNOWN = 2;
/** The origin's robots.txt could not be had after all. */
export const UNREACHABLE = 3;
export type Verdict = typeof ALLOWED | typeof DISALLOWED | typeof NOT_KNOWN | typeof UNREACHABLE;

/** What came for a robots.txt. */
export type RobotsAnswer = RobotsFile & Pick<FetchedPage, 'status' | 'failure'>;

const KEPT_SECONDS = 24 * 3600;
/** Of the memory; the rest is for parsed rules. */
const TABLE_SHARE = 0.6;
const decoder = new TextDecoder();
const encoder = new TextEncoder();

interface KnownRules {
  readonly set: RuleSet;
  readonly expires: number;
  /** They were read from the file, so they are there. */
  readonly isFiled: boolean;
}

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
  readonly #file: RulesFile;
  readonly #clock: Clock;
  readonly #start: number;
  #used = 0;
  /** Least recently used first. */
  readonly #rules = new Map<string, KnownRules>();
  readonly #table: OriginTable;
  /** What the origin of the URL that `verdict` allowed last asks for between requests, in ms. */
  delay = 0;
  /** The rule that decided about the URL that `verdict` was asked about last. */
  #decisive: RobotsLine | null = null;

  /** Rules are looked up by the product token that `userAgent` begins with. */
  constructor(userAgent: string, memoryBytes: number, file: RulesFile, clock: Clock) {
    this.#token = productToken(userAgent);
    this.#bound = (1 - TABLE_SHARE) * memoryBytes;
    this.#table = new OriginTable(TABLE_SHARE * memoryBytes);
    this.#file = file;
    this.#clock = clock;
    this.#start = clock();
  }

  /**
   * Never NOT_KNOWN right after `learn` or `learnUnreachable` for the origin. REQUIRES: url[start, end) is canonical and
   * url[start, originEnd) its scheme, host and port.
   */
  verdict(url: Uint8Array, start: number, originEnd: number, end: number): Verdict {
    const slot = this.#table.find(url, start, originEnd, this.#now());
    this.#decisive = null;
    if (this.#isPlain(slot)) {
      this.delay = this.#table.value(slot);
      return this.#table.kind(slot) === ALL_ALLOWED ? ALLOWED : UNREACHABLE;
    }
    const set = this.#find(url, start, originEnd, slot);
    if (set === null) return NOT_KNOWN;
    this.delay = set.text.crawlDelay;
    this.#decisive = set.find(comparablePath(url, originEnd, end));
    return (this.#decisive?.isAllow ?? true) ? ALLOWED : DISALLOWED;
  }

  /** Which line decided about the URL that `verdict` was asked about last, for people; '' if none did. */
  get decisiveLine(): string {
    return this.#decisive === null ? '' : describeRule(this.#decisive);
  }

  /**
   * Takes what came for the origin's robots.txt, after redirects; without a body of rules, all is allowed. Returns the
   * sitemaps it names, canonical, which are not kept. REQUIRES: not isRobotsUnreachable(answer).
   */
  learn(origin: Uint8Array, start: number, end: number, answer: RobotsAnswer): readonly string[] {
    if (answer.status < 200 || answer.status >= 300 || answer.bodyLength === 0) {
      this.#setPlain(origin, start, end, ALL_ALLOWED, 0);
      return [];
    }
    const name = decoder.decode(origin.subarray(start, end));
    const { rules, crawlDelay, sitemaps } = readRobotsText(answer, this.#token, name);
    if (rules.every(({ isAllow }) => isAllow)) {
      this.#setPlain(origin, start, end, ALL_ALLOWED, crawlDelay);
      return sitemaps;
    }
    this.#table.remove(origin, start, end);
    this.#forget(name);
    const expires = this.#now() + KEPT_SECONDS;
    this.#keep(name, { set: new RuleSet({ rules, crawlDelay }), expires, isFiled: false });
    return sitemaps;
  }

  /** The origin's robots.txt could not be had after all: nothing is allowed. */
  learnUnreachable(origin: Uint8Array, start: number, end: number): void {
    this.#setPlain(origin, start, end, ALL_DISALLOWED, 0);
  }

  /** What the origin's robots.txt asks for in ms, at most a minute; 0 if nothing, or if it is not known. */
  crawlDelay(origin: Uint8Array, start: number, end: number): number {
    const slot = this.#table.find(origin, start, end, this.#now());
    if (this.#isPlain(slot)) return this.#table.value(slot);
    return this.#find(origin, start, end, slot)?.text.crawlDelay ?? 0;
  }

  close(): void {
    this.#file.close();
  }

  #now(): number {
    return Math.floor((this.#clock() - this.#start) / 1000);
  }

  #isPlain(slot: number): boolean {
    return slot !== NO_ENTRY && this.#table.kind(slot) !== IN_FILE;
  }

  /** The rules of an origin, now the most recently used; null if not known or too old. `slot` is the table's for it. */
  #find(url: Uint8Array, start: number, originEnd: number, slot: number): RuleSet | null {
    if (this.#rules.size === 0 && slot === NO_ENTRY) return null;
    const origin = decoder.decode(url.subarray(start, originEnd));
    const known = this.#rules.get(origin);
    if (known === undefined) return slot === NO_ENTRY ? null : this.#fetchFiled(origin, slot);
    this.#forget(origin);
    if (known.expires <= this.#now()) return null;
    this.#keep(origin, known);
    return known.set;
  }

  /** REQUIRES: the origin is the one that the table looked at last. */
  #fetchFiled(origin: string, slot: number): RuleSet | null {
    const text = this.#file.read(this.#table.value(slot), this.#table.key);
    if (text === null) return null;
    const set = new RuleSet(text);
    this.#keep(origin, { set, expires: this.#table.expires(slot), isFiled: true });
    return set;
  }

  /** Makes an origin the most recently used; others go to the file, if there is no room for all. */
  #keep(origin: string, known: KnownRules): void {
    this.#rules.set(origin, known);
    this.#used += known.set.size;
    for (const [oldest, { expires, isFiled, set }] of this.#rules) {
      if (this.#used <= this.#bound || oldest === origin) return;
      this.#forget(oldest);
      if (!isFiled) this.#putInFile(oldest, set, expires);
    }
  }

  #putInFile(origin: string, set: RuleSet, expires: number): void {
    const bytes = encoder.encode(origin);
    this.#table.find(bytes, 0, bytes.length, 0);
    const block = this.#file.append(this.#table.key, set.text);
    if (block !== NOT_FILED) this.#table.set(bytes, 0, bytes.length, expires, IN_FILE, block);
  }

  #forget(origin: string): void {
    const known = this.#rules.get(origin);
    if (known === undefined) return;
    this.#rules.delete(origin);
    this.#used -= known.set.size;
  }

  #setPlain(origin: Uint8Array, start: number, end: number, kind: EntryKind, crawlDelay: number): void {
    if (this.#rules.size > 0) this.#forget(decoder.decode(origin.subarray(start, end)));
    this.#table.set(origin, start, end, this.#now() + KEPT_SECONDS, kind, crawlDelay);
  }
}
