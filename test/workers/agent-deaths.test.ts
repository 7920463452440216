import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AgentDeaths } from '#drumline/workers/agent-deaths.js';

test('five deaths within a minute are too many, five within a longer time are not', () => {
  let now = 0;
  const deaths = new AgentDeaths(() => now);
  for (let i = 0; i < 12; i++) {
    assert.ok(deaths.add('', false), `death ${i}`);
    now += 15_001;
  }
  now += 60_000;
  for (let i = 0; i < 4; i++) assert.ok(deaths.add('', false));
  assert.ok(deaths.add('', true), 'killed on purpose');
  assert.ok(!deaths.add('', false));
  assert.equal(deaths.count, 18);
});

test('a page is quarantined that was in hand at two deaths', () => {
  const deaths = new AgentDeaths(() => 0, 7, ['old']);
  deaths.add('a', false);
  deaths.add('b', false);
  assert.deepEqual(deaths.quarantined, ['old']);
  deaths.add('a', false);
  assert.deepEqual(deaths.quarantined, ['old', 'a']);
  assert.equal(deaths.count, 10);
});
