import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { nodeDisk } from '#drumline/model/disk.js';
import { PAGE_URL, RECORD_HEADER, writeHeader } from '#drumline/model/record.js';
import { RobotsRules } from '#drumline/robots/robots-rules.js';
import { RulesFile } from '#drumline/robots/rules-file.js';
import { Frontier } from '#drumline/shard/frontier.js';
import { PageCrawler, type PageCrawlerParts } from '#drumline/visit/page-crawler.js';
import { NO_WAITING } from '#drumline/visit/politeness.js';
import { temporaryDirectory } from '../web/temporary-directory.js';

const ROBOTS = 'User-agent: *\nCrawl-delay: 7\nDisallow: /secret\n';
const [SITES, PAGES] = [50, 6];

function pageRecord(site: number, url: string): Uint8Array {
  const record = new Uint8Array(RECORD_HEADER + url.length);
  writeHeader(record, 0, PAGE_URL, site, site, site, url.length);
  record.set(Buffer.from(url), RECORD_HEADER);
  return record;
}

test('rules that are forgotten at once hold nobody up: each robots.txt decides about one URL at least', (t) => {
  const directory = temporaryDirectory(t);
  const paths = {
    urls: join(directory, 'urls'),
    sites: join(directory, 'sites'),
    parked: join(directory, 'parked'),
  };
  const clock = (): number => 0;
  const frontier = new Frontier(nodeDisk, paths, { memoryBytes: 1 << 20, needsAddress: false, clock });
  const asked: string[] = [];
  const leftOut: string[] = [];
  const delays: number[] = [];
  const answer = (url: string) => ({
    ...{ status: url.endsWith('/robots.txt') ? 200 : 404, failure: '', location: '', retryAfter: 0 },
    ...{ body: Buffer.from(ROBOTS), bodyLength: ROBOTS.length, isTemporary: false },
  });
  const urlOf = (bytes: Uint8Array, start: number, end: number): string =>
    Buffer.from(bytes.subarray(start, end)).toString();
  const nothing = (): void => {};
  const parts = {
    ...{
      frontier,
      pacer: { wait: () => 0, charge: nothing },
      asker: null,
      quarantined: new Set(),
      wake: nothing,
    },
    // Rules of one origin alone are kept, and nothing is on disk.
    robots: new RobotsRules('drumline', 0, new RulesFile(nodeDisk, '', 0)),
    politeness: {
      ...NO_WAITING,
      delayAfter: (_time: number, crawlDelay: number) => {
        delays.push(crawlDelay);
        return 0;
      },
    },
    checker: { pending: 0, close: nothing },
    counters: { lap: nothing, add: nothing, set: nothing },
    stop: { isPaused: false, isRequested: false, claimPage: () => true, releasePage: nothing },
    books: {
      ...{ isBlocked: false, request: nothing, otherRequest: nothing, error: nothing, close: nothing },
      leftOut: (bytes: Uint8Array, start: number, end: number) =>
        leftOut.push(urlOf(bytes, start + RECORD_HEADER, end)),
    },
    limits: { visits: 1, pagesPerSite: 1000, retries: 0, takesSitemaps: false },
    fetcher: {
      fetch: (url: Uint8Array, start: number, end: number, _ip: string, done: (page: unknown) => void) => {
        asked.push(urlOf(url, start, end));
        done(answer(asked.at(-1)!));
      },
      close: nothing,
    },
  };
  const crawler = new PageCrawler(parts as unknown as PageCrawlerParts);
  for (let page = 0; page < PAGES; page++) {
    for (let site = 1; site <= SITES; site++) {
      const record = pageRecord(site, `http://h${site}.example/${page % 2 === 0 ? 'secret' : 'open'}${page}`);
      frontier.push(site, site, record, 0, record.length);
    }
  }
  for (let turns = 0; frontier.count > 0 && turns < SITES * PAGES; turns++) crawler.fetchSome();
  assert.equal(frontier.count, 0);
  const open = asked.filter((url) => url.includes('/open'));
  assert.equal(new Set(open).size, (SITES * PAGES) / 2);
  assert.equal(open.length, (SITES * PAGES) / 2);
  assert.equal(leftOut.length, (SITES * PAGES) / 2);
  assert.ok(leftOut.every((url) => url.includes('/secret')));
  assert.ok(asked.length <= open.length + SITES * PAGES, 'one robots.txt for a URL at most');
  assert.ok(
    delays.every((delay) => delay === 7000),
    'the crawl delay is known though the rules are not',
  );
  crawler.close();
});
