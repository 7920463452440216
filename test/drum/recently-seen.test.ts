import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RecentlySeen } from '#drumline/drum/recently-seen.js';

test('says seen only of keys that were put in, against a Set', () => {
  const recent = new RecentlySeen(1024);
  const all = new Set<string>();
  let hits = 0;
  for (let i = 0, state = 1; i < 20_000; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const [low, high] = [(state >>> 8) % 40, (state >>> 16) % 3];
    if (recent.testAndAdd(low, high)) {
      assert.ok(all.has(`${low} ${high}`), `${low} ${high}`);
      hits++;
    }
    all.add(`${low} ${high}`);
  }
  assert.ok(hits > 10_000, `${hits} hits`);
  assert.equal(new RecentlySeen(0).testAndAdd(0, 0), false);
});
