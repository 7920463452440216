import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { recordSiteHigh, recordSiteLow } from '#drumline/model/record.js';
import { sharedClock } from '#drumline/throttle/shared-clock.js';
import { noWaiting } from '#drumline/visit/politeness.js';
import type { Visit } from '#drumline/visit/visit.js';
import { madeUpCrawler, page } from './made-up-crawler.js';

const HOUR = 3600e3;
const RULES = 'User-agent: *\nDisallow: /secret\n';
const redirect = (location: string, retryAfter = -1) => page('', { status: 302, location, retryAfter });

test('pauses asked for on redirects of robots.txt hold no visit: an honest site goes on meanwhile', (t) => {
  const web = madeUpCrawler(t, (url, deliver) => {
    if (!url.endsWith('robots.txt')) deliver(page('', { status: 404 }));
    else if (url.includes('//hostile')) deliver(redirect('/elsewhere/robots.txt', HOUR));
    else deliver(page(RULES));
  });
  const { asked, clock, crawler, frontier, push } = web;
  const hostile = 300;
  for (let site = 1; site <= hostile; site++) push(site, `http://hostile${site}.example/`);
  for (let i = 0; i < 20; i++) push(hostile + 1, `http://honest.example/${i}`);
  for (let turns = 0; turns < 40; turns++) crawler.fetchSome();
  assert.equal(asked.filter((url) => url.includes('//honest')).length, 21);
  assert.equal(frontier.count, hostile, 'all of them wait in the frontier');
  assert.equal(crawler.delay > HOUR - 60e3, true, 'for as long as they asked');

  clock.now += HOUR + 60e3;
  for (let turns = 0; turns < 40; turns++) crawler.fetchSome();
  const followed = new Set(asked.filter((url) => url.includes('/elsewhere/')));
  assert.equal(followed.size, hostile, 'then the redirect is followed');
  crawler.close();
});

test('five redirects of robots.txt are followed, with a pause before each; behind more, all is allowed', (t) => {
  const ends = [5, 6];
  const answers: (() => void)[] = [];
  const { asked, clock, crawler, leftOut, push } = madeUpCrawler(t, (url, deliver) => {
    const { host, pathname } = new URL(url);
    const hop = pathname === '/robots.txt' ? 0 : Number(/^\/r(\d)$/.exec(pathname)?.[1] ?? Number.NaN);
    const isEnd = hop === Number(host[1]);
    const found = Number.isNaN(hop) ? page('', { status: 404 }) : page(RULES);
    answers.push(() => deliver(Number.isNaN(hop) || isEnd ? found : redirect(`/r${hop + 1}`, 1000)));
  });
  for (const end of ends) push(end, `http://h${end}.example/secret`);
  for (let turn = 0; turn < 8; turn++) {
    clock.now = sharedClock() + 2000;
    const before = asked.length;
    crawler.fetchSome();
    assert.ok(asked.length <= before + ends.length);
    clock.now = sharedClock();
    for (const answer of answers.splice(0)) answer();
    const after = asked.length;
    if (turn < 5) crawler.fetchSome();
    assert.equal(asked.length, after, 'the pause is kept');
  }
  assert.deepEqual(leftOut, [['http://h5.example/secret', 'ROBOTS']]);
  assert.ok(asked.includes('http://h6.example/secret'));
  assert.ok(!asked.includes('http://h6.example/r6'));
  crawler.close();
});

test('a redirect of robots.txt is followed again after a failure, as often as any request is tried', (t) => {
  const { asked, crawler, leftOut, push } = madeUpCrawler(
    t,
    (url, deliver) => {
      if (url.endsWith('/robots.txt')) deliver(redirect('/r'));
      else deliver(page('', { status: 503, isTemporary: true }));
    },
    {},
    { retries: 2 },
  );
  push(1, 'http://h.example/');
  for (let turns = 0; turns < 20; turns++) crawler.fetchSome();
  assert.deepEqual(
    asked.map((url) => new URL(url).pathname),
    ['/robots.txt', '/r', '/r', '/r'],
  );
  assert.deepEqual(leftOut, [['http://h.example/', 'ROBOTS_UNREACHABLE']]);
  crawler.close();
});

/** A redirect to another host, whose address is told by `tell`. */
function redirected(t: TestContext, retries = 0) {
  const told: string[] = [];
  const taken: string[] = [];
  const siteOf = ({ record }: Visit): string => `${recordSiteLow(record, 0)} ${recordSiteHigh(record, 0)}`;
  const keys: [low: number, high: number][] = [];
  const asker = {
    mustWait: () => false,
    ask: (low: number, high: number, url: Uint8Array) => {
      keys.push([low, high]);
      told.push(Buffer.from(url).toString());
    },
  };
  const politeness = {
    ...noWaiting(sharedClock),
    reserve: (visit: Visit) => {
      taken.push(`take ${siteOf(visit)}`);
      return 0;
    },
    rest: (visit: Visit) => {
      if (visit.address !== '') taken.push(`rest ${siteOf(visit)}`);
      return 0;
    },
  };
  const made = madeUpCrawler(
    t,
    (url, deliver) => {
      if (url === 'http://h.example/robots.txt') deliver(redirect('https://www.example/robots.txt'));
      else if (url.endsWith('/robots.txt')) deliver(page(RULES));
      else deliver(page('', { status: 404 }));
    },
    { asker, politeness },
    { retries },
  );
  made.push(1, 'http://h.example/secret');
  made.push(1, 'http://h.example/open');
  const tell = (address: string): void => made.crawler.learnAddress(...keys.at(-1)!, address);
  return { ...made, keys, taken, tell, told };
}

test('a redirect of robots.txt to another host is followed, at its vetted address, and that host is taken meanwhile', (t) => {
  const { addresses, asked, crawler, frontier, keys, leftOut, taken, tell, told } = redirected(t);
  for (let turns = 0; turns < 3; turns++) crawler.fetchSome();
  assert.deepEqual(asked, ['http://h.example/robots.txt'], 'nothing more before the address is known');
  assert.deepEqual(told, ['https://www.example/robots.txt'], 'asked for once');
  taken.length = 0;
  tell('192.0.2.7');
  for (let turns = 0; turns < 5; turns++) crawler.fetchSome();
  assert.deepEqual(asked.slice(1), ['https://www.example/robots.txt', 'http://h.example/open']);
  assert.deepEqual(addresses, ['', '192.0.2.7', '']);
  assert.deepEqual(leftOut, [['http://h.example/secret', 'ROBOTS']]);
  const other = `${keys[0]![0]} ${keys[0]![1]}`;
  assert.deepEqual(taken.slice(0, 2), [`take ${other}`, `rest ${other}`]);
  assert.ok(taken.slice(2).every((line) => line.endsWith(' 1 1')));
  assert.equal(frontier.count, 0);
  crawler.close();
});

test('where robots.txt is redirected to an address that is refused, nothing is allowed; a failure is tried again', (t) => {
  const refused = redirected(t);
  refused.crawler.fetchSome();
  refused.tell('PRIVATE_ADDRESS');
  for (let turns = 0; turns < 5; turns++) refused.crawler.fetchSome();
  assert.deepEqual(refused.asked, ['http://h.example/robots.txt']);
  assert.deepEqual(
    refused.leftOut.map(([, code]) => code),
    ['ROBOTS_UNREACHABLE', 'ROBOTS_UNREACHABLE'],
  );
  refused.crawler.close();

  const retried = redirected(t, 2);
  retried.crawler.fetchSome();
  retried.tell('');
  for (let turns = 0; turns < 3; turns++) retried.crawler.fetchSome();
  assert.equal(retried.told.length, 2);
  retried.tell('192.0.2.7');
  for (let turns = 0; turns < 5; turns++) retried.crawler.fetchSome();
  assert.deepEqual(retried.leftOut, [['http://h.example/secret', 'ROBOTS']]);
  retried.crawler.close();
});

test('a redirect of robots.txt to a port that no web server is asked for on counts as no rules', (t) => {
  const { asked, crawler, push } = madeUpCrawler(t, (url, deliver) =>
    deliver(
      url.endsWith('robots.txt') ? redirect('http://h.example:25/robots.txt') : page('', { status: 404 }),
    ),
  );
  push(1, 'http://h.example/');
  for (let turns = 0; turns < 5; turns++) crawler.fetchSome();
  assert.deepEqual(asked, ['http://h.example/robots.txt', 'http://h.example/']);
  crawler.close();
});

test('with more redirects than memory has room for, sites ask from the beginning, and come to an end', (t) => {
  const sites = 40;
  const { asked, crawler, frontier, leftOut, push } = madeUpCrawler(
    t,
    (url, deliver) => {
      if (url.endsWith('/robots.txt')) deliver(redirect('/r'));
      else deliver(page(RULES));
    },
    { redirectBytes: 3000 },
    { visits: sites, retries: 1 },
  );
  for (let site = 1; site <= sites; site++) push(site, `http://h${site}.example/secret`);
  for (let turns = 0; frontier.count > 0 && turns < 200; turns++) crawler.fetchSome();
  assert.equal(frontier.count, 0);
  assert.equal(leftOut.length, sites);
  assert.ok(leftOut.filter(([, code]) => code === 'ROBOTS').length >= 5);
  assert.ok(asked.length <= 10 * sites, `${asked.length} requests`);
  crawler.close();
});
