/** Several `drumline resume` in one directory at once: one gets in, the others are told so, and nothing is harmed. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { temporaryDirectory } from '../web/temporary-directory.js';

const MAIN = fileURLToPath(import.meta.resolve('#drumline/main.js'));
/** `npm run torture` sets this. */
const RACES = Number(process.env['TORTURE_RACES'] ?? 1);
const PROCESSES = 6;
/** Who gets in goes on until it is killed. */
const SLOW = ['--bandwidth', '1Mbit'];
const QUIET = ['--progress', 'none'];

interface Racer {
  readonly kill: () => void;
  readonly exit: Promise<unknown>;
  code: number | null;
  told: string;
}

function resume(out: string): Racer {
  const child = spawn(process.execPath, [MAIN, 'resume', out, ...QUIET], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const racer: Racer = {
    kill: () => child.kill('SIGKILL'),
    exit: once(child, 'close').then(([code]) => {
      racer.code = code as number | null;
    }),
    code: null,
    told: '',
  };
  child.stderr.on('data', (chunk) => {
    racer.told += chunk;
  });
  return racer;
}

test('of six resume at once exactly one gets in, each time', { timeout: 30_000 * RACES }, async (t) => {
  const out = join(temporaryDirectory(t), 'crawl');
  const web = ['--agents', '1', '--web', 'synthetic:pages=5000,sites=4', ...SLOW, '--out', out];
  assert.equal(spawnSync(process.execPath, [MAIN, ...web, '--target-pages', '1', ...QUIET]).status, 0);
  for (let race = 0; race < RACES; race++) {
    const racers = Array.from({ length: PROCESSES }, () => resume(out));
    t.after(() => {
      for (const { kill } of racers) kill();
    });
    let ended = 0;
    const losers = new Promise<void>((resolve) => {
      for (const { exit } of racers) void exit.then(() => ++ended >= PROCESSES - 1 && resolve());
    });
    await losers;
    const said = racers.map(({ code, told }) => `${code}: ${told.trim()}`).join('\n');
    for (const { code, told } of racers) {
      if (code === null) continue;
      assert.equal(code, 2, `race ${race}\n${said}`);
      assert.match(told, /^drumline: .*LOCK: process \d+ is crawling here\n$/);
    }
    assert.equal(racers.filter(({ code }) => code === null).length, 1, `race ${race}\n${said}`);
    // The next race finds the lock of a dead process.
    for (const { kill, exit } of racers) {
      kill();
      await exit;
    }
  }
});
