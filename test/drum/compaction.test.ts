import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runsToMerge } from '#drumline/drum/compaction.js';
import { MAX_RUNS } from '#drumline/drum/memory-plan.js';
import { Random } from '#drumline/simulate/random.js';

/** Adds runs of the given sizes, compacting after each; returns what is left and the keys written. */
function grow(sizes: Iterable<number>, width: number): { runs: number[]; most: number; written: number } {
  const runs: number[] = [];
  let most = 0;
  let written = 0;
  for (const size of sizes) {
    runs.push(size);
    written += size;
    for (let count = runsToMerge(runs, width); count > 0; count = runsToMerge(runs, width)) {
      assert.ok(count >= 2 && count <= width, `merges ${count} of ${runs}`);
      const merged = runs.splice(-count).reduce((sum, keys) => sum + keys, 0);
      runs.push(merged);
      written += merged;
    }
    most = Math.max(most, runs.length);
  }
  return { runs, most, written };
}

test('runs of one size are rewritten once for each fourfold growth', () => {
  const { runs, written } = grow(Array(1024).fill(1000), 8);
  assert.equal(
    runs.reduce((sum, keys) => sum + keys, 0),
    1_024_000,
  );
  assert.ok(runs.length <= 16, `${runs.length} runs`);
  assert.ok(written <= 6.1 * 1_024_000, `${written} keys written`);
});

test('there are never more runs than the index has room for', () => {
  for (let seed = 1; seed <= 200; seed++) {
    const random = new Random(seed);
    const sizes = Array.from({ length: 400 }, () => 1 + random.below(10 ** (1 + random.below(7))));
    if (seed % 3 === 0) sizes.sort((a, b) => b - a);
    const { most, runs } = grow(sizes, random.pick([2, 4, 8]));
    assert.ok(most <= MAX_RUNS, `seed ${seed}: ${most} runs, ${runs}`);
  }
});
