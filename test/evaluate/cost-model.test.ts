import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  agentsFed,
  bestAgents,
  crawlSeconds,
  modelledOverhead,
  modelledSpeed,
  PAPER_MODEL,
} from '#drumline/evaluate/cost-model.js';
import { PAPER_SPEED, WEB_PAGES } from '#drumline/evaluate/paper.js';

const DAY = 86_400;

function isNear(actual: number, expected: number, most: number): void {
  assert.ok(Math.abs(actual - expected) <= most, `${actual} is not within ${most} of ${expected}`);
}

test("the paper's coefficients give its 7.4 days with 31 agents and its 55.8 hours with 180", () => {
  // Equation 4 gives 7.35 days and 55.90 hours; the paper rounds one up and cuts the other.
  isNear(crawlSeconds(PAPER_MODEL, 31, WEB_PAGES) / DAY, 7.35, 0.005);
  isNear(crawlSeconds(PAPER_MODEL, 31, WEB_PAGES) / DAY, 7.4, 0.06);
  isNear(crawlSeconds(PAPER_MODEL, 180, WEB_PAGES) / 3600, 55.9, 0.005);
  isNear(crawlSeconds(PAPER_MODEL, 180, WEB_PAGES) / 3600, 55.8, 0.1);
});

test('the best number of agents is the top of figure 12', () => {
  const best = bestAgents(PAPER_MODEL, WEB_PAGES);
  assert.equal(best, 179);
  const steps = Array.from({ length: 15 }, (_, i) => 20 * (i + 1));
  const bestStep = steps.reduce((a, b) =>
    modelledSpeed(PAPER_MODEL, a, WEB_PAGES) >= modelledSpeed(PAPER_MODEL, b, WEB_PAGES) ? a : b,
  );
  assert.equal(bestStep, 180);
});

test('seven agents and a million pages come out as the paper measured them', () => {
  const speed = modelledSpeed(PAPER_MODEL, 7, 1e6);
  assert.ok(Math.abs(speed / PAPER_SPEED.sevenAgents - 1) < 0.002, `${speed} pages/s`);
  const { pageUrlExchange, sitePartition } = modelledOverhead(PAPER_MODEL, 7, 1e6);
  isNear(pageUrlExchange, 26.34, 1e-9);
  isNear(sitePartition, 5.79, 1e-9);
});

test('a bandwidth feeds so many agents, and more of them share it', () => {
  assert.equal(agentsFed(PAPER_MODEL, 10e9), 31);
  assert.equal(agentsFed(PAPER_MODEL, 100e9), 312);
  assert.equal(
    modelledSpeed(PAPER_MODEL, 31, WEB_PAGES, 10e9),
    modelledSpeed(PAPER_MODEL, 31, WEB_PAGES),
    'enough for all',
  );
  assert.ok(
    modelledSpeed(PAPER_MODEL, 62, WEB_PAGES, 10e9) < modelledSpeed(PAPER_MODEL, 31, WEB_PAGES, 10e9),
    'twice the agents on the same network have twice the overhead',
  );
  assert.equal(bestAgents(PAPER_MODEL, WEB_PAGES, 10e9), 32, 'one more takes what 31 leave of the network');
  assert.equal(modelledSpeed(PAPER_MODEL, 400, WEB_PAGES), 0, 'nothing is left but overhead');
});
