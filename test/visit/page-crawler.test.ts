import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nodeDisk } from '#drumline/model/disk.js';
import { ALLOWED, DISALLOWED, RobotsRules } from '#drumline/robots/robots-rules.js';
import { RulesFile } from '#drumline/robots/rules-file.js';
import { sharedClock } from '#drumline/throttle/shared-clock.js';
import { noWaiting } from '#drumline/visit/politeness.js';
import { madeUpCrawler, page } from './made-up-crawler.js';

const ROBOTS = 'User-agent: *\nCrawl-delay: 7\nDisallow: /secret\n';
const [SITES, PAGES] = [50, 6];
const NOT_FOUND = { status: 404 };

test('rules that are forgotten at once hold nobody up: each robots.txt decides about one URL at least', (t) => {
  const delays: number[] = [];
  const { asked, crawler, frontier, leftOut, push } = madeUpCrawler(
    t,
    (url, deliver) => deliver(page(ROBOTS, url.endsWith('/robots.txt') ? {} : NOT_FOUND)),
    {
      // Rules of one origin alone are kept, and nothing is on disk.
      robots: new RobotsRules('drumline', 0, new RulesFile(nodeDisk, '', 0), () => 0),
      politeness: {
        ...noWaiting(sharedClock),
        delayAfter: (_time: number, crawlDelay: number) => {
          delays.push(crawlDelay);
          return 0;
        },
      },
    },
    { visits: 1, takesSitemaps: false },
  );
  for (let i = 0; i < PAGES; i++) {
    for (let site = 1; site <= SITES; site++)
      push(site, `http://h${site}.example/${i % 2 === 0 ? 'secret' : 'open'}${i}`);
  }
  for (let turns = 0; frontier.count > 0 && turns < SITES * PAGES; turns++) crawler.fetchSome();
  assert.equal(frontier.count, 0);
  const open = asked.filter((url) => url.includes('/open'));
  assert.equal(new Set(open).size, (SITES * PAGES) / 2);
  assert.equal(open.length, (SITES * PAGES) / 2);
  assert.equal(leftOut.length, (SITES * PAGES) / 2);
  assert.ok(leftOut.every(([url, code]) => url.includes('/secret') && code === 'ROBOTS'));
  assert.ok(asked.length <= open.length + SITES * PAGES, 'one robots.txt for a URL at most');
  assert.ok(
    delays.every((delay) => delay === 7000),
    'the crawl delay is known though the rules are not',
  );
  crawler.close();
});

test('a turn is over after its time, however long each URL takes to be judged', (t) => {
  let judged = 0;
  const robots = {
    verdict: () => {
      judged++;
      clock.now += 6;
      return DISALLOWED;
    },
    decisiveLine: '',
    close: () => {},
  };
  const { clock, crawler, push } = madeUpCrawler(t, () => {}, { robots });
  for (let site = 1; site <= 256; site++) push(site, `http://h${site}.example/`);
  crawler.fetchSome();
  assert.ok(judged > 0 && judged < 4, `${judged} URLs in a turn`);
  for (let turns = 0; turns < 300; turns++) crawler.fetchSome();
  assert.equal(judged, 256);
  crawler.close();
});

test('scope is asked again at the visit: what the crawl went on without is left out', (t) => {
  const { asked, crawler, frontier, leftOut, push } = madeUpCrawler(
    t,
    (url, deliver) => deliver(page('', url.endsWith('/robots.txt') ? {} : NOT_FOUND)),
    {
      scope: (bytes: Uint8Array, start: number, end: number) =>
        Buffer.from(bytes.subarray(start, end)).includes('/out') ? 'SCOPE_EXCLUDE' : '',
    },
  );
  push(1, 'http://a.example/out');
  push(1, 'http://a.example/in');
  for (let turns = 0; frontier.count > 0 && turns < 10; turns++) crawler.fetchSome();
  assert.deepEqual(leftOut, [['http://a.example/out', 'SCOPE_EXCLUDE']]);
  assert.deepEqual(asked, ['http://a.example/robots.txt', 'http://a.example/in']);
  crawler.close();
});

test('a URL is matched against the rules once, however often its site has to wait before the request', (t) => {
  const robots = {
    matched: 0,
    verdict() {
      this.matched++;
      return ALLOWED;
    },
    delay: 7000,
    close: () => {},
  };
  let waits = 20;
  const politeness = { ...noWaiting(sharedClock), reserve: () => (waits-- > 0 ? 5 : 0) };
  const { asked, clock, crawler, push } = madeUpCrawler(t, () => {}, { robots, politeness });
  push(1, 'http://h.example/');
  for (let turns = 0; turns < 30; turns++) {
    clock.now = sharedClock() + 10;
    crawler.fetchSome();
  }
  assert.deepEqual(asked, ['http://h.example/']);
  assert.equal(robots.matched, 1);
  crawler.close();
});
