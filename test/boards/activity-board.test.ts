import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ActivityBoard, ActivityPoster, allocateActivityBoard } from '#drumline/boards/activity-board.js';
import { PAGE_URL, RECORD_HEADER, writeHeader } from '#drumline/model/record.js';
import { allocateMesh } from '#drumline/ring/mesh.js';
import { ringAt } from '#drumline/ring/ring-slabs.js';
import { SpscConsumer, SpscProducer } from '#drumline/ring/spsc-ring.js';

function setUp() {
  const mesh = allocateMesh(3, 4096);
  const memory = allocateActivityBoard(2);
  const ring = ringAt(mesh.rings, 1);
  return {
    memory,
    board: new ActivityBoard(memory, 2, mesh),
    one: new ActivityPoster(memory, 0),
    two: new ActivityPoster(memory, 1),
    send: new SpscProducer(ring),
    receive: new SpscConsumer(ring),
  };
}

test('exhausted only when all are idle and nothing is in a ring', () => {
  const { board, one, two, send, receive } = setUp();
  assert.ok(!board.isExhausted(), 'agents that have not begun are busy');
  one.postIdle();
  assert.ok(!board.isExhausted());
  two.postIdle();
  assert.ok(board.isExhausted());
  send.tryWrite(new Uint8Array(8), 0, 8);
  send.publish();
  assert.ok(!board.isExhausted(), 'a record is on its way');
  two.postBusy();
  receive.drain(1, () => {});
  assert.ok(!board.isExhausted(), 'the record is being looked at');
  two.postIdle();
  assert.ok(board.isExhausted());
  board.clear(1);
  assert.ok(!board.isExhausted(), 'an agent that died is not idle');
});

test('what an agent has in hand, and that it lives', () => {
  const { board, one } = setUp();
  assert.equal(board.handOf(0), '');
  const record = new Uint8Array(RECORD_HEADER);
  writeHeader(record, 0, PAGE_URL, 0, 0, 0xdeadbeef, 1);
  one.postHand(record);
  assert.equal(board.handOf(0), '00000001deadbeef');
  one.postHand(null);
  assert.equal(board.handOf(0), '');
  const before = board.turnsOf(0);
  one.postBusy();
  assert.notEqual(board.turnsOf(0), before);
});

test('signs of life come from turns and from what happens between them, and a wait is told', () => {
  const { board, memory, one } = setUp();
  const seen = new Set([board.signsOf(0)]);
  const steps = [() => one.postBusy(), () => one.alive(), () => one.endWait()];
  one.beginWait();
  one.beginWait();
  for (const step of steps) {
    step();
    assert.ok(!seen.has(board.signsOf(0)));
    seen.add(board.signsOf(0));
    assert.ok(board.isWaiting(0), 'one wait is in another');
  }
  assert.equal(board.turnsOf(0), 1);
  board.clear(0);
  assert.ok(!board.isWaiting(0), 'whoever died waits no more');
  new ActivityPoster(memory, 0).beginWait();
  assert.ok(board.isWaiting(0) && !board.isWaiting(1));
});
