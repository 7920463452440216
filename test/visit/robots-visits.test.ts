import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sharedClock } from '#drumline/throttle/shared-clock.js';
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
