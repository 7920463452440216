import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RoundRobin } from '#drumline/partition/assignment.js';
import {
  allocateSiteTable,
  NOBODY,
  SiteTableReader,
  SiteTableWriter,
  UNKNOWN,
} from '#drumline/partition/site-table.js';

test('holds every published site until it is full, against a Map', () => {
  const memory = allocateSiteTable(12 * 1024);
  const writer = new SiteTableWriter(memory);
  const reader = new SiteTableReader(memory);
  const expected = new Map<string, number>();
  let full = 0;
  for (let i = 0; i < 1000; i++) {
    // Few different low halves, so that probes collide.
    const [low, high, owner] = [Math.imul(i % 97, 0x9e3779b1) >>> 0, i, i % 5 === 0 ? NOBODY : i % 7];
    assert.equal(reader.ownerOf(low, high), UNKNOWN);
    if (writer.tryPublish(low, high, owner)) expected.set(`${low} ${high}`, owner);
    else full++;
  }
  assert.equal(expected.size, 768);
  assert.equal(full, 232);
  assert.ok(reader.isOverflown);
  for (const [key, owner] of expected) {
    const [low, high] = key.split(' ').map(Number);
    assert.equal(reader.ownerOf(low!, high!), owner);
  }
  const before = reader.version;
  writer.announce();
  assert.notEqual(reader.version, before);
});

test('sites whose keys were chosen to lie side by side are found in a few steps', () => {
  const memory = allocateSiteTable(12 * (1 << 15), [1, 2, 3, 4]);
  const writer = new SiteTableWriter(memory);
  const reader = new SiteTableReader(memory);
  const started = process.cpuUsage().user;
  for (let i = 0; i < 20_000; i++) writer.tryPublish(5, i, 1);
  for (let i = 0; i < 20_000; i++) assert.equal(reader.ownerOf(5, i), 1);
  // One slot after the other it took 400 million steps.
  assert.ok(process.cpuUsage().user - started < 400_000);
});

test('round robin gives every agent the same number of sites', () => {
  const assignment = new RoundRobin(3);
  assert.deepEqual(
    [1, 2, 3, 4, 5, 6].map(() => assignment.assign()),
    [0, 1, 2, 0, 1, 2],
  );
});
