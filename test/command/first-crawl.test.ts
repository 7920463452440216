/** What a new user meets: the program as a process, and a server on loopback. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { closedPort } from '../web/http/closed-port.js';
import { rawServer, response } from '../web/http/raw-server.js';
import { temporaryDirectory } from '../web/temporary-directory.js';
import { type Ended, runDrumline } from './run-drumline.js';

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

const drumline = (out: string, words: readonly string[], contact?: string): Promise<Ended> =>
  runDrumline([...words, ...QUICK, '--out', out], contact);

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

test('the report says how long hosts were left alone, and by which option', async (t) => {
  const server = await site(t);
  const out = join(temporaryDirectory(t), 'crawl');
  const words = [`http://127.0.0.1:${server.port}/`, '--agents', '1', '--min-free', '0', '--allow-private'];
  // Even an answer that takes long makes a pause of no more than ten times --host-delay.
  const delays = ['--host-delay', '1ms', '--ip-delay', '800ms'];
  const { status } = await runDrumline([...words, ...delays, '--progress', 'none', '--out', out]);
  assert.equal(status, 0);
  const { politeness } = JSON.parse(readFileSync(join(out, 'report.json'), 'utf8'));
  assert.ok(politeness.share > 0);
  assert.equal(politeness.by, 'ipDelayMs');
});

/** A server that answers every path but robots.txt so. */
const answering = (
  t: TestContext,
  answer: Buffer,
  robots = response('', 'content-type: text/plain', '404 Not Found'),
) => rawServer(t, (socket, head) => socket.write(head.startsWith('GET /robots.txt ') ? robots : answer));

test('a new crawl without a page says why and what to do, in a line, and exits with 1', async (t) => {
  const path = temporaryDirectory(t);
  const page = response('<p>here</p>');
  const closed = await closedPort();
  const loop = (await answering(t, response('', 'location: /next', '302 Found'))).port;
  const away = (await answering(t, response('', 'location: http://away.localhost/', '302 Found'))).port;
  const missing = (await answering(t, response('', 'content-type: text/html', '404 Not Found'))).port;
  const pdf = (await answering(t, response('%PDF', 'content-type: application/pdf'))).port;
  const rules = response('user-agent: *\ndisallow: /', 'content-type: text/plain');
  const refusing = (await answering(t, page, rules)).port;
  const cases: [string[], RegExp][] = [
    [[`http://127.0.0.1:${missing}/`], /the answer has status 404; look whether the URL is right$/],
    [
      [`http://127.0.0.1:${pdf}/`],
      /its content type is none of --accept \(application\/pdf\); add its type to --accept$/,
    ],
    [
      [`http://127.0.0.1:${refusing}/`],
      /robots\.txt of its origin disallows it \(.*disallow: \/.*\); its rules are kept/i,
    ],
    [
      [`http://127.0.0.1:${away}/`],
      /http:\/\/127.0.0.1:\d+\/ redirects there, and it is on no host of the seeds .*; start there instead/,
    ],
    [[`http://127.0.0.1:${loop}/`, '--max-redirects', '0'], /more redirects in a row than --max-redirects/],
    [['http://no-such-name.invalid/'], /the name of its host .*; look /],
    [
      [`http://127.0.0.1:${closed}/`, '--retries', '0'],
      /robots\.txt of its origin could not be fetched.*\(no connection could be made\); look whether its server runs/,
    ],
    [
      [
        'http://a.example/',
        '--proxy',
        `http://127.0.0.1:${closed}/`,
        '--contact',
        'me@example.org',
        '--retries',
        '0',
      ],
      /look at the proxy, --proxy http:\/\/127\.0\.0\.1:\d+\/$/,
    ],
  ];
  await Promise.all(
    cases.map(async ([words, said], i) => {
      const { status, stderr, stdout } = await drumline(join(path, `${i}`), [...words, '--timeout', '2s']);
      const lines = stderr
        .trim()
        .split('\n')
        .filter((line) => !line.includes('without a --contact'));
      assert.deepEqual([status, lines.length], [1, 1], stderr);
      assert.match(lines[0]!, /^drumline: no page was fetched: http:/);
      assert.match(lines[0]!, said);
      assert.match(
        stdout,
        /\n {2}[A-Z_0-9]+ 1: .*; first http:.*\n {2}drumline why \S+ --crawl \S+ says more\n/,
      );
    }),
  );
});

test('a private address that may not be asked is named with the option', async (t) => {
  const out = join(temporaryDirectory(t), 'crawl');
  const words = ['http://127.0.0.1:8080/', '--agents', '1', '--min-free', '0', '--progress', 'none'];
  const { status, stderr } = await runDrumline([...words, '--out', out]);
  assert.equal(status, 1);
  assert.match(
    stderr,
    /^drumline: no page was fetched: http:\/\/127\.0\.0\.1:8080\/: .*private address.*; give --allow-private/m,
  );
});
