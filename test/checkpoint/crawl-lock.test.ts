/** Of processes that want one directory at once, exactly one gets it, whatever was left there. */
import assert from 'node:assert/strict';
import { type ChildProcess, fork, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { linkSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { CrawlLock } from '#drumline/checkpoint/crawl-lock.js';
import { temporaryDirectory } from '../web/temporary-directory.js';

const TAKER = fileURLToPath(new URL('./lock-taker.js', import.meta.url));
const LOCK_MODULE = import.meta.resolve('#drumline/checkpoint/crawl-lock.js');
const TAKERS = 6;
const ROUNDS = 20;

/** Leaves the lock of a process that is dead. */
function dieWith(path: string): void {
  const code = `import { CrawlLock } from '${LOCK_MODULE}'; CrawlLock.take(process.argv[1]); process.kill(process.pid, 'SIGKILL');`;
  spawnSync(process.execPath, ['--input-type=module', '-e', code, path]);
}

async function takers(t: TestContext): Promise<ChildProcess[]> {
  const children = Array.from({ length: TAKERS }, () => fork(TAKER));
  t.after(() => {
    for (const child of children) child.kill('SIGKILL');
  });
  await Promise.all(children.map((child) => once(child, 'message')));
  return children;
}

async function race(children: readonly ChildProcess[], path: string): Promise<string[]> {
  const answers = children.map((child) => once(child, 'message'));
  for (const child of children) child.send({ path, at: Date.now() + 5 });
  return (await Promise.all(answers)).map(([answer]) => answer as string);
}

const lefts: [string, (path: string, dead: string) => void][] = [
  ['nothing', () => {}],
  ['the lock of a dead process', (path, dead) => writeFileSync(path, dead)],
  ['a lock cut by a crash', (path) => writeFileSync(path, '')],
  ['the lock of another boot', (path) => writeFileSync(path, `other-boot ${process.pid} 1 2\n`)],
  [
    'the lock of a process whose number another one has',
    (path, dead) => writeFileSync(path, dead.replace(/ \d+ \d+ /, ` ${process.pid} 1 `)),
  ],
];

test('of six processes exactly one gets in, whatever was left there', { timeout: 60_000 }, async (t) => {
  const directory = temporaryDirectory(t);
  dieWith(join(directory, 'dead'));
  const dead = readFileSync(join(directory, 'dead'), 'latin1');
  const children = await takers(t);
  for (const [what, leave] of lefts) {
    for (let round = 0; round < ROUNDS; round++) {
      const path = join(directory, `LOCK ${what} ${round}`);
      leave(path, dead);
      const answers = await race(children, path);
      const taken = answers.filter((answer) => answer === 'taken').length;
      assert.equal(taken, 1, `${what}, round ${round}: ${answers.join('; ')}`);
      for (const answer of answers) assert.match(answer, /^taken$|: process \d+ is crawling here$/);
    }
  }
  const left = readdirSync(directory).filter((name) => name.includes('.'));
  assert.deepEqual(left, []);
});

test('a claim whose owner died over it keeps nobody out', async (t) => {
  const directory = temporaryDirectory(t);
  const path = join(directory, 'LOCK');
  dieWith(path);
  dieWith(join(directory, 'another'));
  const digest = createHash('sha1').update(readFileSync(path, 'latin1')).digest('hex');
  linkSync(join(directory, 'another'), `${path}.claim-${digest}`);
  const answers = await race(await takers(t), path);
  assert.equal(answers.filter((answer) => answer === 'taken').length, 1, answers.join('; '));
  assert.deepEqual(readdirSync(directory).sort(), ['LOCK', 'another']);
});

test('who holds it is refused to others until it is released', (t) => {
  const path = join(temporaryDirectory(t), 'LOCK');
  const lock = CrawlLock.take(path);
  assert.throws(() => CrawlLock.take(path), new RegExp(`process ${process.pid} is crawling here`));
  lock.release();
  CrawlLock.take(path).release();
});
