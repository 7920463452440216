/** Names: what is private, missing, down, spelled in several ways. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { CrawlRun } from '#drumline/run/crawl-run.js';
import { nameServer } from '../web/http/name-server.js';
import { temporaryDirectory } from '../web/temporary-directory.js';
import { httpCrawl } from './http-crawl.js';
import { assertGood, goodSite, links, localWeb, pages, redirectTo } from './http-local-web.js';
import { runCrawl } from './run-crawl.js';

test('nothing private is asked without --allow-private, by name or in any notation', async (t) => {
  const dns = await nameServer(t, (_name, family) => (family === 4 ? ['127.0.0.1'] : ['::1']));
  const web = await localWeb(t, { secret: pages({ '/': 'secret' }) });
  const hosts = [
    'secret.localhost',
    'named.example',
    '127.0.0.1',
    '2130706433',
    '0x7f.1',
    '[::1]',
    '[::ffff:7f00:1]',
  ];
  const seeds = hosts.map((host) => `http://${host}:${web.port}/page`);
  const crawl = await httpCrawl(t, seeds, { 'allow-private': undefined, dns });
  assert.equal(crawl.report.outcome, 'exhausted');
  assert.deepEqual(web.asked, []);
  // Three of them are one address.
  assert.equal(crawl.report.errors['PRIVATE_ADDRESS'], 5);
  for (const seed of seeds)
    assert.match(crawl.command('why', seed), /given up with its whole site: .*PRIVATE_ADDRESS/, seed);
});

test('hosts that the DNS does not give are given up with all that leads there', async (t) => {
  const asked: string[] = [];
  const dns = await nameServer(t, (name, family) => {
    asked.push(name);
    if (name === 'missing.example') return 'NXDOMAIN';
    if (name === 'turning.example' && family === 4)
      return [asked.filter((other) => other === name).length === 1 ? '127.0.0.1' : '127.0.0.9'];
    return [];
  });
  const web = await localWeb(t, {
    from: (socket, path, local) =>
      pages({
        '/': links(
          `http://missing.example:${local.port}/a`,
          '/moved',
          `http://turning.example:${local.port}/`,
        ),
        '/moved': redirectTo(`http://empty.example:${local.port}/b`),
      })(socket, path, local),
    'turning.example': pages({ '/': links('/again'), '/again': 'still here' }),
    good: goodSite,
  });
  const crawl = await httpCrawl(t, [web.url('from'), web.url('good')], { dns });
  assertGood(crawl, web);
  assert.equal(crawl.report.errors['DNS_NOT_FOUND'], 2);
  for (const url of [`http://missing.example:${web.port}/a`, `http://empty.example:${web.port}/b`]) {
    assert.equal(crawl.last(url).reason, 'SITE_REFUSED');
    assert.match(crawl.command('why', url), /does not exist \(DNS_NOT_FOUND\)/);
  }
  // What was vetted is what is connected to, whatever the name server says next.
  assert.deepEqual(asked.filter((name) => name === 'turning.example').length, 1);
  assert.equal(crawl.last(`http://turning.example:${web.port}/again`).ip, '127.0.0.1');
});

test('a name that can not be looked up for now is asked for again; after --retries its site is refused', async (t) => {
  const asked: string[] = [];
  const dns = await nameServer(t, (name, family) => {
    asked.push(name);
    const times = asked.filter((other) => other === name).length;
    if (name === 'failing.example' || (name === 'passing.example' && times <= 3)) return 'SERVFAIL';
    return family === 4 ? ['127.0.0.1'] : [];
  });
  const web = await localWeb(t, {
    'from.example': (socket, path, { port }) =>
      pages({ '/': links(`http://failing.example:${port}/a`, `http://failing.example:${port}/b`) })(
        socket,
        path,
        web,
      ),
    'passing.example': pages({ '/': links('/page'), '/page': 'there after all' }),
    good: goodSite,
  });
  const url = (host: string, path: string): string => `http://${host}.example:${web.port}${path}`;
  const seeds = [url('from', '/'), url('passing', '/'), web.url('good')];
  const crawl = await httpCrawl(t, seeds, { dns, retries: '3' });
  assertGood(crawl, web);
  assert.equal(crawl.last(url('passing', '/page')).status, 200);
  assert.equal(crawl.report.errors['DNS_FAILED'], 1);
  assert.ok(asked.filter((name) => name === 'failing.example').length >= 4);
  for (const path of ['/a', '/b']) {
    assert.equal(crawl.last(url('failing', path)).reason, 'SITE_REFUSED');
    assert.match(crawl.command('why', url('failing', path)), /could not be looked up \(DNS_FAILED\)/);
  }
});

test('a site that waits for the DNS is not lost when the crawl is stopped', {
  timeout: 60_000,
}, async (t) => {
  let fails = 0;
  let isOut = true;
  const dns = await nameServer(t, (name, family) => {
    if (name === 'late.example' && isOut) {
      fails++;
      return 'SERVFAIL';
    }
    return family === 4 ? ['127.0.0.1'] : [];
  });
  const web = await localWeb(t, { 'late.example': pages({ '/': 'here now' }) });
  const out = join(temporaryDirectory(t), 'crawl');
  const crawl = ['crawl', '--out', out, '--agents', '1', '--memory', '64MB', '--store', 'none', '--dns', dns];
  crawl.push('--allow-private', '--host-delay', '0', '--seed', `http://late.example:${web.port}/`);
  for (const words of [crawl, ['resume', out]]) {
    const main = fileURLToPath(import.meta.resolve('#drumline/main.js'));
    const child = spawn(process.execPath, [main, ...words, '--progress', 'none'], { stdio: 'ignore' });
    const ended = once(child, 'exit');
    // The next try would be in five seconds.
    while (fails === 0) await sleep(20);
    if (isOut) child.kill('SIGINT');
    assert.deepEqual(await ended, [isOut ? 130 : 0, null], words[0]);
    isOut = false;
  }
  assert.deepEqual(web.asked, ['late.example/robots.txt', 'late.example/']);
});

test('name servers that do not answer are told of in one line', { timeout: 60_000 }, async (t) => {
  const dns = await nameServer(t, () => 'SERVFAIL');
  const said: string[] = [];
  let crawl: CrawlRun | undefined;
  const say = (message: string): void => {
    said.push(message);
    crawl!.requestStop('interrupted');
  };
  const given = { web: 'http', agents: '1', memory: '64MB', 'allow-private': null, dns, 'min-free': '0' };
  const seeds = Array.from({ length: 40 }, (_, i) => `http://host${i}.example/`);
  const begun = (run: CrawlRun): void => {
    crawl = run;
  };
  const { report } = await runCrawl(given, seeds, begun, { say });
  assert.equal(report.outcome, 'interrupted');
  assert.deepEqual(said, ['the name servers do not answer: new sites wait until they do']);
  assert.deepEqual(report.errors, {}, 'none is refused');
});

test('a host that nobody answers at is looked up again: it moved, or it is gone', async (t) => {
  const asked: string[] = [];
  const dns = await nameServer(t, (name, family) => {
    if (family === 6) return [];
    asked.push(name);
    if (asked.filter((other) => other === name).length === 1) return ['127.0.0.9'];
    return name === 'gone.example' ? 'NXDOMAIN' : ['127.0.0.1'];
  });
  const web = await localWeb(t, {
    'moving.example': pages({ '/': links('/page'), '/page': 'here now' }),
    good: goodSite,
  });
  const url = (host: string, path: string): string => `http://${host}.example:${web.port}${path}`;
  const seeds = [url('moving', '/'), url('gone', '/'), url('gone', '/page'), web.url('good')];
  const crawl = await httpCrawl(t, seeds, { dns });
  assertGood(crawl, web);
  assert.deepEqual(
    crawl.requests(url('moving', '/robots.txt')).map(({ ip, reason }) => [ip, reason]),
    [
      ['127.0.0.9', 'CONNECT'],
      ['127.0.0.1', undefined],
    ],
  );
  assert.equal(crawl.last(url('moving', '/page')).ip, '127.0.0.1');
  for (const path of ['/', '/page']) {
    assert.equal(crawl.last(url('gone', path)).reason, 'DNS_NOT_FOUND');
    assert.match(crawl.command('why', url('gone', path)), /does not exist \(DNS_NOT_FOUND\)/);
  }
});

test('names that differ in case and by a trailing dot are one site with one page', async (t) => {
  const spelled = (port: number): string[] =>
    ['MIXED.localhost', 'mixed.LOCALHOST', 'mixed.localhost.', 'Mixed.Localhost.'].map(
      (host) => `http://${host}:${port}/page`,
    );
  const web = await localWeb(t, {
    mixed: (socket, path, local) =>
      pages({ '/': links(...spelled(local.port)), '/page': 'one' })(socket, path, local),
    good: goodSite,
  });
  const crawl = await httpCrawl(t, [...spelled(web.port), web.url('good')]);
  assertGood(crawl, web);
  assert.deepEqual(web.asked.filter((asked) => !asked.startsWith('good')).sort(), [
    'mixed/',
    'mixed/page',
    'mixed/robots.txt',
  ]);
});
