import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { DOORBELL_BYTES, Doorbell } from '#drumline/ring/doorbell.js';

const never = (): boolean => false;

test('a thread wakes itself, and is still woken by others afterwards', async () => {
  const memory = new SharedArrayBuffer(DOORBELL_BYTES);
  const bell = new Doorbell(memory, 0);
  const other = new Doorbell(memory, 0);
  for (let round = 0; round < 3; round++) {
    const own = bell.sleep(never);
    bell.ringOwn();
    assert.equal(await own, 'rung');
    // The wait for others began with the first sleep and goes on.
    const rung = bell.sleep(never);
    other.ring();
    assert.equal(await rung, 'rung');
    assert.equal(await bell.sleep(never, 1), 'timed-out');
  }
  bell.ringOwn();
  assert.equal(await bell.sleep(never, 5), 'timed-out', 'ringing oneself awake leaves nothing behind');
});

test('a ring while the thread wakes itself is seen by the next look for work', async () => {
  const memory = new SharedArrayBuffer(DOORBELL_BYTES);
  const bell = new Doorbell(memory, 0);
  const other = new Doorbell(memory, 0);
  let published = 0;
  let seen = 0;
  const hasWork = (): boolean => published > seen;
  for (let i = 0; i < 200; i++) {
    const sleep = bell.sleep(hasWork);
    if (i % 3 !== 0) bell.ringOwn();
    published++;
    other.ring();
    await sleep;
    if (hasWork()) seen = published;
  }
  assert.equal(seen, published);
});

test('no ring of another thread is lost among rings of its own', { timeout: 20_000 }, async () => {
  const rings = 2000;
  const memory = new SharedArrayBuffer(DOORBELL_BYTES + 4);
  const published = new Int32Array(memory, DOORBELL_BYTES, 1);
  const bell = new Doorbell(memory, 0);
  const module = import.meta.resolve('#drumline/ring/doorbell.js');
  const code = `import(${JSON.stringify(module)}).then(({ Doorbell, DOORBELL_BYTES }) => {
    const { workerData: memory } = require('node:worker_threads');
    const published = new Int32Array(memory, DOORBELL_BYTES, 1);
    const bell = new Doorbell(memory, 0);
    for (let i = 0; i < ${rings}; i++) {
      Atomics.add(published, 0, 1);
      bell.ring();
      // Until it was seen: the sleeper must wake for each.
      while (Atomics.load(published, 0) !== 0);
    }
  });`;
  const worker = new Worker(code, { eval: true, workerData: memory });
  const ownRings = setInterval(() => bell.ringOwn(), 1);
  try {
    for (let seen = 0; seen < rings; ) {
      await bell.sleep(() => Atomics.load(published, 0) > 0);
      seen += Atomics.exchange(published, 0, 0);
    }
  } finally {
    clearInterval(ownRings);
    await worker.terminate();
  }
});

test('a sleep of more milliseconds than a timer can wait ends early, not never', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const bell = new Doorbell(new SharedArrayBuffer(DOORBELL_BYTES), 0);
  const sleep = bell.sleep(never, 2 ** 32);
  t.mock.timers.tick(2 ** 31 - 1);
  assert.equal(await sleep, 'timed-out');
});
