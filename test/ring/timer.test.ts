import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LONGEST_TIMER, Timer } from '#drumline/ring/timer.js';

const DAY = 24 * 60 * 60 * 1000;

test('timers fire in time, also after more milliseconds than fit 31 bits', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  for (const delay of [0, 1, 24 * DAY, 2 ** 31 - 1, 2 ** 31, 30 * DAY, 400 * DAY]) {
    let fired = 0;
    new Timer(delay, () => fired++);
    // What is begun while the mocked time passes begins at the end of that, so it passes from one part to the next.
    for (let left = delay; left > 0; left -= LONGEST_TIMER) {
      t.mock.timers.tick(Math.min(left, LONGEST_TIMER) - 1);
      assert.equal(fired, 0, `${delay} ms: too early`);
      t.mock.timers.tick(1);
    }
    if (delay === 0) t.mock.timers.tick(1);
    assert.equal(fired, 1, `${delay} ms`);
    t.mock.timers.tick(30 * DAY);
    assert.equal(fired, 1, `${delay} ms: twice`);
  }
});

test('a timer that is cancelled, or has no end, never fires', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const timer = new Timer(60 * DAY, () => assert.fail('fired'));
  new Timer(Number.POSITIVE_INFINITY, () => assert.fail('fired'));
  t.mock.timers.tick(30 * DAY);
  timer.cancel();
  t.mock.timers.tick(60 * DAY);
});
