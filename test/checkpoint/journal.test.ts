import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Journal } from '#drumline/checkpoint/journal.js';
import { MemoryDisk } from '#drumline/simulate/memory-disk.js';

const DIRECTORY = 'agent/journal';
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

function add(journal: Journal, ...texts: string[]): void {
  for (const text of texts) journal.add(bytesOf(text), 0, text.length);
  journal.write();
}

function recover(disk: MemoryDisk, generation: number): { journal: Journal; texts: string[] } {
  const texts: string[] = [];
  const journal = Journal.recover(disk, DIRECTORY, generation, (bytes, start, end) => {
    texts.push(new TextDecoder().decode(bytes.subarray(start, end)));
  });
  return { journal, texts };
}

test('what was written since a checkpoint comes back, in order', () => {
  const disk = new MemoryDisk();
  const journal = Journal.begin(disk, DIRECTORY, 0);
  add(journal, 'before');
  journal.turn(1);
  journal.confirm(1);
  const many = Array.from({ length: 5000 }, (_, i) => `record ${i} ${'x'.repeat(i % 300)}`);
  add(journal, ...many);
  journal.add(bytesOf('in no file'), 0, 10);
  assert.deepEqual(recover(disk, 1).texts, many);
});

test('a checkpoint that did not come about is gone back behind, however often', () => {
  const disk = new MemoryDisk();
  let journal = Journal.begin(disk, DIRECTORY, 3);
  add(journal, 'a');
  journal.turn(4);
  add(journal, 'b');
  let recovered = recover(disk, 3);
  assert.deepEqual(recovered.texts, ['a', 'b']);
  journal = recovered.journal;
  add(journal, 'c');
  // The part of checkpoint 4 is written again, and the thread dies before all have theirs.
  journal.turn(4);
  add(journal, 'd');
  recovered = recover(disk, 3);
  assert.deepEqual(recovered.texts, ['a', 'b', 'c', 'd']);
});

test('a record that was cut off is not read, and written over', () => {
  const disk = new MemoryDisk();
  add(Journal.begin(disk, DIRECTORY, 0), 'whole', 'torn');
  const path = `${DIRECTORY}/journal-0`;
  const bytes = disk.files().get(path)!;
  disk.put(path, bytes.subarray(0, bytes.length - 2));
  const { journal, texts } = recover(disk, 0);
  assert.deepEqual(texts, ['whole']);
  add(journal, 'next');
  assert.deepEqual(recover(disk, 0).texts, ['whole', 'next']);
});

test('a journal that could not be turned is closed once', () => {
  const disk = new MemoryDisk();
  const journal = Journal.begin(disk, DIRECTORY, 0);
  disk.failAfter(0);
  assert.throws(() => journal.turn(1));
  assert.equal(disk.openFiles, 1);
  journal.close();
  assert.equal(disk.openFiles, 0);
});
