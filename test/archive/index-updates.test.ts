import assert from 'node:assert/strict';
import { test } from 'node:test';
import { IndexUpdates } from '#drumline/archive/index-updates.js';

/** Updates that take `duration` on a clock that stands still otherwise. */
function fixture(duration: number, fails = false) {
  const state = { now: 0, checkpoint: 0, updated: [] as (number | string)[], said: [] as string[] };
  const updates = new IndexUpdates({
    update: async (isWhole) => {
      state.updated.push(isWhole ? 'whole' : state.checkpoint);
      state.now += duration;
      if (fails) throw new Error('no room');
    },
    checkpoint: () => state.checkpoint,
    clock: () => state.now,
    say: (message) => state.said.push(message),
  });
  return { state, updates };
}

const settled = (): Promise<void> => new Promise(setImmediate);

test('the index follows each checkpoint once', async () => {
  const { state, updates } = fixture(0);
  for (state.checkpoint = 0; state.checkpoint < 4; state.checkpoint++) {
    updates.look();
    await settled();
    updates.look();
    await settled();
  }
  assert.deepEqual(state.updated, [1, 2, 3]);
});

test('an update that takes long is not made at each checkpoint: a tenth of the time is its share', async () => {
  const { state, updates } = fixture(30);
  for (state.checkpoint = 1; state.checkpoint <= 100; state.checkpoint++) {
    updates.look();
    await settled();
    state.now += 60;
  }
  const most = state.now / 10 / 30;
  assert.ok(state.updated.length <= most + 1, `${state.updated.length} of ${most}`);
  assert.ok(state.updated.length >= most - 2, `${state.updated.length} of ${most}`);
});

test('while one is under way, there is no other; the end waits for it and does not rest', async () => {
  const { state, updates } = fixture(1000);
  state.checkpoint = 1;
  updates.look();
  state.checkpoint = 2;
  updates.look();
  await updates.finish(true);
  assert.deepEqual(state.updated, [1, 'whole']);
});

test('an update that fails is told, and the next checkpoint tries again; the end fails', async () => {
  const { state, updates } = fixture(0, true);
  state.checkpoint = 1;
  updates.look();
  await settled();
  state.checkpoint = 2;
  updates.look();
  await settled();
  assert.deepEqual(state.updated, [1, 2]);
  assert.equal(state.said.length, 2);
  assert.match(state.said[0]!, /not up to the last checkpoint: no room/);
  await assert.rejects(updates.finish(false), /no room/);
});
