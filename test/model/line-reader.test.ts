import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LineReader } from '#drumline/model/line-reader.js';
import { MemoryDisk } from '#drumline/simulate/memory-disk.js';
import { Random } from '#drumline/simulate/random.js';

function readAll(reader: LineReader): string[] {
  const found: string[] = [];
  while (reader.next()) found.push(reader.bytes.toString('latin1', reader.start, reader.end));
  return found;
}

test('a reader finds the lines that split does, whatever its buffer, and passes over longer ones', () => {
  const random = new Random(11);
  const disk = new MemoryDisk();
  for (let round = 0; round < 300; round++) {
    const lines = Array.from({ length: random.below(40) }, () => 'x'.repeat(random.below(50)));
    const text = lines.map((line) => `${line}\n`).join('') + (round % 3 === 0 ? 'torn' : '');
    disk.put('lines', Buffer.from(text));
    const start = random.below(text.length + 1);
    const end = start + random.below(text.length - start + 2);
    const bufferBytes = 1 + random.below(64);
    const longestLine = round % 2 === 0 ? Number.POSITIVE_INFINITY : bufferBytes - 1;
    const reader = new LineReader(disk.open('lines', 'read'), { start, end, bufferBytes, longestLine });
    const expected = text.slice(start, end).split('\n').slice(0, -1);
    const taken = expected.filter((line) => line.length <= longestLine);
    assert.deepEqual(readAll(reader), taken, `round ${round}`);
    assert.equal(reader.tooLong, expected.length - taken.length, `round ${round}`);
    reader.close();
  }
});

test('a reader goes on where it was', () => {
  const disk = new MemoryDisk();
  disk.put('lines', Buffer.from('a\nbb\nccc\ndddd\n'));
  for (const bufferBytes of [5, 8, 64]) {
    const first = new LineReader(disk.open('lines', 'read'), { bufferBytes });
    assert.ok(first.next() && first.next());
    assert.equal(first.offset, 2);
    const again = new LineReader(disk.open('lines', 'read'), { bufferBytes });
    again.goTo(first.nextOffset);
    assert.deepEqual(readAll(again), readAll(first));
    first.close();
    again.close();
  }
});
