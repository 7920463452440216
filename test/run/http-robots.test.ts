/** robots.txt that hangs, is huge, is no robots.txt, goes in circles; sitemaps and nofollow. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { response } from '../web/http/raw-server.js';
import { httpCrawl } from './http-crawl.js';
import { assertGood, goodSite, links, localWeb, pages, redirectTo, type Site } from './http-local-web.js';

const DISALLOW = 'user-agent: *\ndisallow: /secret\n';
const text = (body: string, status?: string): Buffer => response(body, 'content-type: text/plain', status);

/** A root page that leads to one that robots.txt may disallow. */
const site = (robots: Site | string | Buffer, more: Parameters<typeof pages>[0] = {}): Site =>
  pages({ '/robots.txt': robots, '/': links('/secret', '/open'), '/secret': 's', '/open': 'o', ...more });

test('whatever robots.txt is, the site is crawled by the rules or not at all', async (t) => {
  const error = text('oops', '503 Service Unavailable');
  const ring = { '/r1': redirectTo('/r2'), '/r2': redirectTo('/robots.txt') };
  const web = await localWeb(t, {
    rules: site(text(DISALLOW)),
    huge: site(text(`${DISALLOW}${'disallow: /some/other/path\n'.repeat(75_000)}disallow: /open\n`)),
    html: site(response(`<html><body>${DISALLOW}</body></html>`)),
    image: site(response('GIF89a', 'content-type: image/gif')),
    missing: site(text('', '404 Not Found')),
    forbidden: site(text('', '403 Forbidden')),
    ring: site(redirectTo('/r1'), ring),
    moved: site(redirectTo('/elsewhere'), { '/elsewhere': text(DISALLOW) }),
    elsewhere: site((socket, _path, local) => socket.write(redirectTo(local.url('rules', '/robots.txt')))),
    hangs: site(() => {}),
    fails: site(error),
    busy: site(response('wait', 'retry-after: 31536000', '429 Too Many Requests')),
    resets: site((socket) => socket.resetAndDestroy()),
    once: site(
      (() => {
        let asked = 0;
        return (socket) => socket.write(asked++ === 0 ? error : text(DISALLOW));
      })(),
    ),
    good: goodSite,
  });
  const all = ['secret', 'open'];
  const expected: Record<string, string[]> = {
    ...{ rules: ['open'], huge: ['open'], html: all, image: all, missing: all, forbidden: all, ring: all },
    ...{ moved: ['open'], elsewhere: ['open'], hangs: [], fails: [], busy: [], resets: [], once: ['open'] },
  };
  const hosts = Object.keys(expected);
  const crawl = await httpCrawl(
    t,
    ['good', ...hosts].map((host) => web.url(host)),
    {
      'max-retry-after': '20ms',
    },
  );
  assertGood(crawl, web);
  for (const host of hosts) {
    const fetched = all.filter((page) => crawl.pages.includes(web.url(host, `/${page}`)));
    assert.deepEqual(fetched, expected[host], host);
    for (const page of expected[host]!.length === 0 ? [''] : all.filter((name) => !fetched.includes(name)))
      assert.equal(
        crawl.last(web.url(host, `/${page}`)).reason,
        page === '' ? 'ROBOTS_UNREACHABLE' : 'ROBOTS',
        host,
      );
  }
  assert.ok(!web.asked.some((asked) => /^(rules|huge|moved|once)\/secret/.test(asked)));
  assert.equal(
    crawl.log.filter(({ kind, host }) => kind === 'robots' && host === 'ring.localhost').length,
    6,
  );
  assert.equal(crawl.last(web.url('hangs', '/robots.txt')).reason, 'TIMEOUT');
  assert.equal(crawl.last(web.url('fails', '/robots.txt')).reason, 'HTTP_503');
  assert.equal(crawl.requests(web.url('fails', '/robots.txt')).length, 2);
  assert.match(crawl.command('why', web.url('rules', '/secret')), /line 2: disallow: \/secret/i);
  assert.match(crawl.command('why', web.url('fails')), /could not be fetched.* \(ROBOTS_UNREACHABLE\)/);
});

const urlset = (...urls: string[]): string =>
  `<?xml version="1.0"?><urlset>${urls.map((url) => `<url><loc>${url}</loc></url>`).join('')}</urlset>`;
const xml = (body: string): Buffer => response(body, 'content-type: application/xml');

const mappedSite: Site = (socket, path, web) => {
  const url = (to: string): string => web.url('mapped', to);
  const index = ['/one.xml', '/two.xml.gz', '/gone.xml', '/broken.xml.gz', '/index.xml']
    .map((to) => `<sitemap><loc>${url(to)}</loc></sitemap>`)
    .join('');
  pages({
    '/robots.txt': text(
      `user-agent: *\ndisallow: /private\nsitemap: ${url('/index.xml')}\nSitemap: ${url('/list.txt')}`,
    ),
    '/': 'no links',
    '/index.xml': xml(`<sitemapindex>${index}</sitemapindex>`),
    '/one.xml': xml(urlset(url('/a'), url('/private'), web.url('other', '/b'))),
    '/two.xml.gz': response(gzipSync(urlset(url('/c'))), 'content-type: application/gzip'),
    '/broken.xml.gz': response(gzipSync(urlset(url('/d'))).subarray(0, 40), 'content-type: application/gzip'),
    '/list.txt': text(`${url('/e')}\n`),
    ...{ '/a': 'a', '/c': 'c', '/e': links('/f'), '/f': 'f' },
  })(socket, path, web);
};

test('sitemaps feed the frontier: urlset, index, gzip, list; unless they are off', async (t) => {
  const web = await localWeb(t, { mapped: mappedSite, other: pages({ '/b': 'b' }), good: goodSite });
  const seeds = [web.url('mapped'), web.url('good')];
  const crawl = await httpCrawl(t, seeds);
  assertGood(crawl, web);
  const found = crawl.pages.filter((url) => !url.startsWith(web.url('good')));
  assert.deepEqual(
    found,
    [
      web.url('mapped'),
      ...['/a', '/c', '/e', '/f'].map((path) => web.url('mapped', path)),
      web.url('other', '/b'),
    ].sort(),
  );
  const a = crawl.last(web.url('mapped', '/a'));
  assert.equal(a.via, web.url('mapped', '/one.xml'));
  assert.equal(crawl.last(web.url('mapped', '/private')).reason, 'ROBOTS');
  assert.equal(crawl.last(web.url('mapped', '/gone.xml')).reason, 'HTTP_404');
  assert.equal(crawl.last(web.url('mapped', '/one.xml')).kind, 'sitemap');
  assert.match(crawl.last(web.url('mapped', '/broken.xml.gz')).reason!, /^[A-Z_]+$/);
  assert.equal(crawl.requests(web.url('mapped', '/index.xml')).length, 1);
  assert.equal(crawl.report.pages, crawl.pages.length);

  const without = await httpCrawl(t, seeds, { sitemaps: 'off' });
  assertGood(without, web);
  assert.ok(!without.log.some(({ kind }) => kind === 'sitemap'));
  assert.ok(!without.pages.includes(web.url('mapped', '/a')));
});

test('nofollow is obeyed: of a link, a page, a header; and so is what robots.txt says to us alone', async (t) => {
  const web = await localWeb(t, {
    n: pages({
      '/robots.txt': text('user-agent: *\ndisallow: /\n\nuser-agent: DRUMLINE/2\ndisallow: /ours\n'),
      '/': `${links('/page', '/header', '/ours', '/plain')}<a href=/no1 rel="external NoFollow">x</a>`,
      '/page': `<meta name=robots content="noindex, nofollow">${links('/no2')}`,
      '/header': response(links('/no3'), 'content-type: text/html\r\nx-robots-tag: nofollow'),
      '/plain': links('/yes'),
      '/yes': 'yes',
      ...{ '/no1': '1', '/no2': '2', '/no3': '3', '/ours': 'o' },
    }),
    good: goodSite,
  });
  const crawl = await httpCrawl(t, [web.url('n'), web.url('good')]);
  assertGood(crawl, web);
  assert.deepEqual(
    crawl.pages.filter((url) => url.startsWith(web.url('n'))),
    ['/', '/header', '/page', '/plain', '/yes'].map((path) => web.url('n', path)),
  );
  assert.equal(crawl.report.errors['NOFOLLOW'], 3);
  assert.equal(crawl.last(web.url('n', '/ours')).reason, 'ROBOTS');
});

test('robots.txt is read to 500 KiB whatever --max-body says, and past what stands behind its gzip', async (t) => {
  const gzip = 'content-type: text/plain\r\ncontent-encoding: gzip';
  const late = `${'disallow: /some/other/path\n'.repeat(10_000)}${DISALLOW.split('\n')[1]}\n`;
  const behind = Buffer.concat([gzipSync(DISALLOW), Buffer.from('<!-- from a cache -->')]);
  const web = await localWeb(t, {
    late: site(text(`user-agent: *\n${late}`)),
    coded: site(response(gzipSync(`user-agent: *\n${late}`), gzip)),
    behind: site(response(behind, gzip)),
    good: goodSite,
  });
  const names = ['late', 'coded', 'behind'];
  const seeds = ['good', ...names].map((name) => web.url(name));
  const crawl = await httpCrawl(t, seeds, { 'max-body': '1KB' });
  assertGood(crawl, web);
  for (const name of names) {
    assert.equal(crawl.last(web.url(name, '/secret')).reason, 'ROBOTS', name);
    assert.equal(crawl.last(web.url(name, '/open')).status, 200, name);
  }
});

test('a host that others redirect their robots.txt to is asked by all agents as if by one', async (t) => {
  const others = Array.from({ length: 8 }, (_, i) => `r${i}`);
  const redirecting: Site = (socket, path, local) =>
    path === '/robots.txt'
      ? socket.write(redirectTo(local.url('good', '/robots.txt')))
      : pages({ '/': links('/secret', '/open'), '/secret': 's', '/open': 'o' })(socket, path, local);
  const web = await localWeb(t, {
    ...Object.fromEntries(others.map((name) => [name, redirecting])),
    good: (socket, path, local) =>
      path === '/robots.txt' ? socket.write(text(DISALLOW)) : goodSite(socket, path, local),
  });
  const seeds = ['good', ...others].map((host) => web.url(host));
  const crawl = await httpCrawl(t, seeds, { 'host-delay': '40ms', agents: '3' });
  assertGood(crawl, web);
  for (const name of others) {
    assert.equal(crawl.last(web.url(name, '/secret')).reason, 'ROBOTS');
    assert.ok(crawl.pages.includes(web.url(name, '/open')));
  }
  assert.equal(crawl.requests(web.url('good', '/robots.txt')).length, 1 + others.length);
  // Fails if a request came too early.
  crawl.command('audit');
});
