/**
 * Fetches robots.txt when a site's visit begins (RFC 9309), with the same pauses as any request: before a redirect is
 * followed, the site is released. Redirects are followed on the same host. A redirect to another host counts as no rules: that host may be another agent's, and
 * its own robots.txt holds for the pages that redirect there.
 */
import { canonicalUrl } from '../model/canonical-url.js';
import type { Clock } from '../model/clock.js';
import { RECORD_HEADER } from '../model/record.js';
import type { FetchedPage, Fetcher } from '../model/web.js';
import { isRobotsUnreachable, type RobotsAnswer, type RobotsRules } from '../robots/robots-rules.js';
import { MOST_PARSED } from '../robots/robots-text.js';
import type { AgentBooks } from './agent-books.js';
import type { Politeness } from './politeness.js';
import { RobotsRedirects } from './robots-redirects.js';
import type { Visit } from './visit.js';

export interface RobotsVisitParts {
  readonly clock: Clock;
  readonly fetcher: Fetcher;
  readonly robots: RobotsRules;
  readonly politeness: Politeness;
  readonly books: AgentBooks;
  /** The rules are known: the site may be visited after `delay` ms; `sitemaps` are those that robots.txt names. */
  readonly onRules: (visit: Visit, delay: number, sitemaps: readonly string[]) => void;
  /** How often robots.txt of the site was asked for without rules coming, and how often a failure is tried again. */
  readonly triesOf: (visit: Visit) => number;
  readonly retries: number;
  /** Nobody answered at the origin, however often it was asked. */
  readonly onUnreachable: (visit: Visit) => void;
  /** The rules are not known yet: the site is to be visited again after `delay` ms; `status` is 0 if nobody answered. */
  readonly onNoAnswer: (visit: Visit, delay: number, status: number) => void;
}

const MAX_HOPS = 5;
const encoder = new TextEncoder();
const decoder = new TextDecoder();
const NO_RULES = { status: 404, body: new Uint8Array(0), bodyLength: 0, isTruncated: false, failure: '' };

export class RobotsVisits {
  readonly #parts: RobotsVisitParts;
  readonly #redirects = new RobotsRedirects();
  #isClosed = false;

  constructor(parts: RobotsVisitParts) {
    this.#parts = parts;
  }

  /** REQUIRES: the request may start now, which is `visit.startedAt`. */
  begin(visit: Visit): void {
    const redirect = this.#redirects.take(visit);
    if (redirect === null) visit.askForRobots();
    else visit.askForOther(redirect.target, redirect.hops);
    this.#request(visit);
  }

  /** Is the site to go on with a redirect when its time comes? */
  isUnderWay(site: number): boolean {
    return this.#redirects.has(site);
  }

  close(): void {
    this.#isClosed = true;
  }

  #request(visit: Visit): void {
    const { fetcher } = this.#parts;
    fetcher.fetch(
      visit.other,
      0,
      visit.otherLength,
      visit.address,
      (page) => this.#onAnswer(visit, page),
      true,
      MOST_PARSED,
    );
  }

  #onAnswer(visit: Visit, page: FetchedPage): void {
    if (this.#isClosed) return;
    const isRedirect = page.status >= 300 && page.status < 400;
    const target = isRedirect && visit.hops < MAX_HOPS ? redirectTarget(visit, page.location) : null;
    // Where redirects had to be forgotten again and again, their number is not known.
    const isEndless = target !== null && this.#failures(visit) > MAX_HOPS + this.#parts.retries;
    if (isEndless || isRobotsUnreachable(page)) this.#onNoAnswer(visit, page);
    else if (target !== null) this.#onRedirect(visit, page, target);
    else this.#onRules(visit, isRedirect ? NO_RULES : page, page);
  }

  #onNoAnswer(visit: Visit, page: FetchedPage): void {
    const { books, onNoAnswer, onRules, politeness, retries, robots } = this.#parts;
    const tries = this.#failures(visit);
    const willRetry = tries < retries;
    const delay = willRetry
      ? politeness.retryDelay(tries + 1, page.retryAfter)
      : politeness.delayAfter(this.#parts.clock() - visit.startedAt, 0, page.retryAfter);
    const reason = page.failure || `HTTP_${page.status}`;
    books.otherRequest('robots', visit, page, delay, tries, reason, willRetry);
    if (willRetry) {
      if (visit.hops > 0) this.#redirects.note(visit, visit.other.slice(0, visit.otherLength), visit.hops);
      onNoAnswer(visit, delay, page.status);
    } else {
      if (page.status === 0) this.#parts.onUnreachable(visit);
      robots.learnUnreachable(visit.record, RECORD_HEADER, visit.pathStart);
      onRules(visit, delay, []);
    }
  }

  /** The pause that was asked for is the site's: nothing is held meanwhile. */
  #onRedirect(visit: Visit, page: FetchedPage, target: Uint8Array): void {
    const { books, onNoAnswer, politeness } = this.#parts;
    const delay = politeness.delayAfter(this.#parts.clock() - visit.startedAt, 0, page.retryAfter);
    books.otherRequest('robots', visit, page, delay, this.#failures(visit), '', false);
    this.#redirects.note(visit, target, visit.hops + 1);
    onNoAnswer(visit, delay, page.status);
  }

  #onRules(visit: Visit, rules: RobotsAnswer, page: FetchedPage): void {
    const { books, onRules, politeness, robots } = this.#parts;
    const { record, pathStart } = visit;
    const sitemaps = robots.learn(record, RECORD_HEADER, pathStart, rules);
    const crawlDelay = robots.crawlDelay(record, RECORD_HEADER, pathStart);
    const delay = politeness.delayAfter(this.#parts.clock() - visit.startedAt, crawlDelay, page.retryAfter);
    books.otherRequest('robots', visit, page, delay, this.#failures(visit), '', false);
    onRules(visit, delay, sitemaps);
  }

  /** Requests before this one that led nowhere; the redirects followed to get here led on. */
  #failures(visit: Visit): number {
    return Math.max(0, this.#parts.triesOf(visit) - visit.hops);
  }
}

/** Where robots.txt redirects to, if that is on the same host. */
function redirectTarget(visit: Visit, location: string): Uint8Array | null {
  const from = decoder.decode(visit.other.subarray(0, visit.otherLength));
  const target = location === '' ? null : canonicalUrl(location, from);
  if (target === null || new URL(target).hostname !== new URL(from).hostname) return null;
  return encoder.encode(target);
}
