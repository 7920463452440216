/** How a crawl of live servers stops: at a target, and while fetches hang. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nameServer } from '../web/http/name-server.js';
import { response } from '../web/http/raw-server.js';
import { httpCrawl } from './http-crawl.js';
import { links, localWeb, notFound, type Site } from './http-local-web.js';

/** A tree of pages without end; every third is not there, every fifth redirects. */
const tree: Site = (socket, path, web) => {
  if (path === '/robots.txt') notFound(socket, path, web);
  else if (/[369]$/.test(path)) notFound(socket, path, web);
  else if (/[05]$/.test(path)) socket.write(response('', `location: ${path}1`, '301 Moved'));
  else socket.write(response(links(...Array.from({ length: 10 }, (_, i) => `/${path.slice(1)}${i}`))));
};

test('a target is met to the page, whatever else is answered', async (t) => {
  const hosts = Array.from({ length: 7 }, (_, i) => `t${i}`);
  const web = await localWeb(t, Object.fromEntries(hosts.map((host) => [host, tree])));
  const crawl = await httpCrawl(
    t,
    hosts.map((host) => web.url(host)),
    { agents: '3', 'target-pages': '333' },
  );
  assert.equal(crawl.report.outcome, 'target');
  assert.equal(crawl.report.pages, 333);
  assert.equal(crawl.pages.length, 333);
  assert.equal(new Set(crawl.pages).size, 333);
});

test('a stop while everything hangs is a stop now', { timeout: 20_000 }, async (t) => {
  let hanging = 0;
  let stop = (): void => {};
  const hangs: Site = (socket, path, web) => {
    if (path === '/robots.txt' && !web.asked.at(-1)!.startsWith('r')) notFound(socket, path, web);
    else if (++hanging === 20) stop();
  };
  const hosts = Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? `r${i}` : `p${i}`));
  const web = await localWeb(t, Object.fromEntries(hosts.map((host) => [host, hangs])));
  // No limit of the crawl's would end it in time for the test.
  const crawl = await httpCrawl(
    t,
    hosts.map((host) => web.url(host)),
    { timeout: '10m' },
    (run) => {
      stop = () => run.requestStop('interrupted');
    },
  );
  assert.equal(hanging, 20);
  assert.equal(crawl.report.outcome, 'interrupted');
  assert.equal(crawl.report.pages, 0);
  assert.match(crawl.command('why', web.url('p1')), /still waiting/);
});

test('a stop while names hang and while sites wait for a retry is a stop now', {
  timeout: 20_000,
}, async (t) => {
  let stop = (): void => {};
  const web = await localWeb(t, {
    busy: (socket, path) => {
      socket.write(response('wait', 'retry-after: 3600', '503 Service Unavailable'));
      if (path === '/robots.txt') setImmediate(() => stop());
    },
  });
  const dns = await nameServer(t, () => 'silence');
  const seeds = ['http://silent.example/', web.url('busy')];
  const crawl = await httpCrawl(t, seeds, { dns }, (run) => {
    stop = () => run.requestStop('interrupted');
  });
  assert.equal(crawl.report.outcome, 'interrupted');
  assert.equal(web.asked.length, 1);
});
