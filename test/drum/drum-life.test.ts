/** Opening, failing, closing, and what costs nothing. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Drum, type DrumDispatcher, type DrumOptions } from '#drumline/drum/drum.js';
import { DrumBatch } from '#drumline/drum/drum-batch.js';
import { planMemory } from '#drumline/drum/memory-plan.js';
import { DiskFault, MemoryDisk } from '#drumline/simulate/memory-disk.js';
import { Random } from '#drumline/simulate/random.js';

const AUX = new Uint8Array(100);

function open(disk: MemoryDisk, options: Partial<DrumOptions> = {}, dispatcher: DrumDispatcher = () => {}) {
  return Drum.open({ directory: '/drum', memoryBytes: 1 << 20, disk, ...options }, dispatcher);
}

/** `count` keys from `first` on, as hashes are. */
function batchOf(first: number, count: number): DrumBatch {
  const batch = new DrumBatch();
  for (let n = first; n < first + count; n++) batch.add(n, Math.imul(n + 1, 0x9e3779b1) >>> 0, AUX, 0, n % 9);
  return batch;
}

test('a flush of a few keys touches no file, and syncs are for commits', () => {
  const disk = new MemoryDisk();
  const drum = open(disk);
  for (let round = 0; round < 50; round++) {
    drum.checkUpdate(batchOf(10 * round, 20));
    drum.flush();
  }
  assert.equal(disk.changes, 0);
  assert.deepEqual(drum.statistics, { checks: 1000, unique: 510, merges: 50, bytesRead: 0, bytesWritten: 0 });
  drum.checkUpdate(batchOf(0, 50_000));
  drum.flush();
  assert.ok(disk.changes > 0);
  assert.equal(disk.syncs, 0);
  drum.commit();
  const { changes } = disk;
  drum.commit();
  assert.equal(disk.changes, changes, 'nothing new, nothing to commit');
  drum.close();
});

test('commits of a few keys leave a few files', () => {
  const disk = new MemoryDisk();
  const drum = open(disk);
  for (let round = 0; round < 300; round++) {
    drum.checkUpdate(batchOf(3 * round, 3));
    drum.flush();
    drum.commit();
  }
  assert.ok(disk.files().size <= 17, `${disk.files().size} files`);
  drum.close();
});

test('what is pending is not part of a commit', () => {
  const disk = new MemoryDisk();
  const drum = open(disk);
  drum.checkUpdate(batchOf(0, 10));
  drum.flush();
  drum.checkUpdate(batchOf(10, 10));
  drum.commit();
  assert.equal(drum.pending, 10);
  drum.close();
  let unique = 0;
  const again = open(disk, {}, ({ count, outcomes }) => {
    for (let i = 0; i < count; i++) if (outcomes[i] === 0) unique++;
  });
  again.check(batchOf(0, 20));
  again.flush();
  assert.equal(unique, 10);
  again.close();
});

test('opening removes what no commit names, says so, and leaves the rest alone', () => {
  const disk = new MemoryDisk();
  const drum = open(disk);
  drum.checkUpdate(batchOf(0, 10));
  drum.flush();
  drum.commit();
  drum.close();
  for (const name of ['run-00000077.drum', 'CURRENT.new', 'pending-log.tmp', 'notes.txt']) {
    disk.put(`/drum/${name}`, AUX);
  }
  const again = open(disk);
  assert.deepEqual(again.removed, ['CURRENT.new', 'pending-log.tmp', 'run-00000077.drum']);
  assert.deepEqual(disk.list('/drum'), ['CURRENT', 'notes.txt', 'run-00000001.drum']);
  again.close();
});

test('a failed write fails the DRUM for good; opened again it is the last commit', () => {
  const disk = new MemoryDisk();
  const drum = open(disk);
  disk.failAfter(0);
  drum.checkUpdate(batchOf(0, 20_000));
  assert.throws(() => drum.flush(), DiskFault);
  assert.throws(() => drum.checkUpdate(batchOf(0, 1)), /closed, failed before/);
  assert.throws(() => drum.commit(), /closed, failed before/);
  disk.failAfter(Number.POSITIVE_INFINITY);
  drum.close();
  assert.equal(disk.openFiles, 0);
  const again = open(disk);
  assert.equal(again.keys, 0);
  again.close();
});

test('a dispatcher that calls its DRUM is told so', () => {
  const disk = new MemoryDisk();
  const drum: Drum = open(disk, {}, () => drum.flush());
  drum.check(batchOf(0, 1));
  assert.throws(() => drum.flush(), /called by its dispatcher/);
  drum.close();
});

test('values of another size are refused, by a batch and by a store', () => {
  const disk = new MemoryDisk();
  const drum = open(disk, { valueBytes: 4 });
  assert.throws(() => drum.check(new DrumBatch()), /values of 0 bytes for a DRUM of 4/);
  drum.check(new DrumBatch(4));
  drum.commit();
  drum.close();
  assert.throws(() => open(disk, { valueBytes: 2 }), /CURRENT: values of 4 bytes, opened for 2/);
  assert.throws(() => open(disk, { valueBytes: 65 }), /valueBytes 65: takes 0 to 64/);
});

test('equal keys that crowd in one bucket merge before their time and are answered right', () => {
  const disk = new MemoryDisk();
  const random = new Random(5);
  const seen = new Set<number>();
  const expected: number[] = [];
  const answers: number[] = [];
  const drum = open(disk, { memoryBytes: 1 }, ({ count, outcomes }) => {
    answers.push(...outcomes.subarray(0, count));
  });
  const batch = new DrumBatch();
  for (let i = 0; i < 5000; i++) {
    const low = random.below(300);
    expected.push(seen.has(low) ? 1 : 0);
    seen.add(low);
    batch.add(low, 1, AUX, 0, 0);
  }
  drum.checkUpdate(batch);
  drum.flush();
  assert.deepEqual(answers, expected);
  assert.ok(drum.statistics.merges > 10, `${drum.statistics.merges} merges`);
  drum.close();
});

test('memory goes where it is used: to aux while it is long, to operations while it is short', () => {
  const memoryBytes = 1 << 20;
  const { operations, auxBytes } = planMemory(memoryBytes, 0).pending;
  const drum = open(new MemoryDisk(), { memoryBytes });
  const mostPending = (auxLength: number): number => {
    let most = 0;
    for (let first = 0; first < 80_000; first += 500) {
      const batch = new DrumBatch();
      for (let n = first; n < first + 500; n++) batch.add(n, Math.imul(n, 0x9e3779b1), AUX, 0, auxLength);
      drum.check(batch);
      most = Math.max(most, drum.pending);
    }
    drum.flush();
    return most;
  };
  const most = mostPending(AUX.length);
  assert.ok(most * AUX.length > 2 * auxBytes, `${most} with aux, of ${auxBytes} bytes altogether at first`);
  assert.ok(most < operations / 2, `${most} with aux, ${operations} without`);
  const mostWithout = mostPending(0);
  assert.ok(mostWithout > 0.9 * operations, `${mostWithout} without aux, of ${operations}`);
  drum.close();
});

test('a long merge gives signs of life, with each bucket and with each call of the dispatcher', () => {
  let signs = 0;
  const calls: number[] = [];
  const drum = open(new MemoryDisk(), { memoryBytes: 1 << 20, alive: () => signs++ }, () =>
    calls.push(signs),
  );
  const batch = new DrumBatch();
  for (let n = 0; n < 6000; n++) batch.add(n, Math.imul(n, 0x9e3779b1), AUX, 0, 0);
  drum.checkUpdate(batch);
  drum.flush();
  assert.ok(calls[0]! > 1, `${calls[0]} signs before the first answers`);
  assert.ok(calls.length > 1, `${calls.length} calls of the dispatcher`);
  for (let i = 1; i < calls.length; i++) assert.ok(calls[i]! > calls[i - 1]!);
  drum.close();
});
