/** The executable alone: in a directory with nothing else, without Node and without a home. */
import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { COMMANDS } from '#drumline/command/commands.js';
import { commandHelp } from '#drumline/command/help.js';
import { version } from '#drumline/model/version.js';
import type { Report } from '#drumline/run/report.js';

const PACKAGE = fileURLToPath(new URL('../../packaging/package.js', import.meta.url));
const root = mkdtempSync(join(tmpdir(), 'drumline-executable-'));
const directory = join(root, 'alone');
const program = join(directory, 'drumline');
const BARE = { PATH: '/nowhere', HOME: '', TMPDIR: join(root, 'temporary') };

before(() => {
  for (const path of [directory, BARE.TMPDIR]) mkdirSync(path);
  execFileSync(process.execPath, [PACKAGE, '--out', program]);
});
after(() => rmSync(root, { recursive: true, force: true }));

function drumline(words: readonly string[], env: Record<string, string> = BARE) {
  return spawnSync(program, words, { cwd: directory, env, encoding: 'utf8' });
}

function report(crawl: string): Report {
  return JSON.parse(readFileSync(join(directory, crawl, 'report.json'), 'utf8')) as Report;
}

function assertWhole({ outcome, coverage, overlap, pages }: Report, expected: number): void {
  assert.deepEqual([outcome, coverage, overlap, pages], ['exhausted', 1, 0, expected]);
}

/** The directory that files were unpacked into. */
function unpackedIn(cache: string): string {
  const [name, ...others] = readdirSync(cache);
  assert.deepEqual(others, []);
  return join(cache, name!);
}

test('says its version and helps, and unpacks nothing for it', () => {
  assert.equal(drumline(['--version']).stdout, `${version()}\n`);
  for (const command of COMMANDS) assert.equal(drumline(['help', command.name]).stdout, commandHelp(command));
  assert.deepEqual(readdirSync(BARE.TMPDIR), []);
});

test('crawls an emulated web to the last page', () => {
  const words = ['--agents', '3', '--web', 'synthetic:pages=5000', '--out', 'whole'];
  const { status, stderr } = drumline(words);
  assert.equal(status, 0, stderr);
  assertWhole(report('whole'), 5000);
  const [cache] = readdirSync(BARE.TMPDIR);
  assert.match(cache!, /^drumline-/);
  const unpacked = unpackedIn(join(BARE.TMPDIR, cache!));
  assert.deepEqual(readdirSync(unpacked).sort(), ['agent-thread.js', 'worker.js', 'xxhash.node']);
});

test('goes on after kill -9', async () => {
  const words = [
    '--agents',
    '3',
    '--web',
    'synthetic:pages=5000',
    '--bandwidth',
    '200Mbit',
    '--out',
    'killed',
  ];
  const child = spawn(program, [...words, '--checkpoint-interval', '100ms'], {
    cwd: directory,
    env: BARE,
    stdio: 'ignore',
  });
  const ended = once(child, 'exit');
  while (!existsSync(join(directory, 'killed', 'CURRENT')) && child.exitCode === null) await setTimeout(10);
  child.kill('SIGKILL');
  assert.deepEqual(await ended, [null, 'SIGKILL']);
  const { status, stderr } = drumline(['resume', 'killed']);
  assert.equal(status, 0, stderr);
  assertWhole(report('killed'), 5000);
});

test('several that start at once unpack into one directory, and what was damaged there is put right', async () => {
  const home = join(root, 'home');
  mkdirSync(home);
  const env = { ...BARE, HOME: home };
  const words = (out: string) => ['--agents', '1', '--web', 'synthetic:pages=50,sites=2', '--out', out];
  const children = [1, 2, 3].map((i) => spawn(program, words(`at-once-${i}`), { cwd: directory, env }));
  for (const ended of await Promise.all(children.map((child) => once(child, 'exit'))))
    assert.deepEqual(ended, [0, null]);
  const unpacked = unpackedIn(join(home, '.cache', 'drumline'));
  const names = ['agent-thread.js', 'worker.js', 'xxhash.node'];
  assert.deepEqual(readdirSync(unpacked).sort(), names);
  const contents = names.map((name) => readFileSync(join(unpacked, name)));
  for (const name of names) writeFileSync(join(unpacked, name), 'throw new Error();');
  assert.equal(drumline(words('after-damage'), env).status, 0);
  assertWhole(report('after-damage'), 50);
  assert.deepEqual(
    names.map((name) => readFileSync(join(unpacked, name))),
    contents,
  );
});

test('where nothing can be unpacked it says so, and leaves nothing behind', () => {
  const env = { ...BARE, TMPDIR: join(program, 'temporary') };
  const { status, stderr } = drumline(['--web', 'synthetic:pages=50', '--out', 'nowhere'], env);
  assert.equal(status, 1);
  assert.match(
    stderr,
    /^drumline: files have to be unpacked, and no directory takes them; set XDG_CACHE_HOME.*\n$/,
  );
  assert.ok(!existsSync(join(directory, 'nowhere')));
});

test('an addon that is not installed is refused', () => {
  const words = [PACKAGE, '--out', join(root, 'other'), '--addon', 'vax-vms'];
  const { status, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' });
  assert.equal(status, 1);
  assert.match(stderr, /--addon takes a platform whose package is installed, got 'vax-vms'/);
  assert.ok(!existsSync(join(root, 'other')));
});
