import assert from 'node:assert/strict';
import { test } from 'node:test';
import { markRepeated } from '#drumline/log/mark-repeated.js';
import type { DiskFile } from '#drumline/model/disk.js';
import { MemoryDisk } from '#drumline/simulate/memory-disk.js';
import { Random } from '#drumline/simulate/random.js';

const PART = 'crawl/crawl-0-0.log-part';
const line = (i: number): string => `{"time":"2030-01-31T00:00:00.000Z","url":"http://a.example/${i}"}`;
const marked = (i: number): string => line(i).replace(/}$/, ',"repeated":true}');
const lines = (from: number, to: number, make = line): string =>
  Array.from({ length: to - from }, (_, i) => `${make(from + i)}\n`).join('');

function diskWith(text: string): MemoryDisk {
  const disk = new MemoryDisk();
  disk.put(PART, Buffer.from(text));
  return disk;
}

const textOf = (disk: MemoryDisk): string => Buffer.from(disk.files().get(PART)!).toString();
const KEPT = lines(0, 1000);

test('lines behind the checkpoint are marked once, and a torn one goes', () => {
  const disk = diskWith(`${KEPT}${lines(1000, 1010)}{"time":"20`);
  for (let times = 0; times < 2; times++) {
    markRepeated(disk, PART, KEPT.length);
    assert.equal(textOf(disk), KEPT + lines(1000, 1010, marked));
  }
  // Another life of the thread wrote behind them.
  disk.put(PART, Buffer.from(`${textOf(disk)}${lines(1010, 1020)}damaged\n`));
  markRepeated(disk, PART, KEPT.length);
  assert.equal(textOf(disk), `${KEPT}${lines(1000, 1020, marked)}damaged\n`);
  assert.deepEqual([...disk.files().keys()], [PART]);
});

test('only what lies behind the checkpoint is read and written, in a few pieces', () => {
  const disk = diskWith(KEPT + lines(1000, 3000));
  const open = disk.open.bind(disk);
  disk.open = (path, mode): DiskFile => {
    const file = open(path, mode);
    if (path !== PART) return file;
    const guard = (position: number): void => assert.ok(position >= KEPT.length, `${position}`);
    return {
      ...file,
      read: (into, start, end, position) => {
        guard(position);
        return file.read(into, start, end, position);
      },
      write: (from, start, end, position) => {
        guard(position);
        file.write(from, start, end, position);
      },
    };
  };
  const before = disk.changes;
  markRepeated(disk, PART, KEPT.length);
  assert.ok(disk.changes - before < 20, `${disk.changes - before} changes`);
  assert.equal(textOf(disk), KEPT + lines(1000, 3000, marked));
  const after = disk.changes;
  markRepeated(disk, PART, KEPT.length);
  assert.equal(disk.changes, after, 'nothing is left to mark');
});

test('whenever it dies, nothing is lost that was durable, and the next time all are marked', () => {
  const whole = diskWith(KEPT + lines(1000, 3000));
  markRepeated(whole, PART, KEPT.length);
  for (let k = 0; k < whole.changes; k++) {
    for (let seed = 0; seed < 5; seed++) {
      const disk = diskWith(KEPT + lines(1000, 3000));
      disk.failAfter(k);
      assert.throws(() => markRepeated(disk, PART, KEPT.length));
      disk.crash(new Random(100 * k + seed));
      markRepeated(disk, PART, KEPT.length);
      assert.equal(textOf(disk), KEPT + lines(1000, 3000, marked), `change ${k}, seed ${seed}`);
    }
  }
});
