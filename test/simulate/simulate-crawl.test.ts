import assert from 'node:assert/strict';
import { test } from 'node:test';
import { simulateSeeds } from '#drumline/simulate/many-seeds.js';

test('simulated crawls come to their end under the law, whatever their seeds do to them', async () => {
  const { counts, failures } = await simulateSeeds({ first: 1, count: 40, step: 1 });
  assert.deepEqual(failures, []);
  for (const fault of ['agent dies', 'process killed', 'power cut', 'interrupted'])
    assert.ok((counts[fault] ?? 0) > 0, `${fault} never happened`);
});

test('the same seeds are the same decisions', async () => {
  const first = await simulateSeeds({ first: 100, count: 6, step: 1 });
  const second = await simulateSeeds({ first: 100, count: 6, step: 1 });
  assert.equal(first.hash, second.hash);
  assert.deepEqual(first.counts, second.counts);
});
