import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { nodeDisk } from '#drumline/model/disk.js';
import { SMALLEST_RING } from '#drumline/model/memory-plan.js';
import { allocateMesh, MeshEnd } from '#drumline/ring/mesh.js';

test('a full ring neither blocks nor drops: the rest waits in memory and on disk, in order', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'drumline-mesh-'));
  try {
    const memory = allocateMesh(2, SMALLEST_RING);
    const storage = { disk: nodeDisk, path: (to: number) => join(directory, `to-${to}`), memoryBytes: 8192 };
    const sender = new MeshEnd(memory, 0, storage);
    const receiver = new MeshEnd(memory, 1, storage);
    const record = new Uint8Array(100);
    const words = new Uint32Array(record.buffer);
    const count = 2000;
    for (words[0] = 0; words[0] < count; words[0]++) sender.send(1, record, 0, 100);
    sender.deliver();
    assert.ok(sender.waiting > count / 2);
    assert.ok(!sender.canDeliver);
    let expected = 0;
    while (expected < count) {
      const woken = sender.bell.sleep(() => false);
      const taken = receiver.receive(1e6, (bytes, start) => {
        assert.equal(bytes[start]! | (bytes[start + 1]! << 8), expected++);
      });
      assert.ok(taken > 0);
      if (sender.waiting > 0) {
        assert.equal(await woken, 'rung', 'the receiver wakes a sender that found no room');
        assert.ok(sender.canDeliver);
      } else {
        receiver.wake(0);
        await woken;
      }
      sender.deliver();
    }
    assert.equal(sender.waiting, 0);
    sender.close();
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});

test('a doorbell rung between the announcement and the wait is not lost', async () => {
  const memory = allocateMesh(2, SMALLEST_RING);
  const storage = { disk: nodeDisk, path: () => '', memoryBytes: 0 };
  const one = new MeshEnd(memory, 0, storage);
  const other = new MeshEnd(memory, 1, storage);
  assert.equal(
    await one.bell.sleep(() => {
      other.wake(0);
      return false;
    }),
    'rung',
  );
  assert.equal(await one.bell.sleep(() => true), 'work');
  assert.equal(await one.bell.sleep(() => false, 1), 'timed-out');
  assert.throws(() => one.send(0, new Uint8Array(4), 0, 4), /another one of the mesh/);
});
