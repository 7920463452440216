/** Politeness as the servers see it: 200 hosts on few addresses, 4 agents. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nameServer } from '../web/http/name-server.js';
import { httpCrawl } from './http-crawl.js';
import { type CrowdServer, crowdServer } from './http-crowd-server.js';
import { links } from './http-local-web.js';

const HOSTS = 200;
const PAGES = 4;
const HOST_DELAY = 100;
const CRAWL_DELAY = 250;
const ADDRESSES = Array.from({ length: 8 }, (_, i) => `127.0.0.${i + 1}`);
const hostOf = (i: number): string => `h${i % HOSTS}.example`;
const asksForMore = (host: string): boolean => /[05]\.example$/.test(host);

/** Pages of a host lead to each other, on either port, and to the hosts around. */
function page(host: string, path: string, ports: readonly number[]): string | null {
  const i = Number(host.slice(1, host.indexOf('.')));
  if (path === '/robots.txt')
    return asksForMore(host) ? `user-agent: *\ncrawl-delay: ${CRAWL_DELAY / 1000}\n` : null;
  const number = path === '/' ? 0 : Number(path.slice(2));
  const inside = Array.from({ length: PAGES - 1 }, (_, k) => `http://${host}:${ports[k % 2]}/p${k + 1}`);
  const outside = [2 * i + 1, 2 * i + 2].map((k) => `http://${hostOf(k)}:${ports[0]}/p${number}`);
  return links(...inside, ...outside);
}

function assertPolite({ requests }: CrowdServer): void {
  const last = new Map<string, { url: string; ended: number }>();
  for (const { host, url, started, ended } of requests) {
    const before = last.get(host);
    const what = `${host}: ${url} after ${before?.url}`;
    if (before !== undefined) {
      assert.ok(before.ended > 0 && before.ended <= started, `${what}: two at once`);
      const delay = asksForMore(host) ? CRAWL_DELAY : HOST_DELAY;
      assert.ok(started - before.ended >= delay, `${what}: ${started - before.ended} ms`);
    }
    last.set(host, { url, ended });
  }
}

test('no host is asked twice at once or too early, by the audit and by the server', async (t) => {
  const server = await crowdServer(t, ADDRESSES, (host, _port, path) => {
    const body = page(host, path, server.ports);
    // Answers that take their time, so that requests could overlap.
    return body === null ? null : { body, wait: (host.length * 7 + path.length * 3) % 12 };
  });
  const dns = await nameServer(t, (name, family) =>
    family === 4 ? [ADDRESSES[Number(name.slice(1, name.indexOf('.'))) % ADDRESSES.length]!] : [],
  );
  const seeds = Array.from({ length: 10 }, (_, i) => `http://${hostOf(i * 20)}:${server.ports[0]}/`);
  const crawl = await httpCrawl(t, seeds, {
    dns,
    agents: '4',
    timeout: '20s',
    'host-delay': `${HOST_DELAY}ms`,
    'ip-delay': '3ms',
  });
  assert.equal(crawl.report.outcome, 'exhausted');
  assert.equal(crawl.report.sites, HOSTS);
  assert.ok(crawl.report.pages >= HOSTS * PAGES, `${crawl.report.pages} pages`);
  assertPolite(server);
  const audit = crawl.command('audit');
  assert.match(audit, /\n0 violations\n$/);
  assert.match(audit, new RegExp(`${HOSTS} hosts on ${ADDRESSES.length} addresses`));
  const logged = crawl.log.filter(({ started }) => started !== undefined).length;
  assert.equal(logged, server.requests.length);
});
