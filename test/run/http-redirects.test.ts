import assert from 'node:assert/strict';
import { test } from 'node:test';
import { httpCrawl } from './http-crawl.js';
import { assertGood, goodSite, links, localWeb, pages, redirectTo } from './http-local-web.js';

test('redirects to nowhere, in rings and over the limit end, each with its reason', async (t) => {
  const chain = Object.fromEntries(
    Array.from({ length: 9 }, (_, i) => [`/chain${i}`, redirectTo(`/chain${i + 1}`)]),
  );
  const bad = {
    '/self': redirectTo('/self'),
    '/ring1': redirectTo('/ring2'),
    '/ring2': redirectTo('/ring3'),
    '/ring3': redirectTo('/ring1'),
    '/file': redirectTo('file:///etc/passwd'),
    '/script': redirectTo('javascript:alert(1)'),
    '/garbage': redirectTo('http://[::'),
    ...chain,
    '/chain9': 'the end',
  };
  const web = await localWeb(t, {
    r: pages({
      ...bad,
      '/': links(...Object.keys(bad).filter((path) => !/[a-z][1-9]$/.test(path)), '/ring1'),
    }),
    good: goodSite,
  });
  const crawl = await httpCrawl(t, [web.url('r'), web.url('good')], { 'max-redirects': '4' });
  assertGood(crawl, web);
  for (const path of ['/self', '/ring1', '/ring2', '/ring3']) {
    assert.equal(crawl.requests(web.url('r', path)).length, 1, path);
    assert.equal(crawl.last(web.url('r', path)).status, 302, path);
  }
  for (const path of ['/file', '/script', '/garbage'])
    assert.equal(crawl.last(web.url('r', path)).reason, 'REDIRECT_TARGET', path);
  assert.equal(crawl.last(web.url('r', '/chain3')).reason, undefined);
  assert.equal(crawl.last(web.url('r', '/chain4')).reason, 'REDIRECTS');
  assert.ok(!web.asked.includes('r/chain5'));
  assert.match(crawl.command('why', web.url('r', '/file')), /redirects to no http or https URL/);
  assert.match(crawl.command('why', web.url('r', '/chain4')), /more redirects in a row than --max-redirects/);
  assert.match(crawl.command('why', web.url('r', '/ring2')), /status 302.*redirects to \/ring3/s);
});

test("a redirect to another agent's site is fetched there, once, and its robots.txt counts", async (t) => {
  const targets = Array.from({ length: 6 }, (_, i) => `t${i}`);
  const web = await localWeb(t, {
    from: (socket, path, local) => {
      const to = /^\/to-(.*)$/.exec(path)?.[1];
      if (to !== undefined) socket.write(redirectTo(local.url(to, '/landing')));
      else pages({ '/': links(...targets.map((name) => `/to-${name}`)) })(socket, path, local);
    },
    ...Object.fromEntries(
      targets.map((name, i) => [
        name,
        pages({
          '/landing': links('/further'),
          '/further': 'good',
          ...(i === 0 ? { '/robots.txt': 'user-agent: *\ndisallow: /landing' } : {}),
        }),
      ]),
    ),
    good: goodSite,
  });
  const crawl = await httpCrawl(t, [web.url('from'), web.url('good')], { agents: '3' });
  assertGood(crawl, web);
  const agents = new Set<number>();
  for (const name of targets.slice(1)) {
    const landing = crawl.last(web.url(name, '/landing'));
    agents.add(landing.agent);
    assert.equal(landing.status, 200);
    // A redirect is no hop.
    assert.equal(landing.depth, 1);
    assert.equal(landing.via, web.url('from', `/to-${name}`));
    assert.equal(crawl.last(web.url(name, '/further')).status, 200);
    assert.equal(web.asked.filter((asked) => asked === `${name}/landing`).length, 1);
  }
  assert.ok(agents.size > 1, 'all landed at one agent');
  assert.equal(crawl.last(web.url('t0', '/landing')).reason, 'ROBOTS');
});
