import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ENTRY_WORDS, sortEntries } from '#drumline/drum/radix-sort.js';
import { Random } from '#drumline/simulate/random.js';
import { keyMaker } from './model.js';

function check(
  seed: number,
  count: number,
  prefixBits: number,
  key: () => [low: number, high: number],
): void {
  const entries = new Uint32Array(ENTRY_WORDS * count);
  const list = Array.from({ length: count }, (_, tag) => {
    const [low, high] = key();
    const inBucket = prefixBits === 0 ? high : high >>> prefixBits;
    entries.set([inBucket, low, tag], ENTRY_WORDS * tag);
    return [inBucket, low, tag] as const;
  });
  list.sort((a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2]);
  sortEntries(entries, new Uint32Array(entries.length), count, prefixBits);
  assert.deepEqual(Array.from(entries), list.flat(), `seed ${seed}`);
}

test('sorts by key and keeps the order of equal keys', () => {
  for (let seed = 1; seed <= 300; seed++) {
    const random = new Random(seed);
    check(seed, random.pick([0, 1, 2, 39, 41, 300, 2000]), random.pick([0, 0, 3, 10]), keyMaker(random));
  }
});

test('sorts keys that descend, which an insertion sort alone would be slow at', () => {
  let next = 50_000;
  check(0, 50_000, 0, () => [next--, 7]);
});
