import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Results } from '#drumline/evaluate/results-file.js';

const MAIN = fileURLToPath(import.meta.resolve('#drumline/main.js'));
const directory = mkdtempSync(join(tmpdir(), 'drumline-evaluate-'));
after(() => rmSync(directory, { recursive: true, force: true }));

const evaluate = (...words: string[]) =>
  spawnSync(process.execPath, [MAIN, 'evaluate', ...words], { cwd: directory, encoding: 'utf8' });

const SMALL = [
  '--figures',
  '8',
  '--repeat',
  '1',
  '--max-duration',
  '2s',
  '--web',
  'synthetic:pages=400,size=2000',
];

for (const [words, message] of [
  [['--figures', '6'], /--figures takes numbers of 7,8,9,10,11,12, got '6'/],
  [['--repeat', '0'], /--repeat takes a whole number from 1, got '0'/],
  [['--web', 'http'], /--web http/],
  [['--links', 'two-level'], /evaluate (does not take|takes) .*--links/],
  [['--model', 'no-such-place'], /--model takes 'paper' or the directory of a finished evaluation/],
  [['--model', 'paper', '--pages', 'all'], /--pages takes a number of pages/],
  [['--model', 'paper', '--quick'], /--quick goes with crawls/],
  [['more'], /takes options only, got 'more'/],
] as const) {
  test(`refuses evaluate ${words.join(' ')}`, () => {
    const { status, stderr } = evaluate(...words);
    assert.equal(status, 2, stderr);
    assert.match(stderr, message);
    assert.equal(existsSync(join(directory, 'evaluation')), false);
  });
}

test("answers from the paper's model", () => {
  const { status, stdout } = evaluate('--model', 'paper', '--agents', '31', '--total-bandwidth', '10Gbit');
  assert.equal(status, 0);
  assert.match(stdout, /asked for +7\.35 days +47,246 pages\/s with 31 agents/);
  assert.match(stdout, /fed +31 agents +by 10 Gbit\/s at 320 Mbit\/s each/);
  assert.match(evaluate('--model', 'paper', '--agents', '180').stdout, /asked for +55\.90 hours/);
});

test('killed in the middle and started again, repeats no finished crawl', async () => {
  const out = join(directory, 'killed');
  const results = (): Results | null =>
    existsSync(join(out, 'results.json'))
      ? (JSON.parse(readFileSync(join(out, 'results.json'), 'utf8')) as Results)
      : null;
  const first = spawn(process.execPath, [MAIN, 'evaluate', ...SMALL, '--out', out], { stdio: 'ignore' });
  const ended = once(first, 'exit');
  while ((results()?.runs.length ?? 0) < 2 && first.exitCode === null) await setTimeout(20);
  first.kill('SIGKILL');
  await ended;
  const before = results()!;
  assert.ok(before.runs.length >= 2 && before.findings === null, `${before.runs.length} crawls`);
  const { status, stderr, stdout } = evaluate(...SMALL, '--out', out);
  assert.equal(status, 0, stderr);
  const after = results()!;
  assert.deepEqual(after.runs.slice(0, before.runs.length), before.runs);
  assert.deepEqual(after.calibration, before.calibration);
  assert.deepEqual(
    after.runs.map(({ agents }) => agents),
    [0, 1, 2, 3, 5, 7],
  );
  assert.equal(stderr.trim().split('\n').length, 6 - before.runs.length, stderr);
  assert.match(stdout, /7 agents are so many times as fast as 1 agent/);
  assert.deepEqual(readdirSync(out).sort(), [
    'communication.csv',
    'figure-8.csv',
    'report.html',
    'results.json',
  ]);
  const other = evaluate(...SMALL, '--repeat', '2', '--out', out);
  assert.equal(other.status, 2);
});
