import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FlushPace } from '#drumline/shard/flush-pace.js';

test('merging takes a tenth of the time, a fiftieth while there are URLs to fetch', () => {
  const pace = new FlushPace();
  assert.equal(pace.delay(1, false), 0);
  pace.note(100, 104);
  assert.equal(pace.delay(104, false), 40);
  assert.equal(pace.delay(104, true), 200);
  // URLs that run out meanwhile make the wait shorter.
  assert.equal(pace.delay(150, true), 154);
  assert.equal(pace.delay(150, false), 0);
});
