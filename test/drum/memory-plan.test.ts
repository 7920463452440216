import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_RUNS, MAX_SPILLS, MIN_MEMORY_BYTES, planMemory } from '#drumline/drum/memory-plan.js';
import { BLOCK_BYTES } from '#drumline/drum/run-format.js';

/** All arrays at their largest, as the table in memory-plan.ts lists them. */
function bytesOf(memoryBytes: number, valueBytes: number): number {
  const plan = planMemory(memoryBytes, valueBytes);
  const windows = 2 * plan.windowBlocks + plan.compactionRuns * (plan.compactionBlocks + 1) + 4;
  return (
    24 * plan.operations +
    plan.auxBytes +
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
  assert.ok(plan.operations > 5_000_000, `${plan.operations} operations`);
  assert.equal(plan.bucketBits, 10);
});

test('a budget under the least is taken for the least', () => {
  assert.deepEqual(planMemory(1, 4), planMemory(MIN_MEMORY_BYTES, 4));
});
