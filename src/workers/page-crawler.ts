/**
 * Frontier, fetching and page-level check of one thread: what agents and the single-machine crawler have in common.
 * What is unique comes out at `unique`; whether it comes back to the frontier is the owner's business.
 */
import type { Frontier } from '../frontier/frontier.js';
import { SitePageCounts } from '../frontier/site-page-counts.js';
import { UrlList } from '../model/url-list.js';
import type { FetchedPage } from '../model/web.js';
import { DEFAULT_MAX_LINKS, LinkList } from '../parse/link-list.js';
import {
  recordDepth,
  recordRedirects,
  recordSiteDepth,
  recordSiteHigh,
  recordSiteLow,
} from '../ring/record.js';
import type { AgentBooks } from './agent-books.js';
import type { PageUrlChecker } from './page-url-checker.js';
import { type PageSink, PageVisitor, type VisitTools } from './page-visitor.js';

export interface CrawlLimits {
  readonly pagesPerSite: number;
  readonly depthPerSite: number;
  readonly maxRedirects: number;
  /** Fetches under way at once. */
  readonly visits: number;
}

/** Called for a URL of another site than its page's; true if it is to be checked and followed. */
export type InterSiteRule = (urls: UrlList, i: number) => boolean;

/** Fetched in one turn at most: some milliseconds, so that records and signals do not wait long. */
const PAGES_PER_TURN = 32;
/** With fewer URLs ready than a turn fetches, waiting for full DRUM buffers would leave the thread without work. */
const STARVING = PAGES_PER_TURN;

export class PageCrawler implements PageSink {
  readonly frontier: Frontier;
  readonly checker: PageUrlChecker;
  readonly #tools: VisitTools;
  readonly #books: AgentBooks;
  readonly #limits: CrawlLimits;
  readonly #interSite: InterSiteRule;
  readonly #siteCounts: SitePageCounts;
  readonly #visitors: PageVisitor[];
  /** The target was claimed by others; a claim may be given back. */
  #claimRefused = false;

  constructor(
    frontier: Frontier,
    checker: PageUrlChecker,
    tools: VisitTools,
    books: AgentBooks,
    limits: CrawlLimits,
    interSite: InterSiteRule,
  ) {
    this.frontier = frontier;
    this.checker = checker;
    this.#tools = tools;
    this.#books = books;
    this.#limits = limits;
    this.#interSite = interSite;
    this.#siteCounts = new SitePageCounts(limits.pagesPerSite);
    const links = new LinkList();
    const urls = new UrlList(DEFAULT_MAX_LINKS);
    this.#visitors = Array.from({ length: limits.visits }, () => new PageVisitor(tools, this, links, urls));
  }

  /** Nothing to fetch, nothing being fetched, nothing to check. */
  get isIdle(): boolean {
    return (
      this.frontier.count === 0 && this.checker.pending === 0 && !this.#visitors.some(({ isBusy }) => isBusy)
    );
  }

  get isStarving(): boolean {
    return this.frontier.count < STARVING;
  }

  /** Milliseconds until something can be fetched: 0 for now, Infinity until something else happens. */
  get fetchDelay(): number {
    if (this.frontier.count === 0 || !this.#visitors.some(({ isBusy }) => !isBusy))
      return Number.POSITIVE_INFINITY;
    return Math.max(this.#tools.pacer.wait(), this.#claimRefused ? 1 : 0);
  }

  /** Begins as many visits as a turn allows; returns how many. */
  fetchSome(): number {
    const { pacer, stop } = this.#tools;
    this.#claimRefused = false;
    let begun = 0;
    for (const visitor of this.#visitors) {
      while (!visitor.isBusy && begun < PAGES_PER_TURN && this.frontier.count > 0 && pacer.wait() === 0) {
        if (stop.isRequested || !stop.claimPage()) {
          this.#claimRefused = true;
          return begun;
        }
        this.#begin(visitor);
        begun++;
      }
    }
    return begun;
  }

  /** Answers what is pending if the thread runs out of URLs; else they wait for a larger batch. */
  check(): void {
    if (this.isStarving && this.checker.pending > 0) this.checker.flush();
    else this.checker.submit();
    this.#tools.counters.set('queued', this.frontier.count);
    this.#tools.counters.lap('pageUrlDrum');
  }

  #begin(visitor: PageVisitor): void {
    const record = this.frontier.take()!;
    if (
      !this.#siteCounts.admit(
        recordSiteLow(record.bytes, record.start),
        recordSiteHigh(record.bytes, record.start),
      )
    ) {
      this.#tools.stop.releasePage();
      this.#books.error('PAGES_PER_SITE');
      return;
    }
    this.#tools.counters.lap('rest');
    visitor.visit(record.bytes, record.start, record.end);
  }

  page(record: Uint8Array, length: number, page: FetchedPage, urls: UrlList): void {
    this.#books.page(record, length, page);
    const siteLow = recordSiteLow(record, 0);
    const siteHigh = recordSiteHigh(record, 0);
    const depth = recordDepth(record, 0) + 1;
    const siteDepth = recordSiteDepth(record, 0) + 1;
    for (let i = 0; i < urls.count; i++) {
      const isInside = urls.siteKeys[2 * i] === siteLow && urls.siteKeys[2 * i + 1] === siteHigh;
      this.#found(urls, i, isInside, depth, isInside ? siteDepth : 0, 0);
    }
    this.#tools.counters.lap('pageUrlDrum');
  }

  /** A redirect's target is found like a link, at the depth of the URL that led to it. */
  redirect(record: Uint8Array, _length: number, urls: UrlList): void {
    const siteLow = recordSiteLow(record, 0);
    const siteHigh = recordSiteHigh(record, 0);
    this.#siteCounts.release(siteLow, siteHigh);
    const redirects = recordRedirects(record, 0) + 1;
    if (urls.count === 0) this.#books.error('REDIRECT_TARGET');
    else if (redirects > this.#limits.maxRedirects) this.#books.error('REDIRECTS');
    else {
      const isInside = urls.siteKeys[0] === siteLow && urls.siteKeys[1] === siteHigh;
      this.#found(
        urls,
        0,
        isInside,
        recordDepth(record, 0),
        isInside ? recordSiteDepth(record, 0) : 0,
        redirects,
      );
    }
  }

  failed(record: Uint8Array, _length: number, code: string): void {
    this.#siteCounts.release(recordSiteLow(record, 0), recordSiteHigh(record, 0));
    this.#books.error(code);
  }

  #found(
    urls: UrlList,
    i: number,
    isInside: boolean,
    depth: number,
    siteDepth: number,
    redirects: number,
  ): void {
    if (siteDepth > this.#limits.depthPerSite) return;
    if (isInside || this.#interSite(urls, i)) this.checker.offer(urls, i, depth, siteDepth, redirects);
  }

  close(): void {
    this.checker.close();
    this.frontier.close();
    this.#books.close();
    this.#tools.fetcher.close();
  }
}
