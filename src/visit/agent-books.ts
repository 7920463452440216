/** What one agent writes down of its pages: counters, errors by code, the page list, crawl.log, the pages themselves. */

import type { VisitedPages } from '../boards/visited-pages.js';
import type { CrawlLog, LoggedRequest } from '../log/crawl-log.js';
import { assert } from '../model/assert.js';
import type { Clock } from '../model/clock.js';
import type { AgentCounters } from '../model/counters.js';
import type { LineFile } from '../model/line-file.js';
import {
  isSitemapRecord,
  RECORD_HEADER,
  recordDepth,
  recordRedirects,
  recordUrlEnd,
  recordVia,
} from '../model/record.js';
import { count, fields, named, orNull, type Shape, text } from '../model/shape.js';
import type { FetchedPage } from '../model/web.js';
import { type PageStore, STORE_STATE, type StoredAt, type StoreState } from '../store/page-store.js';
import { type FirstCause, type FirstCauses, keepFirst, statusClass } from './first-causes.js';
import type { FoundOn, Visit } from './visit.js';

export interface BooksParts {
  readonly clock: Clock;
  readonly counters: AgentCounters;
  readonly visited: VisitedPages | null;
  /** Takes the URLs of distinct pages, if they are wanted. */
  readonly list: LineFile | null;
  /** Takes what became of each URL, if that is wanted. */
  readonly log: CrawlLog | null;
  readonly store: PageStore | null;
  /** The time since 1970, in ms, at which the clock that all threads share showed 0. */
  readonly clockOrigin: number;
}

/** What a checkpoint keeps of the books. */
export interface BooksState {
  readonly errors: Readonly<Record<string, number>>;
  readonly firsts: Readonly<FirstCauses>;
  readonly answers: Readonly<Record<string, number>>;
  readonly list: number;
  readonly log: number;
  readonly store: StoreState | null;
}

export const BOOKS_STATE: Shape<BooksState> = fields({
  errors: named(count),
  firsts: named(fields<FirstCause>({ url: text, because: text })),
  answers: named(count),
  list: count,
  log: count,
  store: orNull(STORE_STATE),
});

type RequestKind = LoggedRequest['kind'];
const NOT_STORED = { digest: '', file: '', offset: 0 };
const decoder = new TextDecoder();

export class AgentBooks {
  readonly #parts: BooksParts;
  /** By code; codes are few: HTTP statuses and names from the code. */
  readonly errors: Record<string, number> = {};
  /** The first URL that was given up for each code. */
  readonly firsts: FirstCauses = {};
  /** To requests for pages and sitemaps, by class of status. */
  readonly answers: Record<string, number> = {};

  constructor(parts: BooksParts) {
    this.#parts = parts;
  }

  /** There is no room to store pages, or for the log: nothing should be fetched until `retry` found some. */
  get isBlocked(): boolean {
    const { log, store } = this.#parts;
    return (store?.isBlocked ?? false) || (log?.isBlocked ?? false);
  }

  /** REQUIRES: blocked. */
  retry(): boolean {
    assert(this.isBlocked, 'books that try again are blocked');
    const { log, store } = this.#parts;
    if (log?.isBlocked && !log.flush()) return false;
    store?.retry();
    return !this.isBlocked;
  }

  /** Milliseconds until `flushLog` is due. */
  get delay(): number {
    return this.#parts.log?.delay(this.#parts.clock()) ?? Number.POSITIVE_INFINITY;
  }

  /** Lines of the log that are old enough go to the file. */
  flushLog(): void {
    if (this.delay === 0) this.#parts.log?.flush();
  }

  /** A page was downloaded for the PAGE_URL record whose URL is `record[RECORD_HEADER, urlEnd)`. */
  page(record: Uint8Array, urlEnd: number, page: FetchedPage): void {
    const { counters, list, visited } = this.#parts;
    counters.add('pages', 1);
    counters.add('bytes', page.bodyLength);
    if (visited !== null && page.pageNumber >= 0 && !visited.book(page.pageNumber)) {
      counters.add('repeatedPages', 1);
    } else {
      list?.add(record, RECORD_HEADER, urlEnd);
    }
  }

  error(code: string, count = 1): void {
    this.errors[code] = (this.errors[code] ?? 0) + count;
  }

  /** A URL, of the PAGE_URL record `bytes[start, end)`, is given up without a request. */
  leftOut(bytes: Uint8Array, start: number, end: number, code: string, detail: string): void {
    this.error(code);
    const url = start + RECORD_HEADER;
    const urlEnd = recordUrlEnd(bytes, start, end);
    const via = recordVia(bytes, start, end);
    const because = detail === '' && recordRedirects(bytes, start) > 0 ? via : detail;
    keepFirst(this.firsts, code, bytes, url, urlEnd, because);
    const depth = recordDepth(bytes, start);
    this.#parts.log?.givenUp(bytes, url, urlEnd, this.#parts.clock(), depth, via, code, detail);
  }

  /** A URL that was found there, or that it redirects to, is left out before it counts as seen. */
  foundLeftOut(
    url: Uint8Array,
    start: number,
    end: number,
    depth: number,
    from: FoundOn,
    code: string,
  ): void {
    keepFirst(this.firsts, code, url, start, end, '');
    const { log } = this.#parts;
    if (log === null) return;
    const via = decoder.decode(from.record.subarray(RECORD_HEADER, from.urlEnd));
    log.givenUp(url, start, end, this.#parts.clock(), depth, via, code, '');
  }

  /** A request for the visit's URL came to its end, and the host is left alone for `delay` ms. */
  request(
    visit: Visit,
    page: FetchedPage,
    delay: number,
    retries: number,
    reason: string,
    willRetry: boolean,
  ): void {
    const { record, urlEnd } = visit;
    const answer = statusClass(page.status);
    this.answers[answer] = (this.answers[answer] ?? 0) + 1;
    if (reason !== '' && !willRetry) {
      const because = reason === 'UNWANTED_TYPE' ? page.contentType : '';
      keepFirst(this.firsts, reason, record, RECORD_HEADER, urlEnd, because);
    }
    if (!this.#isWanted) return;
    const kind = isSitemapRecord(record, 0) ? 'sitemap' : 'page';
    const url = record.slice(RECORD_HEADER, urlEnd);
    const via = recordVia(record, 0, visit.length);
    this.#note(kind, url, via, visit, page, delay, retries, reason, willRetry);
  }

  /** The same for a request that is not for the URL itself. */
  otherRequest(
    kind: 'robots',
    visit: Visit,
    page: FetchedPage,
    delay: number,
    retries: number,
    reason: string,
    willRetry: boolean,
  ): void {
    if (reason !== '' && !willRetry)
      keepFirst(this.firsts, 'ROBOTS_UNREACHABLE', visit.other, 0, visit.otherLength, reason);
    if (!this.#isWanted) return;
    const url = visit.other.slice(0, visit.otherLength);
    this.#note(kind, url, '', visit, page, delay, retries, reason, willRetry);
  }

  get #isWanted(): boolean {
    return this.#parts.log !== null || this.#parts.store !== null;
  }

  /** Stores what came, if something did, and then logs it. */
  #note(
    kind: RequestKind,
    url: Uint8Array,
    via: string,
    visit: Visit,
    page: FetchedPage,
    delay: number,
    retries: number,
    reason: string,
    willRetry: boolean,
  ): void {
    const { clockOrigin, counters, log, store } = this.#parts;
    const { address: ip, startedAt: started, outlinks } = visit;
    const { status, bodyLength: bytes, contentType: type, location } = page;
    const ended = this.#parts.clock();
    const depth = recordDepth(visit.record, 0);
    const end = url.length;
    // One literal: to spread an object into another takes longer than to write the line.
    const logStored = ({ digest, file: warc, offset }: StoredAt): void =>
      log?.request({
        kind,
        url,
        start: 0,
        end,
        ip,
        started,
        ended,
        status,
        bytes,
        type,
        location,
        depth,
        via,
        retries,
        delay,
        reason,
        willRetry,
        digest,
        warc,
        offset,
      });
    // What is tried again because it failed is not what the URL stands for.
    if (store === null || status === 0 || page.failure !== '' || (willRetry && page.isTemporary)) {
      logStored(NOT_STORED);
      return;
    }
    const text = Buffer.from(url.buffer, url.byteOffset, url.length).toString('latin1');
    const fetchTime = ended - started;
    const date = clockOrigin + started;
    const isRepeated = kind === 'robots';
    store.store({ url: text, page, date, fetchTime, ip, via, hops: depth, outlinks, isRepeated }, logStored);
    counters.lap('store');
  }

  /** Makes everything durable, digests of what was stored under a manifest; returns how far files go. */
  save(digests: string, generation: number): BooksState {
    const { list, log, store } = this.#parts;
    const stored = store?.save(digests, generation) ?? null;
    const { answers, errors, firsts } = this;
    return { answers, errors, firsts, list: list?.save() ?? 0, log: log?.save() ?? 0, store: stored };
  }

  /** Nobody will go back to an earlier checkpoint. */
  confirm(): void {
    this.#parts.store?.confirm();
  }

  restore({ answers, errors, firsts }: BooksState): void {
    Object.assign(this.answers, answers);
    Object.assign(this.errors, errors);
    Object.assign(this.firsts, firsts);
  }

  close(): void {
    const { list, log, store } = this.#parts;
    try {
      store?.close();
    } finally {
      try {
        list?.close();
      } finally {
        log?.close();
      }
    }
  }
}
