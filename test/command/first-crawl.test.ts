/** What a new user meets: the program as a process, and a server on loopback. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { rawServer, response } from '../web/http/raw-server.js';
import { temporaryDirectory } from '../web/temporary-directory.js';

const MAIN = fileURLToPath(import.meta.resolve('#drumline/main.js'));
const QUICK = [
  '--agents',
  '1',
  '--min-free',
  '0',
  '--allow-private',
  '--host-delay',
  '0',
  '--retry-delay',
  '10ms',
  '--progress',
  'none',
];

async function drumline(out: string, words: readonly string[], contact?: string) {
  const { DRUMLINE_CONTACT: _, ...rest } = process.env;
  const env = contact === undefined ? rest : { ...rest, DRUMLINE_CONTACT: contact };
  const child = spawn(process.execPath, [MAIN, ...words, ...QUICK, '--out', out], { env });
  const said = Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  const [stdout, stderr, [status]] = await said;
  return { stdout, stderr, status: status as number };
}

/** A site of two pages that also links to another host. */
async function site(t: TestContext) {
  return rawServer(t, (socket, head, { port }) => {
    const path = head.split(' ')[1]!;
    const links = `<a href="/b"></a><a href="http://other.localhost:${port}/"></a>`;
    socket.write(
      path === '/robots.txt' ? response('', 'content-type: text/plain', '404 Not Found') : response(links),
    );
  });
}

test('drumline URL crawls that site, and loopback needs no contact', async (t) => {
  const server = await site(t);
  const out = join(temporaryDirectory(t), 'crawl');
  const { status, stderr, stdout } = await drumline(out, [`http://127.0.0.1:${server.port}/`]);
  assert.deepEqual([status, stderr], [0, '']);
  assert.match(stdout, /pages +2\n/);
  assert.match(server.requests[0]!, /^user-agent: drumline\/[\d.]+\r$/m);
  const options = JSON.parse(readFileSync(join(out, 'options.json'), 'utf8'));
  assert.deepEqual([options['same-host'], options.contact], [true, '']);
});

test('DRUMLINE_CONTACT is sent along, and one of nobody is asked for in a line', async (t) => {
  const server = await site(t);
  const path = temporaryDirectory(t);
  const url = `http://127.0.0.1:${server.port}/`;
  assert.equal((await drumline(join(path, 'known'), [url], 'me@example.org')).status, 0);
  assert.match(server.requests[0]!, /^user-agent: drumline\/[\d.]+ \(\+me@example\.org\)\r$/m);
  const words = [url, '--seed', 'http://no-such-host.invalid/'];
  const { stderr } = await drumline(join(path, 'unknown'), words);
  assert.match(
    stderr,
    /^drumline: without a --contact \(or DRUMLINE_CONTACT\) .* like --contact mailto:you@example\.org$/m,
  );
});
