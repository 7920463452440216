import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const MAIN = fileURLToPath(import.meta.resolve('#drumline/main.js'));
const directory = mkdtempSync(join(tmpdir(), 'drumline-cli-'));
after(() => rmSync(directory, { recursive: true, force: true }));

function drumline(...words: string[]) {
  return spawnSync(process.execPath, [MAIN, ...words], { cwd: directory, encoding: 'utf8' });
}

const WEB = 'synthetic:pages=60,sites=3,size=2000';

for (const [words, message] of [
  [['--agnets', '3'], /unknown option --agnets/],
  [['--agents', 'many', '--web', WEB], /--agents takes a whole number from 0 to 512, got 'many'/],
  [['--agents'], /--agents takes N, got nothing/],
  [['--agents', '2', '--agents', '3', '--web', WEB], /--agents is given twice/],
  [['--web', 'synthetic:pages=none'], /pages.*none/],
  [['--web', 'synthetic:colour=red'], /colour/],
  [['--web', 'gopher'], /gopher/],
  [['--web', 'disk:no-such-place'], /no-such-place/],
  [['--web', WEB, '--seeds', 'no-such-file'], /--seeds.*no-such-file/],
  [['--web', WEB, '--seed', 'mailto:me'], /--seed.*mailto:me/],
  [['--web', WEB, '--memory', '10'], /--memory takes a size of at least 8MB.*'10'/],
  [['--web', WEB, '--links', 'all'], /--links takes one of full-coverage, two-level, got 'all'/],
  [['--web', WEB, '--list-pages=yes'], /--list-pages takes no value/],
  [['--web', WEB, '--bandwidth', '5'], /--bandwidth takes a rate like 320Mbit, got '5'/],
  [['crawl', 'more'], /takes options only, got 'more'/],
  [['fly'], /unknown command 'fly'/],
  [['web'], /takes info or pack/],
  [['-x'], /unknown option -x/],
] as const) {
  test(`refuses ${words.join(' ')}`, () => {
    const { status, stderr, stdout } = drumline(...words);
    assert.equal(status, 2, stderr);
    assert.match(stderr, message);
    assert.equal(stderr.trim().split('\n').length, 1, stderr);
    assert.equal(stdout, '');
  });
}

test('crawls, prints a summary, writes the report, and refuses the directory a second time', () => {
  const words = ['--agents', '2', '--web', WEB, '--out', 'one', '--report', 'r.json', '--list-pages'];
  const { status, stdout, stderr } = drumline(...words);
  assert.equal(status, 0, stderr);
  assert.match(stdout, /coverage +1\.000/);
  const report = JSON.parse(readFileSync(join(directory, 'r.json'), 'utf8'));
  assert.deepEqual(report, JSON.parse(readFileSync(join(directory, 'one', 'report.json'), 'utf8')));
  assert.equal(report.pages, 60);
  const listed = readFileSync(join(directory, 'one', 'pages.txt'), 'utf8')
    .trim()
    .split('\n');
  assert.equal(new Set(listed).size, 60);
  assert.ok(!existsSync(join(directory, 'one', 'work')));
  const again = drumline(...words);
  assert.equal(again.status, 2);
  assert.match(again.stderr, /--out takes a new directory, got 'one'/);
});

test('reads seeds from gzip, names bad lines, and goes on', () => {
  const seed = drumline('web', 'info', WEB);
  assert.equal(seed.status, 0, seed.stderr);
  assert.match(seed.stdout, /reachable +60/);
  const [url] = readFileSync(join(directory, 'one', 'pages.txt'), 'utf8').split('\n');
  writeFileSync(join(directory, 'seeds.gz'), gzipSync(`# mine\n\n${url}\nnot a url\n`));
  const { status, stderr } = drumline('--agents', '1', '--web', WEB, '--seeds', 'seeds.gz', '--out', 'two');
  assert.equal(status, 0, stderr);
  assert.match(stderr, /seeds\.gz:4: skipped.*'not a url'/);
});

test('help and version', () => {
  assert.match(drumline('--help').stdout, /--target-pages N/);
  assert.match(drumline('--version').stdout, /^\d+\.\d+\.\d+\n$/);
});

test('the first SIGINT stops cleanly: exit 130, the report says interrupted', async () => {
  const words = [
    '--agents',
    '2',
    '--web',
    'synthetic:pages=5000',
    '--bandwidth',
    '1Mbit',
    '--out',
    'stopped',
  ];
  const child = spawn(process.execPath, [MAIN, ...words], { cwd: directory, stdio: 'ignore' });
  const ended = once(child, 'exit');
  // The signal is handled from before the agents start, and an agent's directory shows that they did.
  while (!existsSync(join(directory, 'stopped', 'work', 'agent-1'))) await setTimeout(10);
  child.kill('SIGINT');
  assert.deepEqual(await ended, [130, null]);
  const report = JSON.parse(readFileSync(join(directory, 'stopped', 'report.json'), 'utf8'));
  assert.equal(report.outcome, 'interrupted');
});
