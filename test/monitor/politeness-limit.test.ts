import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AgentCounters } from '#drumline/model/counters.js';
import { PolitenessLimit } from '#drumline/monitor/politeness-limit.js';

const agent = (figures: Record<string, number>): AgentCounters =>
  ({ get: (name: string) => figures[name] ?? 0 }) as unknown as AgentCounters;

test('the share of the time in which hosts were left alone, and what asked for most of it', () => {
  assert.deepEqual(new PolitenessLimit([agent({})]).look(), { share: 0, by: null });
  const figures = {
    pages: 9,
    fetch: 10,
    asleep: 90,
    heldMs: 80,
    hostDelayMs: 300,
    ipDelayMs: 20,
    askedMs: 299,
  };
  const limit = new PolitenessLimit([agent(figures)]);
  assert.deepEqual(limit.look(), { share: 0.8, by: 'hostDelayMs' });
  Object.assign(figures, { pages: 20, fetch: 40, asleep: 160, heldMs: 90, askedMs: 500 });
  assert.deepEqual(limit.look(), { share: 0.1, by: 'askedMs' }, 'since the look before');
});

test('an agent without a site says little about a crawl that another makes', () => {
  const idle = agent({ asleep: 1000 });
  const busy = agent({ pages: 99, asleep: 1000, heldMs: 900, hostDelayMs: 900 });
  assert.ok(new PolitenessLimit([idle, busy]).look().share > 0.88);
});
