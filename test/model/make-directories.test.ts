import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { makeDirectories } from '#drumline/model/make-directories.js';
import { temporaryDirectory } from '../web/temporary-directory.js';

test('directories are made with those above them, and the first that had to be is named', (t) => {
  const root = temporaryDirectory(t);
  assert.equal(makeDirectories(join(root, 'a', 'b', 'c')), join(root, 'a'));
  assert.equal(makeDirectories(join(root, 'a', 'b', 'd'), 0o700), join(root, 'a', 'b', 'd'));
  assert.equal(statSync(join(root, 'a', 'b', 'd')).mode & 0o777, 0o700);
  assert.equal(makeDirectories(join(root, 'a', 'b')), undefined);
  assert.equal(makeDirectories('/'), undefined);
  symlinkSync(join(root, 'a'), join(root, 'link'));
  assert.equal(makeDirectories(join(root, 'link', 'e')), join(root, 'link', 'e'));
  assert.ok(existsSync(join(root, 'a', 'e')));
});

test('a directory that can not be made is an error, never a loop', (t) => {
  const root = temporaryDirectory(t);
  symlinkSync(join(root, 'nowhere'), join(root, 'dangling'));
  writeFileSync(join(root, 'file'), '');
  const impossible = [join(root, 'dangling', 'x'), join(root, 'file', 'x', 'y'), join(root, 'file')];
  if (existsSync('/proc/self')) impossible.push('/proc/nothing', '/proc/nothing/below');
  // In a process of its own, for what does not end can't be timed out here.
  const module = import.meta.resolve('#drumline/model/make-directories.js');
  const script = `import { makeDirectories } from ${JSON.stringify(module)};
    for (const path of process.argv.slice(1)) {
      try { console.log(makeDirectories(path)); } catch ({ code }) { console.log(code); }
    }`;
  const words = ['--input-type=module', '-e', script, ...impossible];
  const said = execFileSync(process.execPath, words, { encoding: 'utf8', timeout: 60_000 });
  assert.deepEqual(
    said.trim().split('\n'),
    ['EEXIST', 'ENOTDIR', 'EEXIST', 'ENOENT', 'ENOENT'].slice(0, impossible.length),
  );
});

test('no other way to make directories is used', () => {
  const root = dirname(fileURLToPath(import.meta.resolve('#drumline/main.js')));
  for (const name of readdirSync(root, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.js') || /^threads/.test(name)) continue;
    assert.doesNotMatch(readFileSync(join(root, name), 'utf8'), /mkdir(Sync)?\([^)]*recursive/, name);
  }
});
