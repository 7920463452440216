/** What signals do to a whole process. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { StopSignals } from '#drumline/command/stop-signals.js';
import { temporaryDirectory } from '../web/temporary-directory.js';

const MAIN = fileURLToPath(import.meta.resolve('#drumline/main.js'));
/** A minute's worth of pages. */
const SLOW = ['--agents', '1', '--web', 'synthetic:pages=400,sites=4', '--bandwidth', '1Mbit'];

function start(t: TestContext, ...words: string[]): { child: ChildProcess; exit: Promise<unknown[]> } {
  const child = spawn(process.execPath, [MAIN, ...words, '--progress', 'none'], { stdio: 'ignore' });
  t.after(() => child.kill('SIGKILL'));
  return { child, exit: once(child, 'exit') };
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await setTimeout(5);
}

test('the first checkpoint is made as soon as a page is stored; SIGUSR1 and SIGUSR2 do nothing, SIGHUP stops cleanly', {
  timeout: 30_000,
}, async (t) => {
  const out = join(temporaryDirectory(t), 'crawl');
  const { child, exit } = start(t, ...SLOW, '--out', out, '--store', 'warc', '--checkpoint-interval', '1h');
  await until(() => existsSync(join(out, 'CURRENT')));
  assert.ok(readdirSync(join(out, 'warc')).length > 0);
  child.kill('SIGUSR1');
  child.kill('SIGUSR2');
  await setTimeout(100);
  assert.equal(child.exitCode ?? child.signalCode, null);
  child.kill('SIGHUP');
  assert.deepEqual(await exit, [130, null]);
  assert.equal(JSON.parse(readFileSync(join(out, 'report.json'), 'utf8')).outcome, 'interrupted');
});

test('a SIGINT while resume loads its code is not lost', { timeout: 30_000 }, async (t) => {
  const out = join(temporaryDirectory(t), 'crawl');
  const words = [MAIN, ...SLOW, '--out', out, '--target-pages', '1', '--progress', 'none'];
  assert.equal(spawnSync(process.execPath, words).status, 0);
  const { child, exit } = start(t, 'resume', out);
  await until(() => existsSync(join(out, 'LOCK')));
  child.kill('SIGINT');
  assert.deepEqual(await exit, [130, null]);
  assert.ok(existsSync(join(out, 'CURRENT')));
});

test('a signal counts from the beginning, and what it means can change', () => {
  const seen: string[] = [];
  const signals = new StopSignals(() => seen.push('at the beginning'));
  process.emit('SIGHUP');
  signals.onSecond(() => seen.push('second'));
  process.emit('SIGTERM');
  signals.close();
  assert.deepEqual(seen, ['at the beginning', 'second']);
});
