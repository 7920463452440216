import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  chooseScale,
  expectedSeconds,
  FIGURES,
  pageSteps,
  planRuns,
  pointKey,
  pointsFor,
  runKey,
  type Scale,
} from '#drumline/evaluate/experiment.js';

const PAPER: Scale = { by: 'total', pages: 1e6 };
const SHORT: Scale = { by: 'per-agent', pages: 1000 };

test("the whole evaluation has the paper's numbers of agents and pages, each kind of crawl once", () => {
  const points = pointsFor(FIGURES, PAPER);
  assert.equal(new Set(points.map(pointKey)).size, points.length);
  const full = points.filter(({ agents, links }) => agents > 0 && links === 'full-coverage');
  assert.deepEqual(
    full.map(({ agents, pages }) => [agents, pages / 1e6]),
    [
      [1, 1],
      [2, 1],
      [3, 1],
      [5, 1],
      [7, 1],
      [7, 2],
      [7, 4],
      [7, 8],
    ],
  );
  assert.deepEqual(
    points.filter(({ links }) => links === 'two-level').map(({ agents }) => agents),
    [1, 2, 3, 5, 7],
  );
  assert.equal(points.filter(({ agents }) => agents === 0).length, 1);
});

test('some figures take fewer crawls', () => {
  assert.deepEqual(
    pointsFor([10], SHORT).map(({ agents, pages }) => [agents, pages]),
    [
      [0, 1000],
      [7, 1750],
      [7, 3500],
      [7, 7000],
      [7, 14000],
    ],
  );
  assert.equal(pointsFor([7], SHORT).length, 10);
  assert.equal(pointsFor([8], SHORT).length, 6);
  assert.equal(pointsFor([7, 8], SHORT).length, 11);
});

test('rounds are interleaved, every second one backwards', () => {
  const runs = planRuns(pointsFor([8], SHORT), 3);
  assert.equal(new Set(runs.map(runKey)).size, 18);
  assert.deepEqual(
    runs.map(({ agents }) => agents),
    [0, 1, 2, 3, 5, 7, 7, 5, 3, 2, 1, 0, 0, 1, 2, 3, 5, 7],
  );
});

test('the crawls fit the time, and are those of the paper if these fit', () => {
  const total = (scale: Scale, rate: number): number =>
    3 * pointsFor(FIGURES, scale).reduce((sum, point) => sum + expectedSeconds(point, rate), 0);
  for (const rate of [50, 1400, 1793]) {
    const scale = chooseScale(FIGURES, 3, 500, rate, Number.POSITIVE_INFINITY);
    assert.equal(scale.by, 'per-agent');
    const seconds = total(scale, rate);
    assert.ok(seconds <= 500 && seconds > 490, `${seconds} s at ${rate} pages/s`);
  }
  assert.deepEqual(chooseScale(FIGURES, 3, 8 * 3600, 1400, Number.POSITIVE_INFINITY), PAPER);
  assert.equal(chooseScale(FIGURES, 3, 8 * 3600, 1400, 1e6).by, 'per-agent', 'the web has too few pages');
  const small = chooseScale(FIGURES, 3, 8 * 3600, 1400, 700);
  assert.ok(Math.max(...pageSteps(small)) <= 700);
});
