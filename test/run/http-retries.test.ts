/** Servers that ask for a pause or fail for ever: how long they are left alone, and when they are given up. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { response } from '../web/http/raw-server.js';
import { httpCrawl } from './http-crawl.js';
import { assertGood, goodSite, links, localWeb, pages, type Site } from './http-local-web.js';

const tooMany = (retryAfter?: string, status = '429 Too Many Requests'): Buffer =>
  response('slow down', retryAfter === undefined ? 'x-none: 1' : `retry-after: ${retryAfter}`, status);

/** Fails the first time, then answers. */
function once(failure: Buffer): Site {
  let asked = 0;
  return (socket) => socket.write(asked++ === 0 ? failure : response('good'));
}

test('Retry-After in all its forms is kept to, within its bound', async (t) => {
  // Far enough not to be past when a busy machine comes to it.
  const soon = new Date(Date.now() + 3_600_000).toUTCString();
  const forms: Record<string, [value: string | undefined, delay: number]> = {
    none: [undefined, 10],
    nothing: ['', 10],
    nonsense: ['soon, please', 10],
    negative: ['-5', 10],
    seconds: ['1', 400],
    date: [soon, 400],
    past: ['Mon, 05 Jan 2015 12:00:00 GMT', 10],
    year: ['31536000', 400],
    forever: ['99999999999', 400],
  };
  const sites = Object.entries(forms).map(([host, [value]]): [string, Site] => [
    host,
    pages({ '/': links('/busy', '/next'), '/busy': once(tooMany(value)), '/next': 'good' }),
  ]);
  const web = await localWeb(t, { ...Object.fromEntries(sites), good: goodSite });
  const crawl = await httpCrawl(
    t,
    ['good', ...Object.keys(forms)].map((host) => web.url(host)),
    {
      'max-retry-after': '400ms',
    },
  );
  assertGood(crawl, web);
  for (const [host, [, delay]] of Object.entries(forms)) {
    const [first, second] = crawl.requests(web.url(host, '/busy'));
    assert.deepEqual([first!.reason, first!.willRetry], ['HTTP_429', true], host);
    assert.equal(first!.delay, delay, host);
    assert.ok(second!.started! - first!.ended! >= delay, host);
    assert.deepEqual([second!.status, second!.retries], [200, 1], host);
    assert.equal(crawl.last(web.url(host, '/next')).status, 200, host);
    // Nothing else is asked of the host meanwhile.
    const next = crawl.last(web.url(host, '/next'));
    assert.ok(next.started! >= second!.ended! || next.ended! <= first!.started!, host);
  }
  assert.equal(crawl.command('audit').split('\n').at(-2), '0 violations');
});

test('a Crawl-delay is kept to before another try, too', async (t) => {
  const robots = response('user-agent: *\ncrawl-delay: 0.3\n', 'content-type: text/plain');
  const web = await localWeb(t, {
    slow: pages({ '/robots.txt': robots, '/': links('/busy'), '/busy': once(tooMany()) }),
    good: goodSite,
  });
  const crawl = await httpCrawl(t, [web.url('good'), web.url('slow')]);
  assertGood(crawl, web);
  const [first, second] = crawl.requests(web.url('slow', '/busy'));
  assert.equal(first!.delay, 300);
  assert.ok(second!.started! - first!.ended! >= 300);
});

test('after the last try a Retry-After still counts for the rest of the site', async (t) => {
  const web = await localWeb(t, {
    busy: pages({ '/': links('/one', '/two'), '/one': tooMany('1'), '/two': 'good' }),
  });
  const crawl = await httpCrawl(t, [web.url('busy')], { retries: '0', 'max-retry-after': '300ms' });
  const [one, two] = [crawl.last(web.url('busy', '/one')), crawl.last(web.url('busy', '/two'))];
  assert.deepEqual([one.reason, one.willRetry, one.delay], ['HTTP_429', undefined, 300]);
  assert.ok(two.started! - one.ended! >= 300);
  assert.equal(two.status, 200);
});

test('sites that refuse or fall silent for ever are given up, with all that waits there', async (t) => {
  const many = Array.from({ length: 40 }, (_, i) => `/p${i}`);
  const down = (answer: Site): Site => {
    const root = pages({ '/': links(...many) });
    return (socket, path, web) => (path.startsWith('/p') ? answer : root)(socket, path, web);
  };
  const web = await localWeb(t, {
    busy: down((socket) => socket.write(tooMany(undefined, '503 Service Unavailable'))),
    limited: down((socket) => socket.write(tooMany())),
    resets: down((socket) => socket.resetAndDestroy()),
    broken: down((socket) => socket.write(tooMany(undefined, '500 Oops'))),
    flaky: down((socket, path) => {
      if (Number(path.slice(2)) % 3 === 2) socket.write(response('good'));
      else socket.resetAndDestroy();
    }),
    good: goodSite,
  });
  const hosts = ['busy', 'limited', 'resets', 'broken', 'flaky', 'good'];
  const crawl = await httpCrawl(
    t,
    hosts.map((host) => web.url(host)),
  );
  assertGood(crawl, web);
  const fates = (host: string): Record<string, number> => {
    const counts: Record<string, number> = {};
    for (const path of many) {
      const { reason = 'fetched' } = crawl.last(web.url(host, path));
      counts[reason] = (counts[reason] ?? 0) + 1;
    }
    return counts;
  };
  assert.deepEqual(fates('busy'), { HTTP_503: 3, SITE_DOWN: 37 });
  assert.deepEqual(fates('limited'), { HTTP_429: 3, SITE_DOWN: 37 });
  assert.deepEqual(fates('resets'), { RESET: 3, SITE_DOWN: 37 });
  assert.deepEqual(fates('broken'), { HTTP_500: 21, SITE_DOWN: 19 });
  assert.deepEqual(fates('flaky'), { RESET: 27, fetched: 13 });
  assert.match(crawl.command('why', web.url('busy', '/p39')), /given up: .*SITE_DOWN/);
  assert.match(crawl.command('why', web.url('busy', '/p0')), /HTTP_503\nstatus 503\n.*after 2 requests/s);
});
