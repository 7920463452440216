/**
 * Fetches robots.txt when a site's visit begins (RFC 9309), with the same pauses as any request. Redirects are followed
 * on the same host. A redirect to another host counts as no rules: that host may be another agent's, and
 * its own robots.txt holds for the pages that redirect there.
 */
import { canonicalUrl } from '../model/canonical-url.js';
import { RECORD_HEADER } from '../model/record.js';
import type { FetchedPage, Fetcher } from '../model/web.js';
import { isRobotsUnreachable, type RobotsRules } from '../robots/robots-rules.js';
import { MOST_PARSED } from '../robots/robots-text.js';
import { sharedClock } from '../throttle/shared-clock.js';
import type { AgentBooks } from './agent-books.js';
import type { Politeness } from './politeness.js';
import type { Visit } from './visit.js';

export interface RobotsVisitParts {
  readonly fetcher: Fetcher;
  readonly robots: RobotsRules;
  readonly politeness: Politeness;
  readonly books: AgentBooks;
  /** The rules are known: the site may be visited after `delay` ms; `sitemaps` are those that robots.txt names. */
  readonly onRules: (visit: Visit, delay: number, sitemaps: readonly string[]) => void;
  /** How often robots.txt of the site was asked for in vain, and how often that is tried again. */
  readonly triesOf: (visit: Visit) => number;
  readonly retries: number;
  /** Nobody answered at the origin, however often it was asked. */
  readonly onUnreachable: (visit: Visit) => void;
  /** The rules are not known: the site is to be visited again after `delay` ms; `status` is 0 if nobody answered. */
  readonly onNoAnswer: (visit: Visit, delay: number, status: number) => void;
}

const MAX_HOPS = 5;
const encoder = new TextEncoder();
const decoder = new TextDecoder();
const NO_RULES = { status: 404, body: new Uint8Array(0), bodyLength: 0, isTruncated: false, failure: '' };

export class RobotsVisits {
  readonly #parts: RobotsVisitParts;
  #isClosed = false;

  constructor(parts: RobotsVisitParts) {
    this.#parts = parts;
  }

  /** REQUIRES: the request may start now, which is `visit.startedAt`. */
  begin(visit: Visit): void {
    visit.askForRobots();
    this.#request(visit);
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
    const { books, politeness, retries, robots, triesOf } = this.#parts;
    const responseTime = sharedClock() - visit.startedAt;
    if (isRobotsUnreachable(page)) {
      const tries = triesOf(visit);
      const willRetry = tries < retries;
      const delay = willRetry
        ? politeness.retryDelay(tries + 1, page.retryAfter)
        : politeness.delayAfter(responseTime, 0, page.retryAfter);
      books.otherRequest(
        'robots',
        visit,
        page,
        delay,
        tries,
        page.failure || `HTTP_${page.status}`,
        willRetry,
      );
      if (willRetry) this.#parts.onNoAnswer(visit, delay, page.status);
      else {
        if (page.status === 0) this.#parts.onUnreachable(visit);
        robots.learnUnreachable(visit.record, RECORD_HEADER, visit.pathStart);
        this.#parts.onRules(visit, delay, []);
      }
      return;
    }
    const target = page.status >= 300 && page.status < 400 ? redirectTarget(visit, page.location) : null;
    if (target !== null && visit.hops < MAX_HOPS) {
      const delay = politeness.delayAfter(responseTime, 0, page.retryAfter);
      books.otherRequest('robots', visit, page, delay, 0, '', false);
      visit.askForOther(target);
      this.#requestAfter(visit, delay);
      return;
    }
    const isRedirect = page.status >= 300 && page.status < 400;
    const sitemaps = robots.learn(visit.record, RECORD_HEADER, visit.pathStart, isRedirect ? NO_RULES : page);
    const crawlDelay = robots.crawlDelay(visit.record, RECORD_HEADER, visit.pathStart);
    const delay = politeness.delayAfter(responseTime, crawlDelay, page.retryAfter);
    books.otherRequest('robots', visit, page, delay, triesOf(visit), '', false);
    this.#parts.onRules(visit, delay, sitemaps);
  }

  #requestAfter(visit: Visit, delay: number): void {
    if (this.#isClosed) return;
    visit.startedAt = sharedClock();
    const wait = delay > 0 ? delay : this.#parts.politeness.reserve(visit, visit.startedAt);
    if (wait > 0) setTimeout(() => this.#requestAfter(visit, 0), wait);
    else this.#request(visit);
  }
}

/** Where robots.txt redirects to, if that is on the same host. */
function redirectTarget(visit: Visit, location: string): Uint8Array | null {
  const from = decoder.decode(visit.other.subarray(0, visit.otherLength));
  const target = location === '' ? null : canonicalUrl(location, from);
  if (target === null || new URL(target).hostname !== new URL(from).hostname) return null;
  return encoder.encode(target);
}
