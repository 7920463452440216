/** A PageCrawler on a web of a test's own: what is asked for is answered by a function, at once or when the test says. */
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { CrawlDirectory } from '#drumline/model/crawl-directory.js';
import { nodeDisk } from '#drumline/model/disk.js';
import {
  PAGE_URL,
  RECORD_HEADER,
  recordUrlEnd,
  setDepths,
  setRedirects,
  writeHeader,
} from '#drumline/model/record.js';
import { type FetchCallback, type FetchedPage, WHOLE_ANSWER } from '#drumline/model/web.js';
import { RobotsRules } from '#drumline/robots/robots-rules.js';
import { RulesFile } from '#drumline/robots/rules-file.js';
import { Frontier } from '#drumline/shard/frontier.js';
import { sharedClock } from '#drumline/throttle/shared-clock.js';
import { PageCrawler, type PageCrawlerParts } from '#drumline/visit/page-crawler.js';
import { noWaiting } from '#drumline/visit/politeness.js';
import { SitemapBodies } from '#drumline/visit/sitemap-bodies.js';
import { temporaryDirectory } from '../web/temporary-directory.js';

export type Answer = Partial<FetchedPage>;

export interface MadeUpCrawler {
  readonly crawler: PageCrawler;
  readonly frontier: Frontier;
  /** URLs asked for, in order, and at which addresses. */
  readonly asked: string[];
  readonly addresses: string[];
  /** URLs given up, with their codes. */
  readonly leftOut: [url: string, code: string][];
  /** URLs that were found too deep. */
  readonly tooDeep: string[];
  /** What the frontier's clock shows; real time where a pause was asked for. */
  readonly clock: { now: number };
  /** Puts a URL of a site, a number from 1, into the frontier. */
  push(site: number, url: string, isSitemap?: boolean, siteDepth?: number): void;
}

const nothing = (): void => {};
const text = (bytes: Uint8Array, start: number, end: number): string =>
  Buffer.from(bytes.subarray(start, end)).toString('latin1');

export const page = (body: string | Uint8Array, more: Answer = {}): FetchedPage => {
  const bytes = Buffer.from(body);
  const whole = { status: 200, body: bytes, bodyLength: bytes.length, contentType: '', location: '' };
  return { ...WHOLE_ANSWER, pageNumber: -1, ...whole, ...more };
};

/** `answer` gets each URL and a function that delivers; `parts` replaces what is made up. */
export function madeUpCrawler(
  t: TestContext,
  answer: (url: string, deliver: FetchCallback) => void,
  parts: { readonly [part in keyof PageCrawlerParts]?: unknown } = {},
  limits: Partial<PageCrawlerParts['limits']> = {},
): MadeUpCrawler {
  const directory = temporaryDirectory(t);
  const clock = { now: sharedClock() };
  const frontier = new Frontier(nodeDisk, new CrawlDirectory(directory).frontier(0), {
    memoryBytes: 1 << 20,
    needsAddress: false,
    clock: () => clock.now,
  });
  const made: Omit<MadeUpCrawler, 'crawler' | 'push'> = {
    ...{ frontier, asked: [], addresses: [], leftOut: [], tooDeep: [], clock },
  };
  const all = {
    frontier,
    pacer: { wait: () => 0, charge: nothing },
    asker: null,
    quarantined: new Set(),
    scope: () => '',
    wake: nothing,
    // Reading takes no time, and pauses are over at once.
    world: { clock: () => clock.now, after: (_delayMs: number, call: () => void) => setImmediate(call) },
    robots: new RobotsRules(
      'drumline',
      1 << 20,
      new RulesFile(nodeDisk, join(directory, 'rules'), 1 << 20),
      () => clock.now,
    ),
    politeness: {
      ...noWaiting(sharedClock),
      delayAfter: (_time: number, _crawlDelay: number, retryAfter: number) => Math.max(0, retryAfter),
      retryDelay: () => 0,
    },
    checker: { pending: 0, close: nothing },
    redirectBytes: 1 << 20,
    sitemapBodies: new SitemapBodies(nodeDisk, join(directory, 'sitemaps')),
    counters: { lap: nothing, add: nothing, set: nothing },
    stop: { isPaused: false, isRequested: false, claimPage: () => true, releasePage: nothing },
    books: {
      ...{
        isBlocked: false,
        delay: Infinity,
        flushLog: nothing,
        request: nothing,
        otherRequest: nothing,
        error: nothing,
        close: nothing,
      },
      leftOut: (bytes: Uint8Array, start: number, end: number, code: string) =>
        made.leftOut.push([text(bytes, start + RECORD_HEADER, recordUrlEnd(bytes, start, end)), code]),
      foundLeftOut: (url: Uint8Array, start: number, end: number) => made.tooDeep.push(text(url, start, end)),
    },
    fetcher: {
      fetch: (url: Uint8Array, start: number, end: number, address: string, done: FetchCallback) => {
        made.addresses.push(address);
        made.asked.push(text(url, start, end));
        answer(made.asked.at(-1)!, done);
      },
      close: nothing,
    },
    ...parts,
    limits: {
      visits: 4,
      pagesPerSite: 1000,
      retries: 0,
      takesSitemaps: true,
      sitemapsPerSite: 500,
      mindsPorts: false,
      ...limits,
    },
  };
  return {
    ...made,
    crawler: new PageCrawler(all as unknown as PageCrawlerParts),
    push(site, url, isSitemap = false, siteDepth = 0) {
      const record = new Uint8Array(RECORD_HEADER + url.length);
      writeHeader(record, 0, PAGE_URL, site, site, site, url.length);
      setRedirects(record, 0, 0, isSitemap);
      setDepths(record, 0, 1, siteDepth);
      record.set(Buffer.from(url), RECORD_HEADER);
      frontier.push(site, site, record, 0, record.length);
    },
  };
}
