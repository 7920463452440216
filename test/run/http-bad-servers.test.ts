/** Crawls of sites that have one page each that breaks off, drips, lies or never ends, beside a good site. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { BAD_ANSWERS, HEAD } from '../web/http/bad-answers.js';
import { response, sendForever } from '../web/http/raw-server.js';
import { httpCrawl } from './http-crawl.js';
import { assertGood, goodSite, links, localWeb, pages, type Site } from './http-local-web.js';

/** `/` leads to the bad page and to one behind it. */
const withBadPage = (bad: Site): Site =>
  pages({ '/': links('/bad', '/after'), '/bad': bad, '/after': 'good' });

test('every bad answer stands in crawl.log with its reason, and all else is crawled', async (t) => {
  const bad = BAD_ANSWERS.map((answer, i) => ({ ...answer, host: `bad${i}` }));
  const sites = bad.map(({ host, answer }): [string, Site] => [
    host,
    withBadPage((socket) => answer(socket, '', { port: 0, connections: 0, requests: [] })),
  ]);
  const web = await localWeb(t, { ...Object.fromEntries(sites), good: goodSite });
  const seeds = ['good', ...bad.map(({ host }) => host)].map((host) => web.url(host));
  const crawl = await httpCrawl(t, seeds);
  assertGood(crawl, web);
  for (const { host, name, failure, isTemporary, status = 0 } of bad) {
    const url = web.url(host, '/bad');
    const line = crawl.last(url);
    // The crawl has one limit for all of a request.
    assert.equal(line.reason, failure.endsWith('TIMEOUT') ? 'TIMEOUT' : failure, name);
    assert.equal(line.status, status, name);
    assert.equal(line.willRetry, undefined, name);
    assert.equal(crawl.requests(url).length, isTemporary ? 2 : 1, name);
    assert.equal(crawl.last(web.url(host, '/after')).status, 200, name);
  }
  assert.match(
    crawl.command('why', web.url('bad0', '/bad')),
    /given up: the server broke the connection off \(RESET\).*after 2 requests\nfound on .*, at depth 1/s,
  );
});

test('bodies without end and bombs are cut, and their links are taken', async (t) => {
  const head = Buffer.from(`${links('/linked')}${' '.repeat(999_000)}`);
  const ball = gzipSync(Buffer.alloc(1_000_000, ' '));
  const bomb = Buffer.concat([gzipSync(head), ...Array.from({ length: 999 }, () => ball)]);
  assert.ok(bomb.length < 1_100_000, `${bomb.length} bytes`);
  const web = await localWeb(t, {
    endless: pages({
      '/': (socket) => {
        socket.write(`${HEAD}\r\n${links('/linked')}`);
        sendForever(socket, Buffer.alloc(16_384, ' '));
      },
      '/linked': 'good',
    }),
    bomb: pages({ '/': response(bomb, 'content-encoding: gzip'), '/linked': 'good' }),
    good: goodSite,
  });
  const crawl = await httpCrawl(t, [web.url('endless'), web.url('bomb'), web.url('good')], {
    'max-body': '1MB',
    timeout: '5s',
  });
  assertGood(crawl, web);
  for (const host of ['endless', 'bomb']) {
    assert.equal(crawl.last(web.url(host)).bytes, 1_000_000, host);
    assert.equal(crawl.last(web.url(host, '/linked')).status, 200, host);
  }
});

test('a host that nobody listens on is given up at its robots.txt', async (t) => {
  const web = await localWeb(t, { good: goodSite });
  const closed = createServer().listen(0, '127.0.0.1');
  await once(closed, 'listening');
  const { port } = closed.address() as { port: number };
  closed.close();
  await once(closed, 'close');
  const down = `http://down.localhost:${port}`;
  const crawl = await httpCrawl(t, [`${down}/page`, web.url('good')]);
  assertGood(crawl, web);
  assert.deepEqual(
    crawl.requests(`${down}/robots.txt`).map(({ reason, willRetry }) => [reason, willRetry]),
    [
      ['CONNECT', true],
      ['CONNECT', undefined],
    ],
  );
  for (const path of ['/', '/page']) assert.equal(crawl.last(`${down}${path}`).reason, 'ROBOTS_UNREACHABLE');
});
