/** What one agent writes down of its pages: counters, errors by code, the page list, crawl.log. */
import type { CrawlLog } from '../log/crawl-log.js';
import type { AgentCounters } from '../model/counters.js';
import type { LineFile } from '../model/line-file.js';
import type { FetchedPage } from '../model/web.js';
import { isSitemapRecord, RECORD_HEADER, recordDepth, recordUrlEnd, recordVia } from '../ring/record.js';
import { sharedClock } from '../throttle/shared-clock.js';
import type { Visit } from './visit.js';
import type { VisitedPages } from './visited-pages.js';

const decoder = new TextDecoder();

/** What a checkpoint keeps of the books. */
export interface BooksState {
  readonly errors: Readonly<Record<string, number>>;
  readonly list: number;
  readonly log: number;
}

export class AgentBooks {
  readonly #counters: AgentCounters;
  readonly #visited: VisitedPages | null;
  readonly #list: LineFile | null;
  readonly #log: CrawlLog | null;
  /** By code; codes are few: HTTP statuses and names from the code. */
  readonly errors: Record<string, number> = {};

  /** `list` takes the URLs of distinct pages, if they are wanted; `log` what became of each URL, if that is. */
  constructor(
    counters: AgentCounters,
    visited: VisitedPages | null,
    list: LineFile | null,
    log: CrawlLog | null,
  ) {
    this.#counters = counters;
    this.#visited = visited;
    this.#list = list;
    this.#log = log;
  }

  /** A page was downloaded for the PAGE_URL record whose URL is `record[RECORD_HEADER, urlEnd)`. */
  page(record: Uint8Array, urlEnd: number, page: FetchedPage): void {
    this.#counters.add('pages', 1);
    this.#counters.add('bytes', page.bodyLength);
    if (this.#visited !== null && page.pageNumber >= 0 && !this.#visited.book(page.pageNumber)) {
      this.#counters.add('repeatedPages', 1);
    } else {
      this.#list?.add(record, RECORD_HEADER, urlEnd);
    }
  }

  error(code: string, count = 1): void {
    this.errors[code] = (this.errors[code] ?? 0) + count;
  }

  /** A URL, of the PAGE_URL record `bytes[start, end)`, is given up without a request. */
  leftOut(bytes: Uint8Array, start: number, end: number, code: string, detail: string): void {
    this.error(code);
    this.#log?.givenUp(
      bytes,
      start + RECORD_HEADER,
      recordUrlEnd(bytes, start, end),
      sharedClock(),
      recordDepth(bytes, start),
      recordVia(bytes, start, end),
      code,
      detail,
    );
  }

  /** A URL that was found on the visit's page is left out for its depth. */
  foundTooDeep(url: Uint8Array, start: number, end: number, depth: number, visit: Visit, code: string): void {
    this.error(code);
    if (this.#log === null) return;
    const via = decoder.decode(visit.record.subarray(RECORD_HEADER, visit.urlEnd));
    this.#log.givenUp(url, start, end, sharedClock(), depth, via, code, '');
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
    if (this.#log === null) return;
    const { record, urlEnd } = visit;
    const kind = isSitemapRecord(record, 0) ? 'sitemap' : 'page';
    const via = recordVia(record, 0, visit.length);
    this.#logRequest(
      kind,
      record,
      RECORD_HEADER,
      urlEnd,
      via,
      visit,
      page,
      delay,
      retries,
      reason,
      willRetry,
    );
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
    if (this.#log === null) return;
    const { other, otherLength } = visit;
    this.#logRequest(kind, other, 0, otherLength, '', visit, page, delay, retries, reason, willRetry);
  }

  #logRequest(
    kind: 'page' | 'robots' | 'sitemap',
    url: Uint8Array,
    start: number,
    end: number,
    via: string,
    visit: Visit,
    page: FetchedPage,
    delay: number,
    retries: number,
    reason: string,
    willRetry: boolean,
  ): void {
    this.#log!.request({
      kind,
      url,
      start,
      end,
      ip: visit.address,
      started: visit.startedAt,
      ended: sharedClock(),
      status: page.status,
      bytes: page.bodyLength,
      type: page.contentType,
      location: page.location,
      depth: recordDepth(visit.record, 0),
      via,
      retries,
      delay,
      reason,
      willRetry,
      digest: '',
      warc: '',
      offset: 0,
    });
  }

  /** Makes all lines durable; returns the bytes that the page list and the log take. */
  save(): BooksState {
    return { errors: this.errors, list: this.#list?.save() ?? 0, log: this.#log?.save() ?? 0 };
  }

  restore({ errors }: BooksState): void {
    Object.assign(this.errors, errors);
  }

  close(): void {
    this.#list?.close();
    this.#log?.close();
  }
}
