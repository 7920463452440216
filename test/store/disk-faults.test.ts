import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryDirectory } from '../web/temporary-directory.js';
import { exchange, livePage } from './exchanges.js';
import { FaultyDisk } from './faulty-disk.js';
import { indexLines, openStore, readFiles } from './open-store.js';

const page = (i: number) => exchange(`http://a.example/${i}`, livePage(200, [], `page ${i}`.repeat(100)));

for (const before of [0, 1, 2, 3]) {
  test(`a full disk, after ${before} writes more: pages are kept, and stored when there is room`, (t) => {
    const directory = temporaryDirectory(t);
    const disk = new FaultyDisk();
    const store = openStore(directory, { disk });
    const acknowledged: number[] = [];
    const add = (i: number): void => store.store(page(i), () => acknowledged.push(i));
    disk.code = 'ENOSPC';
    disk.writesLeft = before;
    for (let i = 0; i < 6; i++) add(i);
    assert.ok(store.isBlocked);
    // The first write of all is that of the file's first record.
    assert.equal(acknowledged.length, Math.max(0, before - 1));
    const [whole] = readFiles(directory);
    assert.equal(whole?.records.length ?? 0, before === 0 ? 0 : 1 + 3 * acknowledged.length);
    assert.deepEqual(whole?.damages ?? [], []);
    assert.equal(store.retry(), false);
    disk.code = '';
    assert.equal(store.retry(), true);
    assert.equal(store.isBlocked, false);
    add(6);
    assert.deepEqual(acknowledged, [0, 1, 2, 3, 4, 5, 6]);
    store.close();
    const [file] = readFiles(directory);
    assert.equal(file!.records.length, 1 + 3 * 7);
    assert.deepEqual(file!.damages, []);
    const offsets = file!.records.map(({ offset }) => offset);
    for (const line of indexLines(directory))
      assert.ok(offsets.includes(Number(/"offset": "(\d+)"/.exec(line)![1])), line);
  });
}

test('a disk that stays full: what was acknowledged is whole, and closing says what was lost', (t) => {
  const directory = temporaryDirectory(t);
  const disk = new FaultyDisk();
  const store = openStore(directory, { disk });
  for (let i = 0; i < 3; i++) store.store(page(i), () => {});
  disk.code = 'ENOSPC';
  for (let i = 3; i < 5; i++) store.store(page(i), () => assert.fail('not stored'));
  assert.throws(() => store.close(), /2 pages could not be stored: no space left/);
  const [file] = readFiles(directory);
  assert.equal(file!.records.length, 1 + 3 * 3);
  assert.deepEqual(file!.damages, []);
});

for (const canTruncate of [true, false]) {
  test(`a broken disk, ${canTruncate ? 'cut' : 'not cut'}: the error is thrown, and what was acknowledged is whole`, (t) => {
    const directory = temporaryDirectory(t);
    const disk = new FaultyDisk();
    const store = openStore(directory, { disk });
    for (let i = 0; i < 3; i++) store.store(page(i), () => {});
    disk.code = 'EIO';
    disk.canTruncate = canTruncate;
    assert.throws(() => store.store(page(3), () => assert.fail('not stored')), /EIO/);
    const [file] = readFiles(directory);
    // Where it could not be cut off, the half of the page that was written may hold a whole record.
    assert.equal(file!.records.length, 1 + 3 * 3 + (canTruncate ? 0 : 1));
    assert.equal(file!.damages.length, canTruncate ? 0 : 1);
    assert.deepEqual(readdirSync(join(directory, 'warc')), [file!.name]);
    assert.ok(file!.name.endsWith('.open'));
  });
}
