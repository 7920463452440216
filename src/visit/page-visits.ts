/**
 * Fetches the URL that a site is visited for, a page's or a sitemap's, and does what follows from the answer: links go to
 * the check, what may help is tried again, and the books say what became of it.
 */

import type { StopConditions } from '../boards/stop-conditions.js';
import { assert } from '../model/assert.js';
import type { Clock } from '../model/clock.js';
import type { AgentCounters } from '../model/counters.js';
import { isSitemapRecord, RECORD_HEADER } from '../model/record.js';
import type { FetchedPage, Fetcher } from '../model/web.js';
import type { Frontier } from '../shard/frontier.js';
import type { BandwidthPacer } from '../throttle/bandwidth-pacer.js';
import type { AgentBooks } from './agent-books.js';
import type { FoundUrls } from './found-urls.js';
import type { PageReader } from './page-reader.js';
import type { Politeness } from './politeness.js';
import type { SiteFailures } from './site-failures.js';
import type { SitemapVisits } from './sitemap-visits.js';
import type { Visit } from './visit.js';

export interface PageVisitParts {
  readonly clock: Clock;
  readonly frontier: Frontier;
  readonly fetcher: Fetcher;
  readonly reader: PageReader;
  readonly politeness: Politeness;
  readonly pacer: BandwidthPacer;
  readonly stop: StopConditions;
  readonly counters: AgentCounters;
  readonly books: AgentBooks;
  readonly limits: { readonly retries: number };
  readonly found: FoundUrls;
  readonly failures: SiteFailures;
  readonly sitemaps: SitemapVisits;
  /** The page of the URL `record[RECORD_HEADER, urlEnd)` is about to be read, or was (null): should the thread die of it, others know. */
  readonly onReading: (record: Uint8Array | null, urlEnd: number) => void;
  /** The visit is over; the site may be visited again after `delay` ms. */
  readonly onOver: (visit: Visit, delay: number) => void;
}

export class PageVisits {
  readonly #parts: PageVisitParts;
  #isClosed = false;

  constructor(parts: PageVisitParts) {
    this.#parts = parts;
  }

  /** REQUIRES: a page was claimed, and the request may start now, which is `visit.startedAt`. */
  begin(visit: Visit): void {
    const { address, record, urlEnd } = visit;
    assert(urlEnd > RECORD_HEADER, 'a URL is visited');
    const done = (page: FetchedPage): void => this.#onFetched(visit, page);
    this.#parts.fetcher.fetch(record, RECORD_HEADER, urlEnd, address, done, isSitemapRecord(record, 0));
  }

  close(): void {
    this.#isClosed = true;
  }

  #onFetched(visit: Visit, page: FetchedPage): void {
    if (this.#isClosed) return;
    const { books, counters, failures, found, frontier, onOver, pacer, politeness, sitemaps, stop } =
      this.#parts;
    counters.lap('fetch');
    pacer.charge(page.bodyLength);
    const { status } = page;
    const isWhole = status >= 200 && status < 300 && page.failure === '';
    const isRedirect = status >= 300 && status < 400 && page.location !== '' && page.failure === '';
    const isSitemap = isSitemapRecord(visit.record, 0);
    if (!isWhole && !isRedirect && page.isTemporary && this.#retry(visit, page)) return;
    const responseTime = this.#parts.clock() - visit.startedAt;
    const delay = politeness.delayAfter(responseTime, visit.crawlDelay, page.retryAfter);
    frontier.drop(visit.site);
    const retries = failures.tries(visit.site);
    let reason = '';
    if (isWhole && isSitemap) {
      stop.releasePage();
      if (page.bodyLength > 0) sitemaps.add(visit, page);
    } else if (isWhole && page.bodyLength > 0) reason = this.#onPage(visit, page);
    else {
      stop.releasePage();
      // A whole answer without a body is no page, and no error.
      if (isWhole) reason = '';
      else if (isRedirect) reason = found.takeRedirect(visit, page.location);
      else reason = page.failure || `HTTP_${status}`;
    }
    if (reason !== '') books.error(reason);
    books.request(visit, page, delay, retries, reason, false);
    failures.settle(visit.site, page);
    onOver(visit, delay);
  }

  /** Trying again later may help: true if it will be done. */
  #retry(visit: Visit, page: FetchedPage): boolean {
    const { books, failures, limits, onOver, politeness, stop } = this.#parts;
    const tries = failures.tries(visit.site);
    if (tries >= limits.retries) return false;
    const delay = Math.max(visit.crawlDelay, politeness.retryDelay(tries + 1, page.retryAfter));
    stop.releasePage();
    failures.countTry(visit.site, page.status === 0);
    books.request(visit, page, delay, tries, page.failure || `HTTP_${page.status}`, true);
    onOver(visit, delay);
    return true;
  }

  /** A page was downloaded: its links go to the check. Returns '' or what was wrong with it. */
  #onPage(visit: Visit, page: FetchedPage): string {
    const { books, counters, found, frontier, onReading, reader, stop } = this.#parts;
    const { record, urlEnd } = visit;
    onReading(record, urlEnd);
    const problem = reader.read(page, record, RECORD_HEADER, urlEnd);
    onReading(null, 0);
    if (problem !== '') {
      stop.releasePage();
      return problem;
    }
    stop.countPage(page.bodyLength);
    frontier.notes.countPage(visit.site);
    visit.outlinks = reader.links;
    books.page(record, urlEnd, page);
    found.takeLinks(visit);
    counters.lap('pageUrlDrum');
    return '';
  }
}
