import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { nodeDisk } from '#drumline/model/disk.js';
import { Random } from '#drumline/simulate/random.js';
import { mergeIndex } from '#drumline/store/index-merge.js';
import { temporaryDirectory } from '../web/temporary-directory.js';

for (const memory of [1, 5000, 1e6]) {
  test(`parts become one index in order, in ${memory} bytes of memory`, (t) => {
    const directory = temporaryDirectory(t);
    const index = join(directory, 'index');
    const random = new Random(5);
    const lines: string[] = [];
    const newLines = (): string => {
      const mine = Array.from({ length: 60 }, () => `${'k'.repeat(random.below(200))}${random.word()} {}\n`);
      lines.push(...mine);
      return mine.join('');
    };
    const pieces = [0, 1, 2].map((part) => {
      const path = join(directory, `part-${part}`);
      const text = newLines();
      // What a crash left of a line is no line, and what stands before and behind a piece is none of it.
      const torn = part === 1 ? 'torn' : '';
      writeFileSync(path, `before\n${text}${torn || 'behind\n'}`);
      return { path, start: 7, end: 7 + text.length + torn.length };
    });
    writeFileSync(join(directory, 'index.run-99'), 'left by a crash');
    mergeIndex(nodeDisk, pieces, index, memory, false);
    assert.equal(readFileSync(index, 'latin1'), lines.sort().join(''));
    assert.deepEqual(readdirSync(directory), ['index', 'part-0', 'part-1', 'part-2']);

    const path = join(directory, 'part-3');
    const text = newLines();
    writeFileSync(path, text);
    mergeIndex(nodeDisk, [{ path, start: 0, end: text.length }], index, memory, true);
    assert.equal(readFileSync(index, 'latin1'), lines.sort().join(''));
  });
}

test('no parts make an empty index', (t) => {
  const index = join(temporaryDirectory(t), 'index');
  mergeIndex(nodeDisk, [], index, 1e6, false);
  assert.equal(readFileSync(index, 'latin1'), '');
});
