import assert from 'node:assert/strict';
import { test } from 'node:test';
import { httpCrawl } from './http-crawl.js';
import { assertGood, goodSite, type LocalWeb, links, localWeb, pages, type Site } from './http-local-web.js';

test('scope options leave out what they say, with the reason', async (t) => {
  const web = await localWeb(t, {
    a: (socket, path, local) =>
      pages({
        '/': links('/in/1', '/out/1', '/out/but', local.url('b.a'), local.url('c')),
        '/in/1': links('/in/2'),
        '/in/2': links('/in/3'),
        '/in/3': 'deep',
        '/out/1': 'out',
        '/out/but': 'in after all',
      })(socket, path, local),
    'b.a': pages({ '/': links('/page'), '/page': 'p' }),
    c: pages({ '/': 'c' }),
    good: goodSite,
  });
  const seeds = [web.url('a'), web.url('good')];
  const fetched = async (given: Record<string, string | null | string[]>) => {
    const crawl = await httpCrawl(t, seeds, given);
    const names = crawl.pages.filter((url) => !url.startsWith(web.url('good')));
    const reason = (host: string, path = '/'): string | undefined => crawl.last(web.url(host, path)).reason;
    return { crawl, reason, names: names.map((url) => url.replace(/^http:\/\/(.*?)\.localhost:\d+/, '$1')) };
  };
  const all = ['a/', 'a/in/1', 'a/in/2', 'a/in/3', 'a/out/1', 'a/out/but', 'b.a/', 'b.a/page', 'c/'];

  const free = await fetched({});
  assertGood(free.crawl, web);
  assert.deepEqual(free.names, all);

  const patterns = await fetched({ exclude: '*/out/*', include: '*/but' });
  assertGood(patterns.crawl, web);
  assert.deepEqual(
    patterns.names,
    all.filter((name) => name !== 'a/out/1'),
  );
  assert.equal(patterns.reason('a', '/out/1'), 'SCOPE_EXCLUDE');
  assert.match(patterns.crawl.command('why', web.url('a', '/out/1')), /SCOPE_EXCLUDE/);

  const host = await fetched({ 'same-host': null });
  assertGood(host.crawl, web);
  assert.deepEqual(
    host.names,
    all.filter((name) => name.startsWith('a/')),
  );
  assert.equal(host.reason('c'), 'SCOPE_HOST');
  assert.ok(!host.crawl.log.some(({ kind, host: name }) => kind === 'robots' && name === 'c.localhost'));

  const domain = await fetched({ 'same-domain': null });
  assert.deepEqual(
    domain.names,
    all.filter((name) => name !== 'c/'),
  );
  assert.equal(domain.reason('c'), 'SCOPE_DOMAIN');

  const depth = await fetched({ 'max-depth': '2' });
  assert.ok(depth.names.includes('a/in/2') && !depth.names.includes('a/in/3'));
  assert.equal(depth.reason('a', '/in/3'), 'SCOPE_DEPTH');
});

test('a URL that is out of scope is logged once, whichever of three agents find it', async (t) => {
  const outside = Array.from({ length: 60 }, (_, i) => `/out/${i}`);
  const seeds = ['a', 'b', 'c', 'd', 'e', 'f'];
  const page = (local: LocalWeb): string =>
    links(...outside.map((path) => local.url('x', path)), '/1', ...seeds.map((name) => local.url(name)));
  const site: Site = (socket, path, local) =>
    pages({ '/': page(local), '/1': page(local) })(socket, path, local);
  const web = await localWeb(t, Object.fromEntries(seeds.map((name) => [name, site])));
  const given = { agents: '3', exclude: '*/out/*' };
  const crawl = await httpCrawl(
    t,
    seeds.map((name) => web.url(name)),
    given,
  );
  const logged = crawl.log.filter(({ reason }) => reason === 'SCOPE_EXCLUDE');
  assert.deepEqual(logged.map(({ url }) => url).sort(), outside.map((path) => web.url('x', path)).sort());
  assert.equal(new Set(logged.map(({ agent }) => agent)).size, 3, 'each agent has a share of the log');
  const readers = new Set(crawl.log.filter(({ kind }) => kind === 'page').map(({ agent }) => agent));
  assert.ok(readers.size > 1, 'several agents found them');
  assert.ok(logged.every(({ via, depth }) => via?.startsWith('http://') && depth! > 0));
  assert.equal(crawl.report.errors['SCOPE_EXCLUDE'], outside.length);
});
