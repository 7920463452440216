import assert from 'node:assert/strict';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { cacheDirectories, sha256, UnpackedFiles } from '#drumline/model/unpacked-files.js';

const CONTENTS: Readonly<Record<string, Buffer>> = {
  'a.js': Buffer.from('1;'),
  'b.node': Buffer.alloc(5000, 7),
};
const FILES = Object.entries(CONTENTS).map(([name, bytes]) => ({ name, hash: sha256(bytes) }));
const root = mkdtempSync(join(tmpdir(), 'drumline-unpack-'));
after(() => rmSync(root, { recursive: true, force: true }));

let unpackings = 0;
function unpacked(...caches: string[]): UnpackedFiles {
  const read = (name: string): Uint8Array => {
    unpackings++;
    return CONTENTS[name]!;
  };
  return new UnpackedFiles(FILES, read, caches);
}

test('files are unpacked once, into directories that are closed to others', () => {
  const cache = join(root, 'once', 'deep');
  const before = unpackings;
  const path = unpacked(cache).find('a.js');
  assert.deepEqual(readFileSync(path), CONTENTS['a.js']);
  assert.deepEqual(readdirSync(dirname(path)).sort(), ['a.js', 'b.node']);
  for (const directory of [cache, dirname(path)]) assert.equal(statSync(directory).mode & 0o777, 0o700);
  const again = unpacked(cache);
  assert.equal(again.find('a.js'), path);
  assert.equal(unpackings - before, 2);
});

test('another version has a directory of its own', () => {
  const cache = join(root, 'versions');
  const other = new UnpackedFiles([{ name: 'a.js', hash: sha256('2;') }], () => Buffer.from('2;'), [cache]);
  assert.notEqual(unpacked(cache).find('a.js'), other.find('a.js'));
});

for (const [what, damage] of [
  ['a changed byte', (path: string) => writeFileSync(path, Buffer.alloc(5000, 8))],
  ['a cut', (path: string) => writeFileSync(path, Buffer.alloc(4999, 7))],
  [
    'a link to the right bytes elsewhere',
    (path: string) => {
      rmSync(path);
      writeFileSync(join(root, 'elsewhere'), CONTENTS['b.node']!);
      symlinkSync(join(root, 'elsewhere'), path);
    },
  ],
] as const) {
  test(`${what} is found before use, and put right`, () => {
    const cache = join(root, 'damaged');
    const path = unpacked(cache).find('b.node');
    damage(path);
    assert.equal(unpacked(cache).find('b.node'), path);
    assert.ok(lstatSync(path).isFile());
    assert.deepEqual(readFileSync(path), CONTENTS['b.node']);
    assert.deepEqual(readdirSync(dirname(path)).sort(), ['a.js', 'b.node']);
  });
}

test('a directory that is open to others is closed, a link to one is not used', () => {
  const open = join(root, 'open');
  mkdirSync(open);
  chmodSync(open, 0o777);
  unpacked(open).find('a.js');
  assert.equal(statSync(open).mode & 0o777, 0o700);
  const link = join(root, 'link');
  symlinkSync(open, link);
  assert.equal(dirname(dirname(unpacked(link, join(root, 'next')).find('a.js'))), join(root, 'next'));
});

test('where nothing can be written, the error names what was tried', () => {
  const file = join(root, 'file');
  writeFileSync(file, '');
  assert.throws(() => unpacked(join(file, 'one'), join(file, 'two')).find('a.js'), {
    code: 'NO_CACHE',
    message: /^files have to be unpacked.*XDG_CACHE_HOME.*file\/one.*file\/two/,
  });
});

test('the cache is where the user keeps caches, else under the directory for temporary files', () => {
  const last = cacheDirectories({});
  assert.equal(last.length, 1);
  assert.equal(dirname(last[0]!), tmpdir());
  assert.deepEqual(cacheDirectories({ XDG_CACHE_HOME: '', HOME: '' }), last);
  assert.deepEqual(cacheDirectories({ XDG_CACHE_HOME: 'relative', HOME: '/home/me' }), [
    '/home/me/.cache/drumline',
    ...last,
  ]);
  assert.equal(cacheDirectories({ XDG_CACHE_HOME: '/c', HOME: '/home/me' })[0], '/c/drumline');
});
