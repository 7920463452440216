/** SIGINT to a whole process whose servers hang, drip and never end: it stops within seconds, and can be resumed. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { nameServer } from '../web/http/name-server.js';
import { response, sendForever } from '../web/http/raw-server.js';
import { type LocalWeb, links, localWeb, notFound, redirectTo, type Site } from './http-local-web.js';

const MAIN = fileURLToPath(import.meta.resolve('#drumline/main.js'));
/** The bound on a stop, whatever the servers do. */
const LONGEST_STOP = 10_000;
const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n';

/** Answers for robots.txt are like those for pages where `robots` says so. */
const only = (answer: Site, robots = false): Site => {
  return (socket, path, web) => (path === '/robots.txt' && !robots ? notFound : answer)(socket, path, web);
};

const drip =
  (head: string): Site =>
  (socket) => {
    socket.write(head);
    const timer = setInterval(() => socket.write('x'), 20);
    socket.on('close', () => clearInterval(timer));
  };

const BAD: Readonly<Record<string, Site>> = {
  silent: only(() => {}),
  robots: only(() => {}, true),
  dripping: only(drip(`${HEAD}\r\n`)),
  headers: only(drip(`${HEAD}x-long: `)),
  endless: only((socket) => {
    socket.write(`${HEAD}\r\n`);
    sendForever(socket, Buffer.alloc(65_536, ' '));
  }),
  busy: only((socket) => socket.write(response('', 'retry-after: 3600', '503 Service Unavailable'))),
  ring: only((socket, path) => socket.write(redirectTo(`${path}x`))),
  tree: only((socket, path) =>
    socket.write(response(links(...Array.from({ length: 9 }, (_, i) => `${path}${i}`)))),
  ),
};

/** Takes connections and says nothing, not even for TLS. */
async function deafServer(t: TestContext): Promise<number> {
  const server = createServer((socket) => socket.on('error', () => {})).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  return (server.address() as { port: number }).port;
}

/** Starts drumline on all of them; `stop` sends SIGINT and waits for the end. */
async function start(t: TestContext, web: LocalWeb, ...more: string[]) {
  const directory = mkdtempSync(join(tmpdir(), 'drumline-signals-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  const out = join(directory, 'crawl');
  const dns = await nameServer(t, () => 'silence');
  const seeds = [
    ...Object.keys(BAD).map((host) => web.url(host, '/0')),
    `https://deaf.localhost:${await deafServer(t)}/`,
    'http://unanswered.example/',
  ];
  const options =
    `--contact mailto:test@example.org --agents 3 --allow-private --host-delay 0s --ip-delay 0s --timeout 10m ` +
    `--max-body 1GB --memory 64MB --progress none --dns ${dns}`;
  const words = [...options.split(' '), ...more, ...seeds.flatMap((seed) => ['--seed', seed]), '--out', out];
  const child = spawn(process.execPath, [MAIN, ...words], { stdio: 'ignore' });
  t.after(() => child.kill('SIGKILL'));
  const ended = once(child, 'exit');
  const stop = async (): Promise<void> => {
    child.kill('SIGINT');
    const abort = new AbortController();
    const late = sleep(LONGEST_STOP, 'late', { signal: abort.signal }).catch(() => 'late');
    const result = await Promise.race([ended, late]);
    abort.abort();
    assert.deepEqual(result, [130, null]);
    const report = JSON.parse(readFileSync(join(out, 'report.json'), 'utf8')) as { outcome: string };
    assert.equal(report.outcome, 'interrupted');
  };
  return { out, stop };
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await sleep(5);
}

test('SIGINT ends a crawl whose servers never end', { timeout: 30_000 }, async (t) => {
  const web = await localWeb(t, BAD);
  const { stop, out } = await start(t, web);
  await until(() =>
    Object.keys(BAD).every((host) => web.asked.some((asked) => asked.startsWith(`${host}/`))),
  );
  await stop();
  assert.ok(existsSync(join(out, 'CURRENT')), 'a checkpoint to resume from');
});

test('SIGINT ends it in the middle of a checkpoint too', { timeout: 30_000 }, async (t) => {
  const web = await localWeb(t, BAD);
  // The next begins as soon as one is done, so the signal comes while one is made.
  const { stop, out } = await start(t, web, '--checkpoint-interval', '1ms');
  await until(() => existsSync(join(out, 'CURRENT')) && web.asked.length > 40);
  await stop();
});
