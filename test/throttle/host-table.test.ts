import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { Random } from '#drumline/simulate/random.js';
import { allocateHostTable, HostTable } from '#drumline/throttle/host-table.js';

const AGENTS = 2;

/** A table as a living agent sees it. */
function seenBy(memory: SharedArrayBuffer, agent: number, bornAt = 0): HostTable {
  const table = new HostTable(memory, agent);
  table.beginLife(bornAt);
  return table;
}

test('a host is one visit at a time, and rests until its time', () => {
  const memory = allocateHostTable(4096, AGENTS);
  const [mine, others] = [seenBy(memory, 0), seenBy(memory, 1)];
  assert.equal(mine.take(7, 1, 100, 1000), 0);
  for (const table of [mine, others]) assert.ok(table.take(7, 1, 5000, 1000) > 0, 'a request is under way');
  assert.equal(others.take(7, 2, 100, 1000), 0, 'another host');
  mine.rest(mine.cell, 6000.5, false);
  assert.equal(mine.take(7, 1, 6000, 1000), 0.5);
  assert.equal(others.take(7, 1, 6000.5, 1000), 0);
});

test('the death of an agent shortens no pause', () => {
  const memory = allocateHostTable(4096, AGENTS);
  const [first, others] = [seenBy(memory, 0), seenBy(memory, 1)];
  first.take(1, 1, 0, 5000);
  first.rest(first.cell, 8000, false);
  first.take(2, 2, 0, 5000);
  assert.equal(others.take(3, 3, 0, 5000), 0);
  const next = seenBy(memory, 0, 2000);
  assert.equal(next.take(1, 1, 2500, 0), 5500, 'what was granted');
  assert.equal(next.take(2, 2, 2500, 0), 4500, 'its request ended with the agent');
  assert.equal(others.take(2, 2, 2500, 0), 4500, 'by whoever asks');
  assert.ok(next.take(3, 3, 9000, 0) > 0, 'requests of others go on');
  assert.equal(next.take(2, 2, 7000, 0), 0);
  assert.equal(next.take(1, 1, 8000, 0), 0);
});

test('a lock that an agent died with is opened by its next life', () => {
  const memory = allocateHostTable(0, AGENTS);
  const table = seenBy(memory, 0);
  const words = new Int32Array(memory);
  const locks = (words.length - (2 + 4 * AGENTS)) / 50;
  for (let i = 0; i < locks; i++) words[2 + 4 * AGENTS + 50 * i] = 1;
  assert.equal(seenBy(memory, 1).take(1, 1, 0, 0), 1, 'asks again later');
  assert.equal(table.take(1, 1, 0, 0), 1);
  assert.equal(seenBy(memory, 0).take(1, 1, 0, 0), 0);
});

test('a full table makes hosts wait, and long pauses, which are on disk, give way', () => {
  const memory = allocateHostTable(0, AGENTS);
  const table = seenBy(memory, 0);
  const taken: number[] = [];
  for (let key = 1; key <= 1000; key++) if (table.take(key, key * 31, 0, 0) === 0) taken.push(table.cell);
  assert.equal(taken.length, 64);
  for (const cell of taken) table.rest(cell, 10_000, false);
  assert.equal(table.take(5000, 1, 1000, 0), 9000);
  for (const cell of taken) table.rest(cell, 3_600_000, true);
  assert.equal(table.take(5000, 1, 1000, 0), 0);
});

test('no grant within the pause of the one before, in a crowded table, with deaths', () => {
  for (let seed = 1; seed <= 20; seed++) {
    const random = new Random(seed);
    const memory = allocateHostTable(0, AGENTS);
    const tables = [seenBy(memory, 0), seenBy(memory, 1)];
    // By host: when it may be asked again, at the earliest; Infinity while a request is under way.
    const free = new Map<number, number>();
    let underWay: { agent: number; host: number; cell: number; pause: number }[] = [];
    let now = 0;
    for (let i = 0; i < 4000; i++) {
      now += random.below(400) / 3;
      const agent = random.below(AGENTS);
      const host = 1 + random.below(200);
      const pause = 100 * random.below(50);
      if (random.chance(0.01)) {
        tables[agent] = seenBy(memory, agent, now);
        for (const visit of underWay) if (visit.agent === agent) free.set(visit.host, now + visit.pause);
        underWay = underWay.filter((visit) => visit.agent !== agent);
      } else if (random.chance(0.5) && underWay.length > 0) {
        const [visit] = underWay.splice(random.below(underWay.length), 1);
        tables[visit!.agent]!.rest(visit!.cell, now + visit!.pause, false);
        free.set(visit!.host, now + visit!.pause);
      } else if (tables[agent]!.take(host, 0, now, pause) === 0) {
        assert.ok((free.get(host) ?? 0) <= now, `seed ${seed}: host ${host} at ${now}, ${free.get(host)}`);
        free.set(host, Number.POSITIVE_INFINITY);
        underWay.push({ agent, host, cell: tables[agent]!.cell, pause });
      }
    }
  }
});

const THREADS = 2;
const ROUNDS = 4000;

/** In each round all threads want the same host; a round begins when all are through the last. */
const RACER = `
import { parentPort, workerData } from 'node:worker_threads';
const { module, memory, arrivals, agent, threads, rounds } = workerData;
const { HostTable } = await import(module);
const table = new HostTable(memory, agent);
table.beginLife(0);
const arrived = new Int32Array(arrivals);
const meet = (all) => {
  Atomics.add(arrived, 0, 1);
  for (let spins = 0; ; spins++) {
    const now = Atomics.load(arrived, 0);
    if (now >= all) break;
    if (spins > 1000) Atomics.wait(arrived, 0, now, 1);
  }
};
const granted = [];
for (let round = 0; round < rounds; round++) {
  meet((2 * round + 1) * threads);
  let wait;
  do wait = table.take(7, 7, round * 10, 10);
  while (wait === 1);
  if (wait === 0) granted.push(round);
  meet((2 * round + 2) * threads);
  if (wait === 0) table.rest(table.cell, round * 10 + 10, false);
}
parentPort.postMessage(granted);
`;

test('of threads that race for one host exactly one gets it', async () => {
  const memory = allocateHostTable(4096, THREADS);
  const arrivals = new SharedArrayBuffer(4);
  const module = import.meta.resolve('#drumline/throttle/host-table.js');
  const url = new URL(`data:text/javascript,${encodeURIComponent(RACER)}`);
  const granted = await Promise.all(
    Array.from({ length: THREADS }, (_, agent) => {
      const workerData = { module, memory, arrivals, agent, threads: THREADS, rounds: ROUNDS };
      const worker = new Worker(url, { workerData });
      return new Promise<number[]>((resolve, reject) =>
        worker.once('message', resolve).once('error', reject),
      );
    }),
  );
  const rounds = granted.flat().sort((a, b) => a - b);
  assert.deepEqual(
    rounds,
    Array.from({ length: ROUNDS }, (_, round) => round),
  );
});
