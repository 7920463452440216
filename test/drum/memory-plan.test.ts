import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  MAX_RUNS,
  MAX_SPILLS,
  MIN_MEMORY_BYTES,
  PENDING_BYTES,
  planMemory,
  sharePending,
} from '#drumline/drum/memory-plan.js';
import { BLOCK_BYTES } from '#drumline/drum/run-format.js';

/** All arrays at their largest, as the table in memory-plan.ts lists them. */
function bytesOf(memoryBytes: number, valueBytes: number): number {
  const plan = planMemory(memoryBytes, valueBytes);
  const windows = 2 * plan.windowBlocks + plan.compactionRuns * (plan.compactionBlocks + 1) + 4;
  return (
    PENDING_BYTES * plan.pending.operations +
    plan.pending.auxBytes +
    plan.bucketEntries * (33 + valueBytes) +
    plan.maxPending * (valueBytes + 1 / 8) +
    8 * MAX_SPILLS * 2 ** plan.bucketBits +
    5 * plan.answersPerCall +
    plan.segmentBytes +
    plan.recentKeys * (40 + valueBytes) +
    8 * plan.indexEntries * MAX_RUNS +
    windows * BLOCK_BYTES
  );
}

test('the parts together stay inside the budget', () => {
  for (let memory = MIN_MEMORY_BYTES; memory <= 2 ** 30; memory = Math.floor(memory * 1.37)) {
    for (const valueBytes of [0, 1, 4, 16, 64]) {
      const bytes = bytesOf(memory, valueBytes);
      assert.ok(bytes <= memory, `${memory} bytes with values of ${valueBytes}: ${bytes} planned`);
    }
  }
});

test('most of a large budget is for operations', () => {
  const plan = planMemory(256 * 2 ** 20, 0);
  assert.ok(plan.pending.operations > 5_000_000, `${plan.pending.operations} operations`);
  assert.equal(plan.bucketBits, 10);
});

test('a budget under the least is taken for the least', () => {
  assert.deepEqual(planMemory(1, 4), planMemory(MIN_MEMORY_BYTES, 4));
});

test('memory for operations goes to their aux as it gets longer, and comes back', () => {
  const plan = planMemory(2 ** 20, 0);
  const bytes = PENDING_BYTES * plan.pending.operations + plan.pending.auxBytes;
  assert.deepEqual(sharePending(plan, 0), plan.pending);
  let before = plan.pending.operations;
  for (const auxPerOperation of [30, 100, 700, 65_536]) {
    const { operations, auxBytes } = sharePending(plan, auxPerOperation);
    assert.equal(PENDING_BYTES * operations + auxBytes, bytes);
    assert.ok(
      operations < before && operations >= 16,
      `${operations} operations of ${auxPerOperation} bytes`,
    );
    before = operations;
  }
});
