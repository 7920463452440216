import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { nodeDisk } from '#drumline/model/disk.js';
import { Random } from '#drumline/simulate/random.js';
import { SpillQueue } from '#drumline/spill/spill-queue.js';

test('is a queue, whatever the mix of pushes and takes, against an array', () => {
  const directory = mkdtempSync(join(tmpdir(), 'drumline-spill-'));
  try {
    for (let seed = 1; seed <= 60; seed++) {
      const random = new Random(seed);
      const next = (n: number): number => random.below(n);
      const queue = new SpillQueue(nodeDisk, join(directory, `${seed}`), 8192);
      const expected: number[] = [];
      let pushed = 0;
      for (let phase = 0; phase < 12; phase++) {
        const share = next(5);
        for (let step = 0; step < 600; step++) {
          if (next(5) >= share) {
            const record = new Uint8Array(4 + next(120));
            new DataView(record.buffer).setUint32(0, pushed);
            queue.push(record, 0, record.length);
            expected.push(pushed++);
          } else if (queue.take()) {
            const value = new DataView(queue.bytes.buffer, queue.bytes.byteOffset + queue.start).getUint32(0);
            assert.equal(value, expected.shift(), `seed ${seed}`);
            // As the unassigned list does: what was taken goes in again while it is still being looked at.
            if (next(8) === 0) {
              queue.push(queue.bytes, queue.start, queue.end);
              expected.push(value);
            }
          } else assert.equal(expected.length, 0, `seed ${seed}`);
          assert.equal(queue.count, expected.length, `seed ${seed}`);
        }
      }
      while (queue.take()) {
        const value = new DataView(queue.bytes.buffer, queue.bytes.byteOffset + queue.start).getUint32(0);
        assert.equal(value, expected.shift(), `seed ${seed}`);
      }
      assert.equal(expected.length, 0);
      queue.close();
      assert.ok(!existsSync(join(directory, `${seed}`)));
    }
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});

test('the file is as large as the longest backlog, not as the traffic', () => {
  const directory = mkdtempSync(join(tmpdir(), 'drumline-spill-'));
  try {
    const path = join(directory, 'queue');
    const queue = new SpillQueue(nodeDisk, path, 8192);
    const record = new Uint8Array(1000);
    for (let i = 0; i < 100; i++) queue.push(record, 0, 1000);
    for (let i = 0; i < 5000; i++) {
      assert.ok(queue.take());
      queue.push(record, 0, 1000);
    }
    assert.ok(statSync(path).size < 200_000, `${statSync(path).size} bytes`);
    queue.close();
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});
