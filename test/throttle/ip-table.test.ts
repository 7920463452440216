import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { Random } from '#drumline/simulate/random.js';
import { allocateIpTable, IpTable, ipKey, MAX_DELAY_MS } from '#drumline/throttle/ip-table.js';
import { sharedClock } from '#drumline/throttle/shared-clock.js';

/** What a thread posts. */
function answerOf(source: string, workerData: unknown): Promise<unknown> {
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(source)}`), { workerData });
  return new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject));
}

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

const THREADS = 2;
const ROUNDS = 4000;
const DELAY = 10;

/** In each round all threads ask for the same address at the same time; a round begins when all are through the last. */
const RACER = `
import { parentPort, workerData } from 'node:worker_threads';
const { module, table: memory, arrivals, threads, rounds, delay } = workerData;
const { IpTable } = await import(module);
const table = new IpTable(memory);
const arrived = new Int32Array(arrivals);
const granted = [];
for (let round = 0; round < rounds; round++) {
  const all = (round + 1) * threads;
  Atomics.add(arrived, 0, 1);
  for (let spins = 0; ; spins++) {
    const now = Atomics.load(arrived, 0);
    if (now >= all) break;
    if (spins > 1000) Atomics.wait(arrived, 0, now, 1);
  }
  if (table.reserve(7, round * delay, delay) === 0) granted.push(round);
}
parentPort.postMessage(granted);
`;

test('of threads that race for one address exactly one gets it', async () => {
  const workerData = {
    module: import.meta.resolve('#drumline/throttle/ip-table.js'),
    table: allocateIpTable(4096, 0),
    arrivals: new SharedArrayBuffer(4),
    threads: THREADS,
    rounds: ROUNDS,
    delay: DELAY,
  };
  const granted = await Promise.all(Array.from({ length: THREADS }, () => answerOf(RACER, workerData)));
  const rounds = (granted as number[][]).flat().sort((a, b) => a - b);
  assert.deepEqual(
    rounds,
    Array.from({ length: ROUNDS }, (_, round) => round),
  );
});

test('the longest delay holds to its end', () => {
  const table = new IpTable(allocateIpTable(4096, 0));
  assert.equal(table.reserve(1, 0.5, MAX_DELAY_MS), 0);
  assert.equal(table.reserve(1, 0.5, 250), MAX_DELAY_MS + 0.5);
  assert.equal(table.reserve(1, MAX_DELAY_MS + 0.5, 250), 0.5);
  assert.equal(table.reserve(1, MAX_DELAY_MS + 1, 250), 0);
});

test('the shared clock is one clock in every thread', async () => {
  const source = `
import { parentPort, workerData } from 'node:worker_threads';
const { sharedClock } = await import(workerData);
parentPort.postMessage(sharedClock());
`;
  const before = sharedClock();
  const inside = (await answerOf(
    source,
    import.meta.resolve('#drumline/throttle/shared-clock.js'),
  )) as number;
  const after = sharedClock();
  // The two readings that a thread compares are not at the same instant.
  assert.ok(before - 1 <= inside && inside <= after + 1, `${before} ${inside} ${after}`);
});
