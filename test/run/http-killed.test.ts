/** Pauses that hosts were granted hold after an agent died and after kill -9, by the log of the server itself. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { suite, type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { temporaryDirectory } from '../web/temporary-directory.js';
import { httpCrawl } from './http-crawl.js';
import { links } from './http-local-web.js';

const MAIN = fileURLToPath(import.meta.resolve('#drumline/main.js'));
const HOST_DELAY = 400;
/** What hosts ask for, in seconds: by robots.txt, and with each answer. */
const CRAWL_DELAY = 1.5;
const RETRY_AFTER = 2;
/** So long that it is kept on disk. */
const LONG = 15;
/** An answer that came so shortly before the end may not have been read: then nobody knows what it asked for. */
const UNREAD_MS = 400;

interface Request {
  readonly path: string;
  readonly started: number;
  readonly ended: number;
}

/** Hosts whose pages lead on and on, and what each was asked. */
class PatientWeb {
  readonly requests = new Map<string, Request[]>();
  port = 0;
  readonly #kills: number[] = [];

  async listen(t: TestContext): Promise<this> {
    const server = createServer((request, response) => {
      const host = request.headers.host!.split('.')[0]!;
      const path = request.url!;
      const started = performance.now();
      const after = host === 'busy' ? RETRY_AFTER : host === 'long' && path !== '/robots.txt' ? LONG : 0;
      response.writeHead(200, {
        'content-type': path === '/robots.txt' ? 'text/plain' : 'text/html',
        ...(after > 0 ? { 'retry-after': `${after}` } : {}),
      });
      // Written down before the last byte is sent, so the crawler can't know of the end earlier.
      this.of(host).push({ path, started, ended: performance.now() });
      if (path === '/robots.txt')
        response.end(host === 'slow' ? `user-agent: *\ncrawl-delay: ${CRAWL_DELAY}\n` : '');
      else response.end(links(`${path}x`));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    t.after(() => {
      server.closeAllConnections();
      server.close();
    });
    this.port = (server.address() as AddressInfo).port;
    return this;
  }

  of(host: string): Request[] {
    if (!this.requests.has(host)) this.requests.set(host, []);
    return this.requests.get(host)!;
  }

  get seeds(): string[] {
    return ['slow', 'busy', 'long', 'plain'].map((host) => `http://${host}.localhost:${this.port}/`);
  }

  /** Waits until each host had so many requests more than it has now; false if `isOver` before. */
  async more(count: number, hosts: readonly string[], isOver: () => boolean): Promise<boolean> {
    const wanted = hosts.map((host) => [host, this.of(host).length + count] as const);
    while (!wanted.every(([host, least]) => this.of(host).length >= least)) {
      if (isOver()) return false;
      await sleep(20);
    }
    return true;
  }

  /** To be called right before. */
  async noteKill(): Promise<void> {
    await sleep(UNREAD_MS);
    this.#kills.push(performance.now());
  }

  assertPatient(): void {
    const least = (host: string, path: string): number => {
      if (host === 'slow') return 1000 * CRAWL_DELAY;
      if (host === 'busy') return 1000 * RETRY_AFTER;
      return host === 'long' && path !== '/robots.txt' ? 1000 * LONG : HOST_DELAY;
    };
    for (const [host, requests] of this.requests) {
      for (const [i, { path, started }] of requests.entries()) {
        const before = requests[i - 1];
        if (before === undefined) continue;
        const kept = started - before.ended;
        const isUnread = this.#kills.some((at) => before.ended > at - UNREAD_MS && started > at);
        const wanted = isUnread ? HOST_DELAY : least(host, before.path);
        assert.ok(kept >= wanted, `${host}${path} after ${before.path}: ${kept} ms`);
      }
    }
  }
}

suite('pauses outlive', { concurrency: true }, () => {
  test('kill -9 before the first checkpoint: no host is asked earlier than it was granted', {
    timeout: 60_000,
  }, async (t) => {
    const web = await new PatientWeb().listen(t);
    const out = join(temporaryDirectory(t), 'crawl');
    const crawl = ['crawl', '--out', out, '--agents', '2', '--memory', '64MB', '--store', 'none']
      .concat('--allow-private', '--host-delay', `${HOST_DELAY}ms`, '--ip-delay', '0')
      .concat(web.seeds.flatMap((seed) => ['--seed', seed]));
    for (const words of [crawl, ['resume', out]]) {
      const child = spawn(process.execPath, [MAIN, ...words, '--progress', 'none'], { stdio: 'ignore' });
      const ended = once(child, 'exit');
      const hosts = ['slow', 'busy', 'plain', ...(words === crawl ? ['long'] : [])];
      const isGoing = await web.more(2, hosts, () => child.exitCode !== null);
      await web.noteKill();
      child.kill('SIGKILL');
      await ended;
      assert.ok(isGoing, `drumline ${words[0]} goes on`);
    }
    assert.equal(web.of('long').length, 2, 'robots.txt and one page');
    web.assertPatient();
  });

  test('agents that die: no host is asked earlier than it was granted', { timeout: 60_000 }, async (t) => {
    const web = await new PatientWeb().listen(t);
    const crawl = await httpCrawl(t, web.seeds, { 'host-delay': `${HOST_DELAY}ms` }, (run) => {
      void (async () => {
        await web.more(2, ['slow', 'busy', 'plain', 'long'], () => false);
        await web.noteKill();
        for (const agent of [0, 1]) while (!run.killAgent(agent)) await sleep(5);
        await web.more(2, ['slow', 'busy', 'plain'], () => false);
        run.requestStop('interrupted');
      })();
    });
    assert.equal(crawl.report.restarts, 2);
    assert.equal(web.of('long').length, 2, 'robots.txt and one page');
    web.assertPatient();
  });
});
