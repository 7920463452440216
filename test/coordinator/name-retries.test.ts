import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { NameRetries } from '#drumline/coordinator/name-retries.js';
import { nodeDisk } from '#drumline/model/disk.js';
import { Random } from '#drumline/simulate/random.js';
import { temporaryDirectory } from '../web/temporary-directory.js';

const SECOND = 1000;

function retriesIn(directory: string, clock: { now: number }, retries: number, retryDelay = 5 * SECOND) {
  return new NameRetries(nodeDisk, {
    ...{ retries, retryDelay, clock: () => clock.now, memoryBytes: 8192 },
    path: (queue) => join(directory, `${queue}`),
  });
}

const recordOf = (name: string): Uint8Array => Buffer.from(name);
const taken = ({ bytes, start, end, tries }: NameRetries): string =>
  `${Buffer.from(bytes.subarray(start, end))} ${tries}`;

test('each try waits twice as long as the one before, to ten minutes', (t) => {
  const clock = { now: 100 };
  const retries = retriesIn(temporaryDirectory(t), clock, 20);
  assert.equal(retries.delay, Number.POSITIVE_INFINITY);
  const pauses = [0, 1, 2, 3, 7, 8, 9, 20].map((tries) => {
    retries.add(recordOf('a'), tries);
    const { delay } = retries;
    assert.ok(retries.take());
    assert.equal(taken(retries), `a ${tries}`);
    return delay / SECOND;
  });
  assert.deepEqual(pauses, [5, 5, 10, 20, 320, 600, 600, 600]);
  retries.close();
});

test('what waits comes in order of time, however much and whatever is on disk', (t) => {
  for (let seed = 1; seed <= 5; seed++) {
    const random = new Random(seed);
    const directory = temporaryDirectory(t);
    const clock = { now: 0 };
    const retries = retriesIn(directory, clock, 3);
    const due: { name: string; at: number }[] = [];
    const check = (): void => {
      const first = Math.min(...due.map(({ at }) => at));
      assert.equal(retries.delay, Math.max(0, first - clock.now), `seed ${seed}`);
      assert.ok(retries.take());
      const i = due.findIndex(({ name }) => name === taken(retries));
      assert.equal(due[i]?.at, first, `seed ${seed}: ${taken(retries)}`);
      due.splice(i, 1);
    };
    for (let i = 0; i < 3000; i++) {
      clock.now += random.below(20);
      const tries = 1 + random.below(3);
      const name = `${i}-${'x'.repeat(random.below(60))}`;
      retries.add(recordOf(name), tries);
      due.push({ name: `${name} ${tries}`, at: clock.now + 5 * SECOND * 2 ** (tries - 1) });
      if (i % 100 === 0) {
        assert.equal(retries.count, due.length);
        const seen = new Set<string>();
        retries.forEach((bytes, start, end) => {
          seen.add(Buffer.from(bytes.subarray(start, end)).toString());
        });
        assert.equal(seen.size, due.length, 'a checkpoint has all of them');
      }
      while (due.length > 0 && retries.delay === 0) check();
      if (i === 2000) assert.ok(readdirSync(directory).length > 0, 'some of it is on disk');
    }
    while (due.length > 0) check();
    assert.equal(retries.count, 0);
    retries.close();
    assert.deepEqual(readdirSync(directory), []);
  }
});
