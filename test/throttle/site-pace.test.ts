import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SitePace } from '#drumline/throttle/site-pace.js';

const paceOf = (hostDelay: number): SitePace =>
  new SitePace({ hostDelay, retryDelay: 5000, maxRetryAfter: 3_600_000 });

test('a host is left alone for the longest of its delays', () => {
  const pace = paceOf(1000);
  assert.equal(pace.delayAfter(10, 0, -1), 1000);
  assert.equal(pace.delayAfter(10, 4000, -1), 4000, 'Crawl-delay');
  assert.equal(pace.delayAfter(400.1, 0, -1), 2001, 'five times the response, whole milliseconds');
  assert.equal(pace.delayAfter(30_000, 0, -1), 10_000, 'to a bound');
  assert.equal(pace.delayAfter(30_000, 60_000, -1), 60_000);
  assert.equal(pace.delayAfter(10, 0, 120_000), 120_000, 'Retry-After');
  assert.equal(pace.delayAfter(10, 0, 365 * 86_400_000), 3_600_000, 'Retry-After, to a bound');
});

test('no delay, no pause, but what robots.txt asks for', () => {
  const pace = paceOf(0);
  assert.equal(pace.delayAfter(5000, 0, -1), 0);
  assert.equal(pace.delayAfter(5000, 2000, -1), 2000);
});

test('retries back off to a bound, and Retry-After counts to another', () => {
  const pace = paceOf(1000);
  assert.deepEqual(
    [1, 2, 3, 4, 20].map((attempt) => pace.retryDelay(attempt, -1)),
    [5000, 10_000, 20_000, 40_000, 600_000],
  );
  assert.equal(pace.retryDelay(1, 120_000), 120_000);
  assert.equal(pace.retryDelay(3, 1000), 20_000, 'never sooner than without');
  assert.equal(pace.retryDelay(1, 365 * 86_400_000), 3_600_000);
  assert.equal(paceOf(30_000).retryDelay(1, -1), 30_000, 'never sooner than the host delay');
});
