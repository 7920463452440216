import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { assertCostly, assert as must, turnOnCostlyAssertions } from '#drumline/model/assert.js';
import { isLasting } from '#drumline/model/errors.js';

const DEFECT = { code: 'DEFECT', message: /does not hold that two is more than one$/ };

test('a costly assertion is looked at from when it was turned on', () => {
  let looks = 0;
  const look = (): boolean => ++looks < 2;
  assertCostly(look, 'two is more than one');
  assert.equal(looks, 0);
  turnOnCostlyAssertions();
  assertCostly(look, 'two is more than one');
  assert.throws(() => assertCostly(look, 'two is more than one'), DEFECT);
});

test('a failed assertion is no accident that starting again may mend, in whatever thread it failed', async () => {
  assert.throws(
    () => must(1 > 2, 'two is more than one'),
    (error) => isLasting(error),
  );
  const url = JSON.stringify(import.meta.resolve('#drumline/model/assert.js'));
  const worker = new Worker(`import(${url}).then(({ assert }) => assert(false, 'two is more than one'))`, {
    eval: true,
  });
  const [error] = await once(worker, 'error');
  assert.match(error.message, DEFECT.message);
  assert.ok(isLasting(error));
});
