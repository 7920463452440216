import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { nodeDisk } from '#drumline/model/disk.js';
import { Random } from '#drumline/simulate/random.js';
import { LineCursor } from '#drumline/store/line-cursor.js';
import { temporaryDirectory } from '../web/temporary-directory.js';

test('a cursor finds the lines that split does, whatever its buffer', (t) => {
  const path = join(temporaryDirectory(t), 'lines');
  const random = new Random(11);
  for (let round = 0; round < 100; round++) {
    const lines = Array.from({ length: random.below(40) }, () => 'x'.repeat(random.below(50)));
    const text = lines.map((line) => `${line}\n`).join('') + (round % 3 === 0 ? 'torn' : '');
    writeFileSync(path, text);
    const file = nodeDisk.open(path, 'read');
    const start = random.below(text.length + 1);
    const end = start + random.below(text.length - start + 2);
    const cursor = new LineCursor(file, start, end, 1 + random.below(64));
    const found: string[] = [];
    for (cursor.next(); !cursor.isAtEnd; cursor.next())
      found.push(cursor.bytes.toString('latin1', cursor.start, cursor.end));
    const expected = text.slice(start, end).split('\n').slice(0, -1);
    assert.deepEqual(
      found,
      expected.map((line) => `${line}\n`),
      `round ${round}`,
    );
    cursor.close();
  }
});
