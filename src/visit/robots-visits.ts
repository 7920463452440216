/**
 * Fetches robots.txt when a site's visit begins (RFC 9309), with the same pauses as any request: before a redirect is
 * followed, the site is released. A redirect may lead to another host, which may be another agent's: that host is then
 * taken for the one request as its own agent takes it (`host-table.ts`), so it never gets two at a time, and none too early.
 */

import { assert } from '../model/assert.js';
import type { Clock } from '../model/clock.js';
import {
  originEnd,
  PAGE_URL,
  RECORD_HEADER,
  recordDepth,
  recordSiteHigh,
  recordSiteLow,
  setDepths,
} from '../model/record.js';
import { writeRootRecord } from '../model/root-record.js';
import { UrlList } from '../model/url-list.js';
import type { FetchedPage, Fetcher } from '../model/web.js';
import { UrlCanonicaliser } from '../parse/url-canonicaliser.js';
import { isRobotsUnreachable, type RobotsAnswer, type RobotsRules } from '../robots/robots-rules.js';
import { MOST_PARSED } from '../robots/robots-text.js';
import { isBadPort, namedPort } from '../web/http/bad-ports.js';
import { type AddressAsker, isRefusal } from './address-asker.js';
import type { AgentBooks } from './agent-books.js';
import { NO_ANSWER, OtherHosts } from './other-hosts.js';
import type { Politeness } from './politeness.js';
import { type RedirectTarget, RobotsRedirects } from './robots-redirects.js';
import { Visit } from './visit.js';

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
  /** Memory for where robots.txt of sites was redirected to. */
  readonly redirectBytes: number;
  /** Null where hosts have no address. */
  readonly asker: AddressAsker | null;
  /** The site is to be visited again after `delay` ms: something has to come first. */
  readonly onWait: (visit: Visit, delay: number) => void;
  /** Nobody answered at the origin, however often it was asked. */
  readonly onUnreachable: (visit: Visit) => void;
  /** The rules are not known yet: the site is to be visited again after `delay` ms. `isSilent`: nobody answered at its address. */
  readonly onNoAnswer: (visit: Visit, delay: number, isSilent: boolean) => void;
}

const MAX_HOPS = 5;
/** Milliseconds until it is looked again whether the address of another host came. */
const ADDRESS_PAUSE = 100;
const encoder = new TextEncoder();
const NO_RULES = { status: 404, body: new Uint8Array(0), bodyLength: 0, isTruncated: false, failure: '' };

export class RobotsVisits {
  readonly #parts: RobotsVisitParts;
  readonly #redirects: RobotsRedirects;
  readonly #otherHosts: OtherHosts;
  /** Made for the first redirect: most crawls see few. */
  #canonicaliser: UrlCanonicaliser | null = null;
  readonly #urls = new UrlList(1);
  #isClosed = false;

  constructor(parts: RobotsVisitParts) {
    this.#parts = parts;
    this.#redirects = new RobotsRedirects(parts.redirectBytes);
    this.#otherHosts = new OtherHosts(parts.asker, parts.clock);
  }

  /**
   * What the next request for the visit's rules is made as: the visit itself, or one of another host. Null if no request can
   * be made now: then the visit is over.
   */
  prepare(visit: Visit): Visit | null {
    const redirect = this.#redirects.find(visit);
    if (redirect === null) {
      visit.askForRobots();
      return visit;
    }
    const { hops, target } = redirect;
    if (isOwn(visit, target)) {
      visit.askForOther(target.url, hops);
      return visit;
    }
    const address = this.#otherHosts.addressOf(target.siteLow, target.siteHigh, target.url);
    if (address === null) this.#parts.onWait(visit, ADDRESS_PAUSE);
    else if (address === NO_ANSWER) this.#onNoHost(visit, hops);
    else if (isRefusal(address)) this.#giveUp(visit, 0);
    else return visitOf(visit, target, hops, address);
    return null;
  }

  /** REQUIRES: `prepare` gave `asked`, and the request may start now, which is `asked.startedAt`. */
  begin(visit: Visit, asked: Visit): void {
    assert(asked.otherLength > 0, 'it was prepared what is asked for instead of a page');
    this.#redirects.forget(visit.site);
    const { address, other, otherLength } = asked;
    const done = (page: FetchedPage): void => this.#onAnswer(visit, asked, page);
    this.#parts.fetcher.fetch(other, 0, otherLength, address, done, true, MOST_PARSED);
  }

  /** Is the site to go on with a redirect when its time comes? */
  isUnderWay(site: number): boolean {
    return this.#redirects.has(site);
  }

  /** The coordinator told the address of a site; false if it was not asked from here. */
  learnAddress(low: number, high: number, address: string): boolean {
    return this.#otherHosts.learn(low, high, address);
  }

  close(): void {
    this.#isClosed = true;
  }

  #onAnswer(visit: Visit, asked: Visit, page: FetchedPage): void {
    if (this.#isClosed) return;
    const isRedirect = page.status >= 300 && page.status < 400;
    const target = isRedirect && asked.hops < MAX_HOPS ? this.#targetOf(asked, page.location) : null;
    // Where redirects had to be forgotten again and again, their number is not known.
    const isEndless = target !== null && this.#failures(visit, asked) > MAX_HOPS + this.#parts.retries;
    if (isEndless || isRobotsUnreachable(page)) this.#onNoAnswer(visit, asked, page);
    else if (target !== null) this.#onRedirect(visit, asked, page, target);
    else this.#onRules(visit, asked, isRedirect ? NO_RULES : page, page);
  }

  #onNoAnswer(visit: Visit, asked: Visit, page: FetchedPage): void {
    const { books, onNoAnswer, politeness, retries } = this.#parts;
    const tries = this.#failures(visit, asked);
    const willRetry = tries < retries;
    const delay = willRetry
      ? politeness.retryDelay(tries + 1, page.retryAfter)
      : politeness.delayAfter(this.#parts.clock() - asked.startedAt, 0, page.retryAfter);
    const reason = page.failure || `HTTP_${page.status}`;
    books.otherRequest('robots', asked, page, delay, tries, reason, willRetry);
    this.#rest(visit, asked, delay);
    if (willRetry) {
      if (asked.hops > 0) this.#redirects.note(visit, targetOf(asked), asked.hops);
      onNoAnswer(visit, delay, page.status === 0 && asked === visit);
    } else {
      if (page.status === 0 && asked === visit) this.#parts.onUnreachable(visit);
      this.#giveUp(visit, delay);
    }
  }

  /** It is not known where another host is. */
  #onNoHost(visit: Visit, hops: number): void {
    const { onNoAnswer, politeness, retries, triesOf } = this.#parts;
    const tries = Math.max(0, triesOf(visit) - hops);
    if (tries < retries) onNoAnswer(visit, politeness.retryDelay(tries + 1, -1), false);
    else this.#giveUp(visit, 0);
  }

  #giveUp(visit: Visit, delay: number): void {
    this.#redirects.forget(visit.site);
    this.#parts.robots.learnUnreachable(visit.record, RECORD_HEADER, visit.pathStart);
    this.#parts.onRules(visit, delay, []);
  }

  /** The pause that was asked for is the site's: nothing is held meanwhile. */
  #onRedirect(visit: Visit, asked: Visit, page: FetchedPage, target: RedirectTarget): void {
    const { books, onNoAnswer, politeness } = this.#parts;
    const delay = politeness.delayAfter(this.#parts.clock() - asked.startedAt, 0, page.retryAfter);
    books.otherRequest('robots', asked, page, delay, this.#failures(visit, asked), '', false);
    this.#rest(visit, asked, delay);
    this.#redirects.note(visit, target, asked.hops + 1);
    onNoAnswer(visit, delay, false);
  }

  #onRules(visit: Visit, asked: Visit, rules: RobotsAnswer, page: FetchedPage): void {
    const { books, onRules, politeness, robots } = this.#parts;
    const { record, pathStart } = visit;
    const sitemaps = robots.learn(record, RECORD_HEADER, pathStart, rules);
    const crawlDelay = robots.crawlDelay(record, RECORD_HEADER, pathStart);
    const delay = politeness.delayAfter(this.#parts.clock() - asked.startedAt, crawlDelay, page.retryAfter);
    books.otherRequest('robots', asked, page, delay, this.#failures(visit, asked), '', false);
    this.#rest(visit, asked, delay);
    onRules(visit, delay, sitemaps);
  }

  /** Another host that was asked rests from now on; the visit's own does when the visit is released. */
  #rest(visit: Visit, asked: Visit, delay: number): void {
    if (asked !== visit) this.#parts.politeness.rest(asked, delay);
  }

  /** Requests before this one that led nowhere; the redirects followed to get here led on. */
  #failures(visit: Visit, asked: Visit): number {
    return Math.max(0, this.#parts.triesOf(visit) - asked.hops);
  }

  /** Where robots.txt redirects to; null if nowhere, or to a port that no web server is asked for on. */
  #targetOf(asked: Visit, location: string): RedirectTarget | null {
    const urls = this.#urls;
    const href = encoder.encode(location);
    urls.clear();
    this.#canonicaliser ??= new UrlCanonicaliser();
    this.#canonicaliser.setBase(asked.other, 0, asked.otherLength);
    if (location === '' || !this.#canonicaliser.resolve(href, 0, href.length, urls)) return null;
    const url = urls.bytes.slice(urls.start(0), urls.ends[0]!);
    if (isBadPort(namedPort(url, 0, originEnd(url, 0, url.length)))) return null;
    return { url, siteLow: urls.siteKeys[0]!, siteHigh: urls.siteKeys[1]! };
  }
}

const isOwn = ({ record }: Visit, { siteLow, siteHigh }: RedirectTarget): boolean =>
  recordSiteLow(record, 0) === siteLow && recordSiteHigh(record, 0) === siteHigh;

/** What was asked for, as the target it was. */
const targetOf = ({ other, otherLength, record }: Visit): RedirectTarget => ({
  url: other.slice(0, otherLength),
  siteLow: recordSiteLow(record, 0),
  siteHigh: recordSiteHigh(record, 0),
});

/** A visit of another host, for the rules of `visit`. */
function visitOf(
  visit: Visit,
  { siteHigh, siteLow, url }: RedirectTarget,
  hops: number,
  address: string,
): Visit {
  const asked = new Visit();
  const root = new Uint8Array(RECORD_HEADER + url.length + 1);
  const key = new Uint32Array(2);
  const end = writeRootRecord(root, PAGE_URL, siteLow, siteHigh, url, 0, url.length, key);
  setDepths(root, 0, recordDepth(visit.record, 0), 0);
  asked.take(visit.site, address, root, 0, end);
  asked.askForOther(url, hops);
  return asked;
}
