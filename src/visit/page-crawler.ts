/**
 * Frontier, fetching and page-level check of one thread: what agents and the single-machine crawler have in common.
 * What is unique comes out of the checker; whether it comes back to the frontier is the owner's business.
 *
 * A URL leaves the frontier only when its visit is over, so that what is under way counts as not done.
 */

import type { StopConditions } from '../boards/stop-conditions.js';
import type { AgentCounters } from '../model/counters.js';
import type { KeyPlaces } from '../model/key-hash.js';
import { RECORD_HEADER } from '../model/record.js';
import type { Fetcher } from '../model/web.js';
import type { World } from '../model/world.js';
import { FlushPace } from '../shard/flush-pace.js';
import type { Frontier } from '../shard/frontier.js';
import type { PageUrlChecker } from '../shard/page-url-checker.js';
import type { BandwidthPacer } from '../throttle/bandwidth-pacer.js';
import { namedPort } from '../web/http/bad-ports.js';
import type { AgentBooks } from './agent-books.js';
import type { CrawlLimits } from './crawl-limits.js';
import { FoundUrls, type InterSiteRule } from './found-urls.js';
import type { PageReader } from './page-reader.js';
import { PageVisits } from './page-visits.js';
import type { Politeness } from './politeness.js';
import { RobotsVisits } from './robots-visits.js';
import { SiteFailures } from './site-failures.js';
import type { SitemapBodies } from './sitemap-bodies.js';
import { SitemapBudget } from './sitemap-budget.js';
import { SitemapVisits } from './sitemap-visits.js';
import { type Visit, VisitPool } from './visit.js';
import { OPEN, ROBOTS_FIRST, SHUT, SITEMAPS_FIRST, VisitGate, type VisitGateParts } from './visit-gate.js';

export interface PageCrawlerParts extends Omit<VisitGateParts, 'failures' | 'sitemaps'> {
  readonly world: Pick<World, 'after' | 'clock'>;
  /** Of tables in memory. */
  readonly hash?: KeyPlaces;
  readonly checker: PageUrlChecker;
  readonly fetcher: Fetcher;
  readonly reader: PageReader;
  readonly politeness: Politeness;
  readonly pacer: BandwidthPacer;
  readonly stop: StopConditions;
  readonly counters: AgentCounters;
  readonly books: AgentBooks;
  readonly limits: CrawlLimits;
  readonly interSite: InterSiteRule;
  /** Wakes the thread's loop: a fetch came to its end. */
  readonly wake: () => void;
  readonly sitemapBodies: SitemapBodies;
  /** Memory for where robots.txt of sites was redirected to. */
  readonly redirectBytes: number;
  /** The page of the URL `record[RECORD_HEADER, urlEnd)` is about to be read, or was (null): should the thread die of it, others know. */
  readonly onReading: (record: Uint8Array | null, urlEnd: number) => void;
}

/** Fetched in one turn at most: some milliseconds, so that records and signals do not wait long. */
const PAGES_PER_TURN = 32;
/** URLs looked at in one turn at most, with those that are not fetched, and the milliseconds after which it ends. */
const STEPS_PER_TURN = 256;
const TURN_MS = 10;
/** With fewer URLs ready than a turn fetches, waiting for full DRUM buffers would leave the thread without work. */
const STARVING = PAGES_PER_TURN;
/** Milliseconds until a site is looked at again whose sitemap has to wait until others were read. */
const SITEMAP_PAUSE = 50;

export class PageCrawler {
  readonly frontier: Frontier;
  readonly checker: PageUrlChecker;
  readonly sitemaps: SitemapVisits;
  readonly #parts: PageCrawlerParts;
  readonly #failures: SiteFailures;
  readonly #gate: VisitGate;
  readonly #found: FoundUrls;
  readonly #robotsVisits: RobotsVisits;
  readonly #pageVisits: PageVisits;
  readonly #visits: VisitPool;
  /** The target was claimed by others; a claim may be given back. */
  #claimRefused = false;
  readonly #flushPace = new FlushPace();
  #isClosed = false;

  constructor(parts: PageCrawlerParts) {
    this.#parts = parts;
    this.#visits = new VisitPool(parts.limits.visits);
    this.frontier = parts.frontier;
    this.checker = parts.checker;
    this.#failures = new SiteFailures(parts.frontier, parts.books);
    this.#found = new FoundUrls(parts);
    this.#robotsVisits = new RobotsVisits({
      ...parts,
      clock: parts.world.clock,
      onRules: (visit, delay, sitemaps) => {
        if (parts.limits.takesSitemaps)
          for (const sitemap of sitemaps) this.#found.takeFromSitemap(visit, sitemap, true);
        this.#failures.clear(visit.site);
        if (this.#gate.opensByRobots(visit)) this.#release(visit, delay);
        else this.#leaveOut(visit, delay);
      },
      triesOf: (visit) => this.#failures.tries(visit.site),
      retries: parts.limits.retries,
      onUnreachable: ({ record, pathStart, site }) => {
        if (namedPort(record, RECORD_HEADER, pathStart) >= 0) this.#failures.countDeadPort(site);
      },
      onNoAnswer: (visit, delay, isSilent) => {
        this.#failures.countTry(visit.site, isSilent);
        this.#release(visit, delay);
      },
      onWait: (visit, delay) => this.#release(visit, delay),
    });
    this.sitemaps = new SitemapVisits({
      world: parts.world,
      bodies: parts.sitemapBodies,
      frontier: parts.frontier,
      budget: new SitemapBudget(parts.limits.sitemapsPerSite),
      onUrl: (sitemap, url, isSitemap) => this.#found.takeFromSitemap(sitemap, url, isSitemap),
      onProblem: ({ record }, code) => parts.books.leftOut(record, 0, record.length, code, ''),
      isBusy: () => parts.frontier.readySites > 0,
      wake: parts.wake,
    });
    this.#gate = new VisitGate({ ...parts, failures: this.#failures, sitemaps: this.sitemaps });
    this.#pageVisits = new PageVisits({
      ...parts,
      clock: parts.world.clock,
      found: this.#found,
      failures: this.#failures,
      sitemaps: this.sitemaps,
      onOver: (visit, delay) => this.#release(visit, delay),
    });
  }

  /** Nothing to fetch, nothing being fetched or read, nothing to check. */
  get isIdle(): boolean {
    const isOver = !this.isWaiting && this.sitemaps.count === 0 && this.checker.pending === 0;
    return isOver && !this.#parts.books.isBlocked;
  }

  /** Fetches are under way, or hosts are to be left alone for a while. */
  get isWaiting(): boolean {
    return this.#visits.underWay > 0 || this.frontier.count > 0;
  }

  /** Nothing can be fetched, and for most hosts that is because they are left alone. */
  get isHeld(): boolean {
    return this.frontier.readySites === 0 && this.frontier.restingSites > this.#visits.underWay;
  }

  /** Too little can be fetched now for all visits; what waits to be checked may help. */
  get isStarving(): boolean {
    return this.frontier.count < STARVING || this.frontier.readySites === 0;
  }

  /** Milliseconds until there is something to do: 0 for now, Infinity until something else happens. */
  get delay(): number {
    const toFlush = this.#mayFlush ? this.#flushDelay() : Number.POSITIVE_INFINITY;
    return Math.min(toFlush, this.#fetchDelay(), this.#parts.books.delay);
  }

  #fetchDelay(): number {
    const { books, stop } = this.#parts;
    if (stop.isPaused) return Number.POSITIVE_INFINITY;
    if (books.isBlocked) return 0;
    if (this.#visits.isEmpty) return Number.POSITIVE_INFINITY;
    const delay = this.frontier.delay;
    return delay === Number.POSITIVE_INFINITY
      ? delay
      : Math.max(delay, this.#parts.pacer.wait(), this.#claimRefused ? 1 : 0);
  }

  #flushDelay(): number {
    if (this.#visits.underWay === 0) return 0;
    return this.#flushPace.delay(this.#parts.world.clock(), this.frontier.count >= STARVING);
  }

  /** The coordinator told where a site is now, or why it is nowhere. */
  learnAddress(low: number, high: number, address: string): void {
    if (!this.#robotsVisits.learnAddress(low, high, address)) this.frontier.setAddress(low, high, address);
  }

  /** Begins as many visits as a turn allows; returns how many. */
  fetchSome(): number {
    const { books, pacer, stop } = this.#parts;
    this.#claimRefused = false;
    this.sitemaps.throwFailure();
    books.flushLog();
    if (stop.isPaused) return 0;
    if (books.isBlocked && !books.retry()) {
      stop.pause();
      return 0;
    }
    let begun = 0;
    const until = this.#parts.world.clock() + TURN_MS;
    for (let step = 0; step < STEPS_PER_TURN && begun < PAGES_PER_TURN; step++) {
      if (step > 0 && this.#parts.world.clock() > until) break;
      if (this.#visits.isEmpty) break;
      if (pacer.wait() > 0 || stop.isRequested || this.#claimRefused) break;
      const site = this.frontier.next();
      if (site === 0) break;
      if (this.#begin(site)) begun++;
    }
    return begun;
  }

  /** What is left out is logged: not while there is no room for it. */
  get #mayFlush(): boolean {
    return this.checker.pending > 0 && this.isStarving && !this.#parts.books.isBlocked;
  }

  /** Answers what is pending if the thread runs out of URLs; else they wait for a larger batch. */
  check(): void {
    const { counters } = this.#parts;
    if (this.#mayFlush && this.#flushDelay() === 0) {
      const before = this.#parts.world.clock();
      this.checker.flush();
      this.#flushPace.note(before, this.#parts.world.clock());
    } else if (!this.#parts.books.isBlocked) this.checker.submit();
    counters.set('queued', this.frontier.count);
    counters.lap('pageUrlDrum');
  }

  /** Visits a site for its oldest URL; false if no request was made. */
  #begin(site: number): boolean {
    const { bytes, start, end } = this.frontier.peek(site);
    const visit = this.#visits.take();
    visit.take(site, this.frontier.addresses.get(site), bytes, start, end);
    const passage = this.#gate.ask(visit);
    if (passage === SHUT) return this.#leaveOut(visit, 0);
    if (passage === OPEN || passage === ROBOTS_FIRST) return this.#request(visit, passage);
    if (passage === SITEMAPS_FIRST) this.frontier.putLast(site, visit.record, visit.length);
    this.#release(visit, passage === SITEMAPS_FIRST ? SITEMAP_PAUSE : 0);
    return false;
  }

  /** Asks for the URL, or for robots.txt of its origin; false if that has to wait. */
  #request(visit: Visit, passage: typeof OPEN | typeof ROBOTS_FIRST): boolean {
    const { counters, politeness, stop, world } = this.#parts;
    const isForPage = passage === OPEN;
    if (isForPage && !stop.claimPage()) {
      this.#claimRefused = true;
      this.#release(visit, 0);
      return false;
    }
    const asked = isForPage ? visit : this.#robotsVisits.prepare(visit);
    if (asked === null) return false;
    // The time that is written down is the one that was asked about, or the gaps would seem shorter than they are.
    asked.startedAt = world.clock();
    const wait = politeness.reserve(asked, asked.startedAt);
    if (wait > 0) {
      if (isForPage) stop.releasePage();
      this.#release(visit, wait);
      return false;
    }
    counters.lap('rest');
    if (isForPage) this.#pageVisits.begin(visit);
    else this.#robotsVisits.begin(visit, asked);
    return true;
  }

  /** The URL is not fetched, for the gate's reason; the site may be visited again after `delay` ms. */
  #leaveOut(visit: Visit, delay: number): false {
    const { detail, reason } = this.#gate;
    this.#parts.books.leftOut(visit.record, 0, visit.length, reason, detail);
    this.frontier.drop(visit.site);
    this.#release(visit, delay);
    return false;
  }

  /** Ends a visit; the site may be visited again after `delay` ms. */
  #release(visit: Visit, delay: number): void {
    if (this.#isClosed) return;
    const readyAt = this.#parts.politeness.rest(visit, delay);
    if (this.#robotsVisits.isUnderWay(visit.site)) this.frontier.releaseFirst(visit.site, readyAt);
    else this.frontier.release(visit.site, readyAt);
    this.#visits.giveBack(visit);
    this.#parts.wake();
  }

  close(): void {
    this.#isClosed = true;
    this.#robotsVisits.close();
    this.#pageVisits.close();
    this.sitemaps.close();
    this.#parts.fetcher.close();
    this.#parts.politeness.close();
    this.checker.close();
    this.frontier.close();
    this.#parts.books.close();
    this.#parts.robots.close();
  }
}
