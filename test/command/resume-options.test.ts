/** What may be given to a crawl that goes on: more seeds, scope, politeness. */
import assert from 'node:assert/strict';
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { joinOptions, lastingOptions } from '#drumline/command/resume-options.js';
import { rawServer, response } from '../web/http/raw-server.js';
import { temporaryDirectory } from '../web/temporary-directory.js';
import { runDrumline } from './run-drumline.js';

test('given rules are added, other options replace, and stop conditions do not last', () => {
  const saved = [
    ['seed', 'http://a.example/'],
    ['exclude', '*.pdf'],
    ['same-host', null],
    ['host-delay', '1s'],
    ['target-pages', '9'],
  ] as const;
  const given = [
    ['include', '*/x.pdf'],
    ['same-domain', null],
    ['host-delay', '2s'],
    ['max-duration', '1h'],
  ] as const;
  const lasting = [saved[0], saved[1], given[0], given[1], given[2]];
  assert.deepEqual(joinOptions(saved, given), [...lasting, given[3]]);
  assert.deepEqual(lastingOptions(saved, given), lasting);
});

const PAGES: Record<string, string> = {
  '/': '<a href="/x/1"></a><a href="/a"></a><a href="/b"></a>',
  '/a': '<a href="/x/1"></a><a href="/y"></a>',
  '/b': '',
  '/x/1': '',
  '/y': '<a href="/x/1"></a>',
};

/** A crawl of one page without /x/, stopped there. */
async function begun(t: TestContext) {
  const asked: string[] = [];
  const server = await rawServer(t, (socket, head) => {
    const path = head.split(' ')[1]!;
    if (path !== '/robots.txt') asked.push(`${/host: ([^:\r]+)/i.exec(head)![1]}${path}`);
    const page = PAGES[path];
    socket.write(
      page === undefined ? response('', 'content-type: text/plain', '404 Not Found') : response(`<p>${page}`),
    );
  });
  const out = join(temporaryDirectory(t), 'crawl');
  const words = `http://127.0.0.1:${server.port}/ --agents 1 --min-free 0 --allow-private --host-delay 0 --progress none --out ${out}`;
  const { status, stderr } = await runDrumline([
    ...words.split(' '),
    '--exclude',
    '*/x/*',
    '--target-pages',
    '1',
  ]);
  assert.equal(status, 0, stderr);
  assert.deepEqual(asked.splice(0), ['127.0.0.1/']);
  const resume = async (...more: string[]): Promise<string[]> => {
    const ended = await runDrumline(['resume', out, '--progress', 'none', ...more]);
    assert.equal(ended.status, 0, ended.stderr);
    return asked.splice(0).sort();
  };
  const logged = (url: string): string[] =>
    readFileSync(join(out, 'crawl.log'), 'utf8')
      .split('\n')
      .filter((line) => line.includes(`"url":"http://127.0.0.1:${server.port}${url}"`));
  return { logged, out, port: server.port, resume };
}

test('a wider scope holds for what is found from then on, a narrower one for what waits', async (t) => {
  const { logged, resume } = await begun(t);
  assert.deepEqual(await resume('--include', '*/x/*', '--exclude', '*/b'), [
    '127.0.0.1/a',
    '127.0.0.1/x/1',
    '127.0.0.1/y',
  ]);
  assert.match(logged('/b').join(), /"reason":"SCOPE_EXCLUDE"/);
  const [leftOut, fetched, ...more] = logged('/x/1');
  assert.match(leftOut!, /"reason":"SCOPE_EXCLUDE"/);
  assert.match(fetched!, /"status":200/);
  assert.deepEqual(more, []);
});

test('what is left out is logged once a URL, however often it is found', async (t) => {
  const { logged, resume } = await begun(t);
  assert.deepEqual(await resume(), ['127.0.0.1/a', '127.0.0.1/b', '127.0.0.1/y']);
  assert.equal(logged('/x/1').length, 1);
});

test('more seeds are crawled by a crawl that goes on, and lasting options last', async (t) => {
  const { out, port, resume } = await begun(t);
  // A crash may have cut a seed off.
  appendFileSync(join(out, 'seeds.txt'), 'http://cut-o');
  const seed = `http://new.localhost:${port}/x/1`;
  assert.equal((await resume('--seed', seed, '--host-delay', '2ms', '--target-pages', '2')).length, 1);
  const options = JSON.parse(readFileSync(join(out, 'options.json'), 'utf8'));
  assert.deepEqual([options['host-delay'], options.least['host-delay']], [2, 0]);
  const rest = await resume();
  assert.ok(rest.length >= 3, rest.join());
  const lines = readFileSync(join(out, 'crawl.log'), 'utf8').split('\n');
  const fetched = lines.filter((line) => line.includes('"status":200')).map((line) => JSON.parse(line).url);
  assert.ok(fetched.includes(seed), 'a seed is in scope, whatever the rules say');
  assert.ok(!fetched.includes(`http://127.0.0.1:${port}/x/1`));
  const over = await runDrumline(['resume', out, '--seed', 'http://late.example/']);
  assert.equal(over.status, 2);
  assert.match(over.stderr, /--seed is for a crawl that goes on; nothing is left of .*: begin another/);
});

test('the pace of a crawl that goes on without a contact can not be set below the defaults', async (t) => {
  const out = join(temporaryDirectory(t), 'crawl');
  const words = [
    'http://a.invalid/',
    '--agents',
    '1',
    '--min-free',
    '0',
    '--max-duration',
    '0',
    '--progress',
    'none',
  ];
  await runDrumline([...words, '--out', out]);
  const { status, stderr } = await runDrumline(['resume', out, '--host-delay', '10ms']);
  assert.equal(status, 2);
  assert.match(stderr, /--host-delay takes at least 1s without a --contact/);
});
