import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { allocateIpTable, IpTable, ipKey, MAX_DELAY_MS } from '#drumline/throttle/ip-table.js';
import { sharedClock } from '#drumline/throttle/shared-clock.js';
import { Random } from '../drum/random.js';

test('a reservation moves the time on, a refusal says how long to wait', () => {
  const table = new IpTable(allocateIpTable(4096, 1000));
  const key = ipKey('192.0.2.1');
  assert.equal(table.reserve(key, 1000.5, 250), 0);
  assert.equal(table.reserve(key, 1000.5, 250), 250.5, 'rounded up to whole milliseconds');
  assert.equal(table.reserve(key, 1100, 250), 151);
  assert.equal(table.reserve(key, 1251, 250), 0);
  assert.equal(table.reserve(ipKey('192.0.2.2'), 1251, 250), 0, 'another address');
});

test('addresses spread over the cells', () => {
  const cells = new Set(Array.from({ length: 256 }, (_, i) => ipKey(`198.51.100.${i}`) & 0xffff));
  assert.ok(cells.size > 250, `${cells.size} cells`);
});

test('no two grants of an address within the delay, over months and in a crowded table', () => {
  for (let seed = 1; seed <= 20; seed++) {
    const random = new Random(seed);
    const table = new IpTable(allocateIpTable(256, 0));
    const granted = new Map<string, number>();
    let now = random.below(1000) / 7;
    for (let i = 0; i < 5000; i++) {
      now += random.chance(0.01) ? random.below(40) * 86_400e3 : random.below(300) / 3;
      const address = `10.0.0.${random.below(100)}`;
      const delay = random.chance(0.01) ? MAX_DELAY_MS : 250;
      const wait = table.reserve(ipKey(address), now, delay);
      assert.ok(wait >= 0 && wait <= MAX_DELAY_MS + 1, `seed ${seed}: ${wait}`);
      const free = granted.get(address) ?? 0;
      if (wait === 0) {
        assert.ok(now >= free, `seed ${seed}: ${now} before ${free}`);
        granted.set(address, now + delay);
      }
    }
  }
});

const THREADS = 4;
const GRANTS = 2000;
const DELAY = 10;

/** Threads share a clock that each of them moves on, and ask for the same address. */
const RACER = `
import { parentPort, workerData } from 'node:worker_threads';
const { IpTable } = await import(workerData.module);
const table = new IpTable(workerData.table);
const clock = new Int32Array(workerData.clock);
const granted = [];
while (granted.length < workerData.grants) {
  const now = Atomics.add(clock, 0, 1);
  if (table.reserve(7, now, workerData.delay) === 0) granted.push(now);
}
parentPort.postMessage(granted);
`;

test('threads that race for one address get it one at a time', async () => {
  const workerData = {
    module: import.meta.resolve('#drumline/throttle/ip-table.js'),
    table: allocateIpTable(4096, 0),
    clock: new SharedArrayBuffer(4),
    grants: GRANTS,
    delay: DELAY,
  };
  const source = new URL(`data:text/javascript,${encodeURIComponent(RACER)}`);
  const granted = await Promise.all(
    Array.from({ length: THREADS }, () => {
      const worker = new Worker(source, { workerData });
      return new Promise<number[]>((resolve, reject) =>
        worker.once('message', resolve).once('error', reject),
      );
    }),
  );
  const times = granted.flat().sort((a, b) => a - b);
  assert.equal(times.length, THREADS * GRANTS);
  for (let i = 1; i < times.length; i++) {
    assert.ok(times[i]! - times[i - 1]! >= DELAY, `${times[i - 1]} and ${times[i]}`);
  }
});

test('the shared clock is one clock in every thread', async () => {
  const source = `
import { parentPort, workerData } from 'node:worker_threads';
const { sharedClock } = await import(workerData);
parentPort.postMessage(sharedClock());
`;
  const before = sharedClock();
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(source)}`), {
    workerData: import.meta.resolve('#drumline/throttle/shared-clock.js'),
  });
  const inside = await new Promise<number>((resolve, reject) =>
    worker.once('message', resolve).once('error', reject),
  );
  const after = sharedClock();
  // The two readings that a thread compares are not at the same instant.
  assert.ok(before - 1 <= inside && inside <= after + 1, `${before} ${inside} ${after}`);
});
