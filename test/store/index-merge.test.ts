import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { nodeDisk } from '#drumline/model/disk.js';
import { mergeIndex } from '#drumline/store/index-merge.js';
import { Random } from '../drum/random.js';
import { temporaryDirectory } from '../web/temporary-directory.js';

for (const memory of [1, 5000, 1e6]) {
  test(`parts become one index in order, in ${memory} bytes of memory`, (t) => {
    const directory = temporaryDirectory(t);
    const random = new Random(5);
    const lines: string[] = [];
    const parts = [0, 1, 2].map((part) => {
      const path = join(directory, `part-${part}`);
      const mine = Array.from({ length: 60 }, () => `${'k'.repeat(random.below(200))}${random.word()} {}\n`);
      lines.push(...mine);
      // What a crash left of a line is no line.
      writeFileSync(path, mine.join('') + (part === 1 ? 'torn' : ''));
      return path;
    });
    writeFileSync(join(directory, 'index.run-99'), 'left by a crash');
    mergeIndex(nodeDisk, parts, join(directory, 'index'), memory);
    assert.equal(readFileSync(join(directory, 'index'), 'latin1'), lines.sort().join(''));
    assert.deepEqual(readdirSync(directory), ['index', 'part-0', 'part-1', 'part-2']);
  });
}

test('no parts make an empty index', (t) => {
  const index = join(temporaryDirectory(t), 'index');
  mergeIndex(nodeDisk, [], index);
  assert.equal(readFileSync(index, 'latin1'), '');
});
