import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Timeline } from '#drumline/simulate/timeline.js';

test('events happen by their time, those of one time in the order they were asked for', () => {
  const timeline = new Timeline();
  const happened: string[] = [];
  const note = (what: string) => () => void happened.push(what);
  timeline.after(5, note('late'));
  timeline.after(1, note('first'));
  timeline.after(1, note('second'));
  const cancel = timeline.after(2, note('cancelled'));
  const stop = timeline.every(2, note('regular'));
  cancel();
  while (timeline.nextAt <= 5) {
    timeline.now = timeline.nextAt;
    timeline.step();
  }
  stop();
  assert.deepEqual(happened, ['first', 'second', 'regular', 'regular', 'late']);
  assert.equal(timeline.nextAt, Number.POSITIVE_INFINITY);
});
