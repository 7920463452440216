import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FileAppender } from '#drumline/model/file-appender.js';
import { MemoryDisk } from '#drumline/simulate/memory-disk.js';
import { Random } from '#drumline/simulate/random.js';

function contentOf(disk: MemoryDisk, path: string): string {
  const file = disk.open(path, 'read');
  const bytes = Buffer.alloc(file.size());
  file.read(bytes, 0, bytes.length, 0);
  file.close();
  return bytes.toString('latin1');
}

test('what is appended is in the file, whatever the buffer', () => {
  const random = new Random(5);
  for (let round = 0; round < 200; round++) {
    const disk = new MemoryDisk();
    disk.put('file', Buffer.from('before, and what is cut off'));
    const mostBytes = round % 4 === 0 ? Number.POSITIVE_INFINITY : 1 + random.below(64);
    const out = FileAppender.goOn(disk, 'file', 6, { mostBytes, firstBytes: 1 + random.below(16) });
    let expected = 'before';
    for (let step = 0; step < 30; step++) {
      const text = 'x'.repeat(random.below(40)) + step;
      if (random.below(2) === 0) out.add(Buffer.from(`--${text}`), 2, 2 + text.length);
      else {
        const at = out.take(text.length);
        out.bytes.write(text, at, 'latin1');
      }
      expected += text;
      assert.equal(out.size, expected.length, `round ${round}`);
      if (random.below(8) === 0) out.flush();
    }
    assert.equal(out.save(), expected.length);
    assert.equal(contentOf(disk, 'file'), expected, `round ${round}`);
    out.close();
  }
});

test('what a failed write had is written by the next one', () => {
  const disk = new MemoryDisk();
  const file = disk.open('file', 'create');
  let isFull = true;
  const out = new FileAppender({
    read: (...args) => file.read(...args),
    write: (...args) => {
      if (isFull) throw new Error('full');
      file.write(...args);
    },
    size: () => file.size(),
    truncate: (size) => file.truncate(size),
    sync: () => file.sync(),
    close: () => file.close(),
  });
  out.add(Buffer.from('kept'), 0, 4);
  assert.throws(() => out.flush(), /full/);
  assert.equal(out.waiting, 4);
  isFull = false;
  out.save();
  out.close();
  assert.equal(contentOf(disk, 'file'), 'kept');
});

test('a file that is shorter than what goes on behind it is damaged', () => {
  const disk = new MemoryDisk();
  disk.put('file', Buffer.from('abc'));
  assert.throws(() => FileAppender.goOn(disk, 'file', 4), /file.*it had 4 bytes/);
});
