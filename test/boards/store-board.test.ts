import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { allocateStoreBoard, StoreBoard } from '#drumline/boards/store-board.js';

const COUNTS = {
  files: 3,
  records: { warcinfo: 3, request: 10, response: 8, revisit: 2, metadata: 10 },
  bytes: 3e12,
  duplicates: 2,
  duplicateBytes: 4e11,
};

test('what was posted last is there for who comes after', () => {
  const memory = allocateStoreBoard(2);
  const board = new StoreBoard(memory, 1);
  assert.equal(board.last, null);
  board.post(2, 5000, { ...COUNTS, files: 1 });
  board.post(3, 6000, COUNTS);
  assert.deepEqual(new StoreBoard(memory, 1).last, { serial: 3, offset: 6000, counts: COUNTS });
  assert.equal(new StoreBoard(memory, 0).last, null);
});

test('a record is written when its end was posted, however far the files are', () => {
  const memory = allocateStoreBoard(2);
  const [mine, other] = [new StoreBoard(memory, 0), new StoreBoard(memory, 1, 1)];
  const serial = 2 ** 23 - 2;
  mine.post(serial, 2 ** 40 - 1, COUNTS);
  assert.ok(other.isWritten({ agent: 0, serial, offset: 2 ** 40 - 2 }));
  assert.ok(other.isWritten({ agent: 0, serial: 0, offset: 2 ** 40 - 1 }));
  assert.ok(!other.isWritten({ agent: 0, serial: serial + 1, offset: 0 }));
  assert.ok(!other.isWritten({ agent: 7, serial: 0, offset: 0 }), 'there is no such agent');
});

test('a record that is about to be written is waited for', () => {
  const memory = allocateStoreBoard(2);
  const source = `
    import { workerData } from 'node:worker_threads';
    import { StoreBoard } from ${JSON.stringify(import.meta.resolve('#drumline/boards/store-board.js'))};
    const { memory, counts } = workerData;
    new StoreBoard(memory, 0).post(0, 500, counts);
  `;
  new Worker(new URL(`data:text/javascript,${encodeURIComponent(source)}`), {
    workerData: { memory, counts: COUNTS },
  });
  assert.ok(new StoreBoard(memory, 1, 60_000).isWritten({ agent: 0, serial: 0, offset: 100 }));
});
