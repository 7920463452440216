import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RecentlySeen } from '#drumline/drum/recently-seen.js';
import { KeyHash } from '#drumline/model/key-hash.js';
import { Random } from '#drumline/simulate/random.js';

/** So that it is known which keys share a set. */
const LOW = { of: (low: number) => low };

test('says seen only of keys that were put in, against a Set', () => {
  for (let seed = 1; seed <= 60; seed++) {
    const random = new Random(seed);
    const recent = new RecentlySeen(random.pick([0, 256, 1024, 8192]));
    const [lows, highs] = [random.pick([4, 40, 3000]), random.pick([1, 3, 50])];
    const all = new Set<string>();
    let hits = 0;
    for (let i = 0; i < 3000; i++) {
      const [low, high] = [(random.below(lows) * 0x9e37) >>> 0, random.below(highs)];
      if (recent.testAndAdd(low, high)) {
        assert.ok(all.has(`${low} ${high}`), `seed ${seed}: ${low} ${high} was never put in`);
        hits++;
      }
      all.add(`${low} ${high}`);
    }
    assert.ok(hits <= 3000 - all.size, `seed ${seed}: ${hits} hits`);
  }
});

test('remembers the two keys of a set that came last', () => {
  const recent = new RecentlySeen(0, LOW);
  const [a, b, c] = [8, 16, 24];
  const seen = [a, a, b, a, b, c, b, a].map((low) => recent.testAndAdd(low, 5));
  assert.deepEqual(seen, [false, true, false, true, true, false, true, false]);
});

test('as many keys as memory holds, but for those that share a set', () => {
  const recent = new RecentlySeen(8 * 1024, new KeyHash([1, 2, 3, 4]));
  const random = new Random(1);
  const keys = Array.from({ length: 400 }, () => [random.word(), random.word()] as const);
  for (const [low, high] of keys) recent.testAndAdd(low, high);
  const seen = keys.toReversed().filter(([low, high]) => recent.testAndAdd(low, high)).length;
  assert.ok(seen > 340, `${seen} of 400`);
});

test('the key of zeros, which an empty slot looks like, is never seen', () => {
  const recent = new RecentlySeen(0, LOW);
  for (let i = 0; i < 3; i++) assert.equal(recent.testAndAdd(0, 0), false);
  assert.equal(recent.testAndAdd(8, 0), false);
  assert.equal(recent.testAndAdd(0, 0), false);
});

test('keys chosen to share a set by their last bits do not: the seed decides', () => {
  for (let seed = 1; seed <= 5; seed++) {
    const recent = new RecentlySeen(64 * 1024, new KeyHash([seed, 2, 3, 4]));
    for (let i = 0; i < 1000; i++) recent.testAndAdd((i << 16) >>> 0, i);
    let seen = 0;
    for (let i = 0; i < 1000; i++) if (recent.has((i << 16) >>> 0, i)) seen++;
    assert.ok(seen > 500, `seed ${seed}: ${seen} of 1000`);
  }
});
