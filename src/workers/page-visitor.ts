/**
 * The way of one page inside its agent: robots check, fetch, extract the links, canonicalise and hash them. What comes
 * out goes to a `PageSink`. Shared by the agents and the single-machine crawler.
 */

import { UrlCanonicaliser } from '../model/canonical-url.js';
import type { AgentCounters } from '../model/counters.js';
import { DrumlineError } from '../model/errors.js';
import type { UrlList } from '../model/url-list.js';
import type { FetchedPage, Fetcher } from '../model/web.js';
import type { LinkExtractor } from '../parse/link-extractor.js';
import type { LinkList } from '../parse/link-list.js';
import { MAX_RECORD, originEnd, RECORD_HEADER } from '../ring/record.js';
import { DISALLOWED, NOT_KNOWN, type RobotsRules } from '../robots/robots-rules.js';
import type { BandwidthPacer } from '../throttle/bandwidth-pacer.js';
import type { StopConditions } from './stop-conditions.js';

/** Takes what a visit brings. `record` is the visited page's PAGE_URL record, `record[0, length)`. */
export interface PageSink {
  /** A page was downloaded; `urls` are its links. */
  page(record: Uint8Array, length: number, page: FetchedPage, urls: UrlList): void;
  /** The URL redirects; `urls` holds the target, or nothing if it is no crawlable URL. */
  redirect(record: Uint8Array, length: number, urls: UrlList): void;
  /** Nothing came of it; `code` says why. */
  failed(record: Uint8Array, length: number, code: string): void;
}

export interface VisitTools {
  readonly fetcher: Fetcher;
  readonly extractor: LinkExtractor;
  readonly robots: RobotsRules;
  readonly pacer: BandwidthPacer;
  readonly stop: StopConditions;
  readonly counters: AgentCounters;
}

const ROBOTS_PATH = new TextEncoder().encode('/robots.txt');
const encoder = new TextEncoder();

/** One visit at a time: an agent has as many visitors as it may have fetches under way. */
export class PageVisitor {
  readonly #tools: VisitTools;
  readonly #sink: PageSink;
  readonly #record = new Uint8Array(MAX_RECORD);
  #length = 0;
  #pathStart = 0;
  readonly #robotsUrl = new Uint8Array(MAX_RECORD + ROBOTS_PATH.length);
  readonly #links: LinkList;
  readonly #urls: UrlList;
  readonly #canonicaliser = new UrlCanonicaliser();
  isBusy = false;

  constructor(tools: VisitTools, sink: PageSink, links: LinkList, urls: UrlList) {
    this.#tools = tools;
    this.#sink = sink;
    this.#links = links;
    this.#urls = urls;
  }

  /** Takes a copy of the PAGE_URL record `bytes[start, end)` and begins. REQUIRES: a page is claimed, not busy. */
  visit(bytes: Uint8Array, start: number, end: number): void {
    this.isBusy = true;
    this.#length = end - start;
    this.#record.set(bytes.subarray(start, end));
    this.#pathStart = originEnd(this.#record, RECORD_HEADER, this.#length);
    const verdict = this.#verdict();
    if (verdict === NOT_KNOWN) this.#fetchRobots();
    else this.#fetchUnless(verdict === DISALLOWED);
  }

  #verdict(): number {
    return this.#tools.robots.verdict(this.#record, RECORD_HEADER, this.#pathStart, this.#length);
  }

  #fetchRobots(): void {
    const originBytes = this.#pathStart - RECORD_HEADER;
    this.#robotsUrl.set(this.#record.subarray(RECORD_HEADER, this.#pathStart));
    this.#robotsUrl.set(ROBOTS_PATH, originBytes);
    this.#tools.fetcher.fetch(this.#robotsUrl, 0, originBytes + ROBOTS_PATH.length, '', (page) => {
      this.#tools.robots.learn(this.#robotsUrl, 0, originBytes, page);
      this.#fetchUnless(this.#verdict() === DISALLOWED);
    });
  }

  #fetchUnless(disallowed: boolean): void {
    if (disallowed) this.#fail('ROBOTS');
    else this.#tools.fetcher.fetch(this.#record, RECORD_HEADER, this.#length, '', this.#onFetched);
  }

  readonly #onFetched = (page: FetchedPage): void => {
    const { counters, pacer, stop } = this.#tools;
    counters.lap('fetch');
    pacer.charge(page.bodyLength);
    const { status } = page;
    if (status >= 200 && status < 300 && page.bodyLength > 0) {
      this.#urls.clear();
      const problem = this.#extract(page);
      if (problem !== null) {
        this.#fail(problem);
        return;
      }
      stop.countPage(page.bodyLength);
      this.isBusy = false;
      this.#sink.page(this.#record, this.#length, page, this.#urls);
    } else if (status >= 300 && status < 400 && page.location !== '') {
      stop.releasePage();
      this.#resolveLocation(page.location);
      this.isBusy = false;
      this.#sink.redirect(this.#record, this.#length, this.#urls);
    } else {
      this.#fail(`HTTP_${status}`);
    }
  };

  /** Fills `#urls` with the page's links; returns the code of what went wrong, or null. */
  #extract(page: FetchedPage): string | null {
    const { counters, extractor } = this.#tools;
    const links = this.#links;
    try {
      extractor.extract(page.body, page.bodyLength, page.contentType, links);
    } catch (error) {
      if (error instanceof DrumlineError && error.disposition === 'drop-url') return error.code;
      throw error;
    }
    counters.add('linksExtracted', links.count);
    counters.add('linksDropped', links.dropped);
    counters.lap('extract');
    const canonicaliser = this.#canonicaliser;
    canonicaliser.setBase(this.#record, RECORD_HEADER, this.#length);
    this.#resolve(0, links.headerCount);
    if (links.baseLength >= 0) canonicaliser.setBaseHref(links.base, 0, links.baseLength);
    canonicaliser.setEncoding(links.encoding);
    this.#resolve(links.headerCount, links.count);
    counters.lap('canonicalise');
    return null;
  }

  /** Links `first` to `last - 1` against the base set now. */
  #resolve(first: number, last: number): void {
    const links = this.#links;
    let start = links.start(first);
    for (let i = first; i < last; i++) {
      const end = links.ends[i]!;
      this.#canonicaliser.resolve(links.bytes, start, end, this.#urls);
      start = end;
    }
  }

  #resolveLocation(location: string): void {
    this.#urls.clear();
    this.#canonicaliser.setBase(this.#record, RECORD_HEADER, this.#length);
    const bytes = encoder.encode(location);
    this.#canonicaliser.resolve(bytes, 0, bytes.length, this.#urls);
  }

  #fail(code: string): void {
    this.#tools.stop.releasePage();
    this.isBusy = false;
    this.#sink.failed(this.#record, this.#length, code);
  }
}
