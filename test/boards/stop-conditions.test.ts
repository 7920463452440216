import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allocateStopMemory, StopConditions } from '#drumline/boards/stop-conditions.js';

const NONE = Number.POSITIVE_INFINITY;

test('exactly as many pages can be claimed as the target, over all threads', () => {
  const memory = allocateStopMemory(3);
  const agents = [0, 1, 2].map(
    (agent) => new StopConditions(memory, { 'target-pages': 5, 'max-bytes': NONE }, agent),
  );
  let claimed = 0;
  for (let i = 0; i < 12; i++) if (agents[i % 3]!.claimPage()) claimed++;
  assert.equal(claimed, 5);
  agents[0]!.releasePage();
  assert.equal(agents[1]!.claimPage(), true, 'a claim given back can be had again');
  assert.equal(agents[2]!.claimPage(), false);
  for (let i = 0; i < 5; i++) {
    assert.equal(agents[0]!.isRequested, false);
    agents[i % 3]!.countPage(10);
  }
  for (const agent of agents) assert.equal(agent.outcome, 'target');
});

test('the first reason to stop counts', () => {
  const memory = allocateStopMemory(3);
  const stop = new StopConditions(memory, { 'target-pages': NONE, 'max-bytes': 100 }, 0);
  assert.equal(stop.outcome, null);
  stop.countPage(99);
  assert.equal(stop.isRequested, false);
  stop.countPage(1);
  stop.request('interrupted');
  assert.equal(stop.outcome, 'bytes');
});

test('without limits every claim is granted and nothing stops', () => {
  const stop = new StopConditions(allocateStopMemory(1), { 'target-pages': NONE, 'max-bytes': NONE }, 0);
  for (let i = 0; i < 100; i++) {
    assert.equal(stop.claimPage(), true);
    stop.countPage(1e12);
  }
  assert.equal(stop.isRequested, false);
});

test('what is reached when a crawl goes on stops it', () => {
  for (const [limits, outcome] of [
    [{ 'target-pages': 5, 'max-bytes': NONE }, 'target'],
    [{ 'target-pages': NONE, 'max-bytes': 50 }, 'bytes'],
    [{ 'target-pages': 6, 'max-bytes': 51 }, null],
  ] as const) {
    const memory = allocateStopMemory(2);
    new StopConditions(memory, limits, 0).restore(2, 20);
    const stop = new StopConditions(memory, limits, 1);
    stop.requestIfReached();
    assert.equal(stop.outcome, null);
    stop.restore(3, 30);
    stop.requestIfReached();
    assert.equal(stop.outcome, outcome);
  }
});

test('a target that was met with pages of an agent that died is undone', () => {
  const memory = allocateStopMemory(2);
  const limits = { 'target-pages': 5, 'max-bytes': NONE };
  const [one, two] = [0, 1].map((agent) => new StopConditions(memory, limits, agent)) as [
    StopConditions,
    StopConditions,
  ];
  for (let i = 0; i < 5; i++) (i < 2 ? one : two).countPage(10);
  assert.deepEqual([one.outcome, one.isUndone], ['target', false]);
  two.restore(1, 10);
  assert.deepEqual([one.outcome, one.isUndone], ['target', true]);
});
