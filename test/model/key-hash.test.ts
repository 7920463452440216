import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KeyHash, newTableSeed } from '#drumline/model/key-hash.js';

/** The longest way that linear probing takes for keys put into a table of twice as many slots. */
function longestProbe(placeOf: (low: number, high: number) => number, keys: [number, number][]): number {
  const slots = new Uint8Array(2 ** Math.ceil(Math.log2(2 * keys.length)));
  let longest = 0;
  for (const [low, high] of keys) {
    let steps = 1;
    let at = placeOf(low, high) & (slots.length - 1);
    for (; slots[at] !== 0; at = (at + 1) & (slots.length - 1)) steps++;
    slots[at] = 1;
    longest = Math.max(longest, steps);
  }
  return longest;
}

const families: [string, (i: number) => [number, number]][] = [
  ['one low half', (i) => [0x1234_5678, i]],
  ['one high half', (i) => [i, 7]],
  ['the low bits of the low half alike', (i) => [(i << 18) >>> 0, i >>> 14]],
  ['the top bits of both halves', (i) => [((i & 127) << 25) >>> 0, ((i >>> 7) << 25) >>> 0]],
];

for (const [name, keyOf] of families) {
  test(`keys chosen to lie side by side don't, as the table is seeded: ${name}`, () => {
    const keys = Array.from({ length: 16_384 }, (_, i) => keyOf(i));
    for (let seed = 1; seed <= 5; seed++) {
      const hash = new KeyHash([seed, 2, 3, 4]);
      const longest = longestProbe((low, high) => hash.of(low, high), keys);
      assert.ok(longest < 200, `seed ${seed}: ${longest} steps for one key`);
    }
  });
}

test('the seed alone decides where keys go', () => {
  const seed = newTableSeed();
  const [hash, same, other] = [new KeyHash(seed), new KeyHash(seed), new KeyHash()];
  let equal = 0;
  for (let i = 0; i < 1000; i++) {
    assert.equal(hash.of(i, 3 * i), same.of(i, 3 * i));
    if (hash.of(i, 3 * i) === other.of(i, 3 * i)) equal++;
  }
  assert.ok(equal < 10);
});
