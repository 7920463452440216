import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { nodeDisk } from '#drumline/model/disk.js';
import { DamagedFileError } from '#drumline/model/errors.js';
import { Random } from '#drumline/simulate/random.js';
import { KeyIndex, writeKeyIndex } from '#drumline/web/disk-index.js';
import { KeyTable } from '#drumline/web/key-table.js';
import { temporaryDirectory } from './temporary-directory.js';

const SEED = 12345;

/** Random keys, with a few high halves so that low halves decide too. */
function keysOf(count: number): KeyTable {
  const table = new KeyTable();
  const random = new Random(SEED);
  while (table.count < count) table.number(random.word(), table.count % 3 === 0 ? 7 : random.word());
  return table;
}

function written(t: TestContext, count: number): { path: string; table: KeyTable } {
  const path = join(temporaryDirectory(t), 'keys.index');
  const table = keysOf(count);
  writeKeyIndex(nodeDisk, path, table.keys, table.sorted(), 4, (entry, into, at) =>
    into.setUint32(at, entry, true),
  );
  return { path, table };
}

for (const count of [0, 1, 63, 64, 65, 1000]) {
  test(`an index of ${count} keys finds each of them and no other`, (t) => {
    const { path, table } = written(t, count);
    const index = new KeyIndex(nodeDisk, path, 4);
    for (let i = 0; i < count; i++) {
      const [low, high] = [table.keys[2 * i]!, table.keys[2 * i + 1]!];
      const at = index.find(low, high);
      assert.ok(at >= 0, `key ${i}, seed ${SEED}`);
      assert.equal(index.view.getUint32(at, true), i);
      assert.equal(index.find((low + 1) >>> 0, high ^ 0x5555), -1);
    }
    assert.equal(index.find(0, 0), -1);
    assert.equal(index.find(0xffffffff, 0xffffffff), -1);
    index.close();
  });
}

test('a key table numbers keys in the order they come', () => {
  const table = keysOf(5000);
  const oracle = new Map<string, number>();
  for (let i = 0; i < 5000; i++) oracle.set(`${table.keys[2 * i]},${table.keys[2 * i + 1]}`, i);
  assert.equal(oracle.size, 5000);
  for (let i = 0; i < 5000; i++) assert.equal(table.number(table.keys[2 * i]!, table.keys[2 * i + 1]!), i);
  assert.equal(table.count, 5000);
});

test('a flipped bit or a cut is found, never read as data', (t) => {
  const { path, table } = written(t, 130);
  const whole = readFileSync(path);
  const readAll = (): void => {
    const index = new KeyIndex(nodeDisk, path, 4);
    try {
      for (let i = 0; i < table.count; i++) index.find(table.keys[2 * i]!, table.keys[2 * i + 1]!);
    } finally {
      index.close();
    }
  };
  assert.doesNotThrow(readAll);
  for (let at = 0; at < whole.length; at += 5) {
    const flipped = Buffer.from(whole);
    flipped[at]! ^= 1 << (at & 7);
    writeFileSync(path, flipped);
    assert.throws(readAll, DamagedFileError, `bit flipped at ${at}`);
    writeFileSync(path, whole.subarray(0, at));
    assert.throws(readAll, DamagedFileError, `cut at ${at}`);
  }
});
