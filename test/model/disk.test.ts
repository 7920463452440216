import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { nodeDisk } from '#drumline/model/disk.js';

test('a file that was closed does not reach the one that was opened next', (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'drumline-disk-'));
  t.after(() => rmSync(directory, { recursive: true }));
  const first = nodeDisk.open(join(directory, 'first'), 'create');
  first.close();
  // The system hands out the lowest number that is free: that of the first.
  const second = nodeDisk.open(join(directory, 'second'), 'create');
  assert.throws(() => first.write(new Uint8Array([1]), 0, 1, 0), /first/);
  assert.throws(() => first.close(), /first/);
  second.write(new Uint8Array([2]), 0, 1, 0);
  second.close();
  assert.deepEqual([...readFileSync(join(directory, 'second'))], [2]);
});
