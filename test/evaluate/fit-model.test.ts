import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Coefficients } from '#drumline/evaluate/cost-model.js';
import { modelError } from '#drumline/evaluate/findings.js';
import { leastSquares } from '#drumline/evaluate/least-squares.js';
import { KNOWN, madeResults } from './made-results.js';

test('least squares finds the line through points, and the closest one past them', () => {
  const rows = [1, 2, 3, 4].map((x) => [1, x]);
  const exact = leastSquares(rows, [5, 7, 9, 11])!;
  assert.deepEqual(
    exact.map((value) => Math.round(value * 1e9) / 1e9),
    [3, 2],
  );
  const [a, b] = leastSquares(rows, [6, 6, 10, 10])! as [number, number];
  // By hand: slope 1.6, mean 8 at 2.5.
  assert.ok(Math.abs(b - 1.6) < 1e-9 && Math.abs(a - 4) < 1e-9, `${a} + ${b} x`);
});

test('least squares says if the points do not determine the line', () => {
  assert.equal(leastSquares([], []), null);
  assert.equal(
    leastSquares(
      [
        [1, 2],
        [1, 2],
      ],
      [3, 4],
    ),
    null,
  );
});

test('the coefficients that overheads were made with are found again', () => {
  const { model, fullCoverage, byPages, verdicts } = madeResults().findings!;
  assert.ok(model !== null);
  for (const [name, value] of Object.entries(KNOWN.coefficients)) {
    const found = model.coefficients[name as keyof Coefficients];
    assert.ok(Math.abs(found - value) < 1e-6, `${name} is ${found}, not ${value}`);
  }
  assert.equal(fullCoverage.length, 5);
  assert.equal(byPages.length, 4);
  for (const point of [...fullCoverage, ...byPages])
    assert.ok(Math.abs(modelError(model, point)) < 1e-6, `${point.agents} agents, ${point.pages} pages`);
  assert.equal(verdicts.length, 4);
});

test('medians and spread are those of the repeated crawls', () => {
  const { single, twoLevel } = madeResults().findings!;
  assert.ok(single !== null && Math.abs(single.speed.median - 1400) < 1e-6, `${single?.speed.median}`);
  assert.ok(
    Math.abs(single.speed.low - 1400 / 1.004) < 1e-6 && Math.abs(single.speed.high - 1400 / 0.996) < 1e-6,
  );
  assert.equal(single.runs, 3);
  const seven = twoLevel.at(-1)!;
  assert.equal(seven.agents, 7);
  assert.ok(seven.wholeSpeed.median < seven.speed.median, 'the start of threads takes time');
  assert.ok(Math.abs(seven.urlsPerPage - 6 / 7) < 1e-9);
  assert.ok(Math.abs(seven.bandwidthPerCent - 8000 / 22_380) < 1e-9);
});
