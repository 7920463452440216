import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KeyHash } from '#drumline/model/key-hash.js';
import { SiteHeap } from '#drumline/shard/site-queues.js';
import { SiteStates } from '#drumline/shard/site-states.js';
import { Random } from '#drumline/simulate/random.js';

const HASH = new KeyHash([9, 8, 7, 6]);

test('the columns of sites never take more than their share of memory, however many sites there are', () => {
  for (const memoryBytes of [10_000, 700_000, 9_000_000]) {
    const before = process.memoryUsage().arrayBuffers;
    const states = new SiteStates(memoryBytes, HASH);
    const later = new SiteHeap(states.most);
    for (let site = 1; !states.isFull; site++)
      later.push(states.add(Math.imul(site, 0x9e3779b1), site), site);
    const taken = process.memoryUsage().arrayBuffers - before;
    assert.ok(taken <= memoryBytes * 1.01 + 4096, `${taken} of ${memoryBytes} bytes`);
    assert.ok(states.most * 100 > memoryBytes, `${states.most} sites`);
    assert.equal(later.length, states.most);
    assert.throws(() => states.add(1, 0), { code: 'DEFECT' });
  }
});

test('sites come and go by number and by key, against a map', () => {
  const random = new Random(5);
  const states = new SiteStates(20_000, HASH);
  const numbers = new Map<number, number>();
  for (let step = 0; step < 30_000; step++) {
    const key = random.below(400);
    const number = numbers.get(key) ?? 0;
    assert.equal(states.find(7, key), number, `step ${step}`);
    if (number !== 0 && random.chance(0.5)) {
      states.remove(number);
      numbers.delete(key);
    } else if (number === 0 && !states.isFull) numbers.set(key, states.add(7, key));
  }
  const used = Array.from({ length: states.size }, (_, i) => i + 1).filter((site) => states.isUsed(site));
  assert.deepEqual(
    used,
    [...numbers.values()].sort((a, b) => a - b),
  );
});

test('sites whose keys were chosen to lie side by side cost no more than others', () => {
  const states = new SiteStates(4_000_000, HASH);
  const started = process.cpuUsage().user;
  for (let site = 1; site < 30_000; site++) states.add(5, site);
  for (let site = 1; site < 30_000; site++) assert.equal(states.find(5, site), site);
  // One behind the other they took 900 million steps.
  assert.ok(process.cpuUsage().user - started < 500_000);
});
