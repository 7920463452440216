import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MergeHeap } from '#drumline/model/merge-heap.js';
import { Random } from '#drumline/simulate/random.js';

test('sorted sources are merged as by sorting all of them, equal items in the order of their sources', () => {
  for (let seed = 1; seed <= 50; seed++) {
    const random = new Random(seed);
    const sources = Array.from({ length: random.below(20) }, (_, source) => {
      const keys = Array.from({ length: 1 + random.below(20) }, () => random.below(30)).sort((a, b) => a - b);
      return { at: 0, items: keys.map((key) => ({ key, source })) };
    });
    const heap = new MergeHeap(sources, (a, b) => a.items[a.at]!.key - b.items[b.at]!.key);
    const merged: { key: number; source: number }[] = [];
    for (let first = heap.first; first !== undefined; first = heap.first) {
      merged.push(first.items[first.at++]!);
      heap.settle(first.at < first.items.length);
    }
    const expected = sources
      .flatMap(({ items }) => items)
      .sort((a, b) => a.key - b.key || a.source - b.source);
    assert.deepEqual(merged, expected, `seed ${seed}`);
  }
});
