/** Pages that send the crawler to ports where no web server is, and answers without a body. */
import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { response } from '../web/http/raw-server.js';
import { httpCrawl } from './http-crawl.js';
import { assertGood, goodSite, links, localWeb, pages } from './http-local-web.js';

/** Ports on which nobody listens now. */
async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer();
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      return server;
    }),
  );
  return servers.map((server) => {
    const address = server.address();
    server.close();
    return typeof address === 'object' ? address!.port : 0;
  });
}

test('a page can not make the crawler scan the ports of a host', async (t) => {
  const ports = await freePorts(12);
  const scanned = ports.map((port) => `http://victim.localhost:${port}/`);
  const bad = [22, 25, 6667].map((port) => `http://victim.localhost:${port}/`);
  const web = await localWeb(t, {
    good: goodSite,
    evil: pages({ '/': links(...bad, ...scanned) }),
    victim: pages({ '/': 'p' }),
  });
  const seeds = [web.url('good'), web.url('evil'), web.url('victim')];
  const crawl = await httpCrawl(t, seeds, { agents: '1' });
  assertGood(crawl, web);
  for (const url of bad) {
    assert.equal(crawl.last(url).reason, 'BAD_PORT', url);
    assert.deepEqual(crawl.requests(`${url}robots.txt`), [], url);
  }
  assert.match(crawl.command('why', bad[0]!), /its port is one that no web server is asked for on/);
  const reasons = scanned.map((url) => crawl.last(url).reason!).sort();
  assert.deepEqual(reasons, [...Array(9).fill('DEAD_PORTS'), ...Array(3).fill('ROBOTS_UNREACHABLE')]);
  const knocked = scanned.filter((url) => crawl.requests(`${url}robots.txt`).length > 0);
  assert.equal(knocked.length, 3);
  assert.equal(crawl.last(web.url('victim')).status, 200);
});

test('a whole answer without a body is no page and no error', async (t) => {
  const web = await localWeb(t, {
    good: goodSite,
    empty: pages({ '/': links('/nothing', '/no-content', '/page'), '/nothing': response(''), '/page': 'p' }),
  });
  const crawl = await httpCrawl(t, [web.url('good'), web.url('empty')]);
  assertGood(crawl, web);
  const { reason, status, bytes } = crawl.last(web.url('empty', '/nothing'));
  assert.deepEqual([status, bytes, reason], [200, 0, undefined]);
  assert.deepEqual(Object.keys(crawl.report.errors), ['HTTP_404']);
  assert.equal(crawl.report.pages, crawl.pages.length - 1);
});
