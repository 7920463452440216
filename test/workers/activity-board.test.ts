import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ActivityBoard, ActivityPoster, allocateActivityBoard } from '#drumline/workers/activity-board.js';

test('exhausted only when all are idle and as much was received as sent', () => {
  const memory = allocateActivityBoard(2);
  const board = new ActivityBoard(memory, 2);
  const [one, two] = [new ActivityPoster(memory, 0), new ActivityPoster(memory, 1)];
  assert.ok(!board.isExhausted(0, 0), 'agents that have not begun are busy');
  one.postIdle(5, 3);
  assert.ok(!board.isExhausted(1, 0));
  two.postIdle(0, 2);
  assert.ok(!board.isExhausted(1, 0), 'a record is on its way');
  assert.ok(board.isExhausted(1, 1));
  two.postBusy();
  assert.ok(!board.isExhausted(1, 1));
});
