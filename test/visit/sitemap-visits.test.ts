import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { isSitemapRecord, RECORD_HEADER, recordUrlEnd } from '#drumline/model/record.js';
import type { UrlList } from '#drumline/model/url-list.js';
import type { FetchCallback } from '#drumline/model/web.js';
import { PageReader } from '#drumline/visit/page-reader.js';
import { type MadeUpCrawler, madeUpCrawler, page } from './made-up-crawler.js';

const index = (...urls: string[]): string =>
  `<sitemapindex>${urls.map((url) => `<sitemap><loc>${url}</loc></sitemap>`).join('')}</sitemapindex>`;
const urlset = (...urls: string[]): string =>
  `<urlset>${urls.map((url) => `<url><loc>${url}</loc></url>`).join('')}</urlset>`;

interface Found {
  readonly url: string;
  readonly siteDepth: number;
}

/** A crawler without robots.txt; what is found, all of it by one site, goes to the frontier once. */
function crawlerOf(
  t: TestContext,
  answer: (url: string, deliver: FetchCallback) => void,
  limits: Parameters<typeof madeUpCrawler>[3] = {},
): MadeUpCrawler & { readonly found: Found[] } {
  const found: Found[] = [];
  const counters = { lap: () => {}, add: () => {}, set: () => {} };
  const seen = new Set<string>();
  const checker = {
    pending: 0,
    close: () => {},
    offer: (urls: UrlList, i: number, _depth: number, siteDepth: number, _n: number, isSitemap: boolean) => {
      const url = Buffer.from(urls.bytes.subarray(urls.start(i), urls.ends[i])).toString();
      found.push({ url, siteDepth });
      if (isSitemap && !seen.has(url)) made.push(1, url, true, siteDepth);
      seen.add(url);
    },
  };
  const reader = new PageReader(null as never, counters as never, 10);
  const parts = { checker, reader, interSite: () => true, counters };
  const made = madeUpCrawler(
    t,
    (url, deliver) =>
      url.endsWith('/robots.txt') ? deliver(page('', { status: 404 })) : answer(url, deliver),
    parts,
    { maxDepth: 100, ...limits },
  );
  return { ...made, found };
}

/** Until nothing is left to do. */
async function finish({ clock, crawler }: MadeUpCrawler): Promise<void> {
  while (!crawler.isIdle) {
    // Nothing here waits for long, and what does is over at once.
    clock.now += 100;
    crawler.fetchSome();
    await turn();
  }
}

test('sitemaps that never come hold up no other sitemap, however many they are', async (t) => {
  const slow = 60;
  const made = crawlerOf(
    t,
    (url, deliver) => {
      if (!url.includes('//slow')) deliver(page(urlset('http://honest.example/a')));
    },
    { visits: slow + 4 },
  );
  for (let site = 1; site <= slow; site++) made.push(site, `http://slow${site}.example/map.xml`, true);
  made.push(slow + 1, 'http://honest.example/map.xml', true);
  for (let turns = 0; turns < 50; turns++) {
    made.crawler.fetchSome();
    await turn();
  }
  assert.equal(made.asked.filter((url) => url.includes('//slow') && url.endsWith('.xml')).length, slow);
  assert.deepEqual(
    made.found.map(({ url }) => url),
    ['http://honest.example/a'],
  );
  assert.equal(made.crawler.isIdle, false);
  made.crawler.close();
});

test('the pages of a site do not wait for its sitemap, neither while it is read nor for others to be read', async (t) => {
  const made = crawlerOf(t, (url, deliver) =>
    deliver(url.endsWith('.xml') ? page(urlset(`${url}/a`)) : page('', { status: 404 })),
  );
  const sites = 80;
  for (let site = 1; site <= sites; site++) {
    made.push(site, `http://h${site}.example/map.xml`, true);
    made.push(site, `http://h${site}.example/page`);
  }
  // Reading goes on between turns only: in all of these none is read.
  for (let turns = 0; turns < 100; turns++) {
    made.clock.now += 100;
    made.crawler.fetchSome();
  }
  assert.equal(made.asked.filter((url) => url.endsWith('/page')).length, sites);
  assert.equal(made.asked.filter((url) => url.endsWith('.xml')).length, 64, 'fetched, to be read');
  assert.equal(made.frontier.count, sites - 64, 'not asked for yet');
  await finish(made);
  assert.equal(made.found.length, sites);
  assert.equal(new Set(made.asked).size, made.asked.length);
  made.crawler.close();
});

test('until a sitemap was read a checkpoint keeps it, and its URL is in the queue after a restore', async (t) => {
  const map = gzipSync(urlset(...Array.from({ length: 3000 }, (_, i) => `http://h.example/${i}`)));
  const answer = (_url: string, deliver: FetchCallback): void => deliver(page(map));
  const made = crawlerOf(t, answer);
  made.push(1, 'http://h.example/map.xml.gz', true);
  const kept = (): string[] => {
    const urls: string[] = [];
    made.crawler.sitemaps.forEach((bytes, start, end) => {
      assert.ok(isSitemapRecord(bytes, start));
      urls.push(Buffer.from(bytes.subarray(RECORD_HEADER, recordUrlEnd(bytes, start, end))).toString());
    });
    return urls;
  };
  assert.deepEqual(kept(), []);
  for (let turns = 0; turns < 3; turns++) made.crawler.fetchSome();
  assert.equal(made.frontier.count, 0);
  assert.deepEqual(kept(), ['http://h.example/map.xml.gz']);
  while (made.found.length === 0) await turn();
  assert.deepEqual(kept(), ['http://h.example/map.xml.gz'], 'while it is read');
  const resumed = crawlerOf(t, answer);
  made.crawler.sitemaps.forEach(resumed.crawler.sitemaps.restore);
  assert.equal(resumed.frontier.count, 1);
  await finish(resumed);
  assert.equal(resumed.found.length, 3000);
  await finish(made);
  assert.deepEqual(kept(), []);
  assert.equal(made.found.length, 3000);
  made.crawler.close();
  resumed.crawler.close();
});

test('sitemap indexes without end come to an end: depth, number, URLs and bytes of a site are bounded', async (t) => {
  let next = 0;
  const many = (): string => index(...Array.from({ length: 30 }, () => `http://h.example/${next++}`));
  const made = crawlerOf(t, (_url, deliver) => deliver(page(many())), { sitemapsPerSite: 40 });
  made.push(1, 'http://h.example/robots-map', true, 1);
  await finish(made);
  assert.equal(made.crawler.isIdle, true);
  assert.equal(made.asked.length - 1, 40, 'sitemaps asked for');
  assert.ok(made.leftOut.length > 100);
  assert.ok(made.leftOut.every(([, code]) => code === 'SITEMAPS_PER_SITE'));
  assert.ok(made.found.every(({ siteDepth }) => siteDepth <= 3));
  made.crawler.close();

  const urls = urlset(...Array.from({ length: 5000 }, (_, i) => `http://h.example/${i}`));
  const large = crawlerOf(t, (_url, deliver) => deliver(page(urls)), { sitemapsPerSite: 4 });
  for (let i = 0; i < 5; i++) large.push(1, `http://h.example/map-${i}`, true, 1);
  await finish(large);
  assert.equal(large.found.length, 8000, 'of the first two, as many as four may have');
  assert.deepEqual(new Set(large.leftOut.map(([, code]) => code)), new Set(['SITEMAPS_PER_SITE']));
  large.crawler.close();
});

test('sitemaps deeper than an index of indexes are left out', async (t) => {
  let level = 0;
  const chain = crawlerOf(t, (_url, deliver) => deliver(page(index(`http://h.example/${level++}`))));
  chain.push(1, 'http://h.example/map', true, 1);
  await finish(chain);
  assert.deepEqual(
    chain.asked.filter((url) => !url.endsWith('robots.txt')).map((url) => new URL(url).pathname),
    ['/map', '/0', '/1'],
  );
  assert.deepEqual(chain.tooDeep, ['http://h.example/2']);
  chain.crawler.close();
});

test('a disk that fails while a sitemap is read is told of in the next turn', async (t) => {
  const failure = new Error('EIO');
  const sitemapBodies = {
    keep: () => 1,
    read: () => {
      throw failure;
    },
    remove: () => {},
  };
  const made = madeUpCrawler(
    t,
    (url, deliver) => deliver(url.endsWith('/robots.txt') ? page('', { status: 404 }) : page(urlset())),
    { sitemapBodies, counters: { lap: () => {}, add: () => {}, set: () => {} } },
  );
  made.push(1, 'http://a.test/sitemap.xml', true);
  await assert.rejects(finish(made), failure);
});
