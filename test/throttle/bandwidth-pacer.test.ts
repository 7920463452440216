import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BandwidthPacer } from '#drumline/throttle/bandwidth-pacer.js';

test('pages take the time that the bandwidth gives them', () => {
  let now = 0;
  const pacer = new BandwidthPacer(8000, () => now);
  assert.equal(pacer.wait(), 0);
  pacer.charge(500);
  assert.equal(pacer.wait(), 500);
  now = 500;
  assert.equal(pacer.wait(), 0);
});

test('time lost on one page is made good on the next, to a bound', () => {
  let now = 0;
  const pacer = new BandwidthPacer(8000, () => now);
  now = 300;
  pacer.charge(500);
  assert.equal(pacer.wait(), 200, 'the 300 ms of excess time shorten the wait');
  now = 100_000;
  pacer.charge(500);
  assert.equal(pacer.wait(), 0);
  pacer.charge(600);
  assert.equal(pacer.wait(), 100, 'one second of excess at most');
});

test('over many pages the rate is the bandwidth, however late each wake-up is', () => {
  let now = 0;
  const pacer = new BandwidthPacer(320e6, () => now);
  for (let i = 0; i < 10_000; i++) {
    const wait = pacer.wait();
    if (wait > 0) now += Math.ceil(wait) + (i % 3);
    pacer.charge(22_300);
  }
  const expected = (10_000 * 22_300 * 8) / 320e3;
  assert.ok(Math.abs(now - expected) < 0.002 * expected, `${now} ms for ${expected}`);
});

test('no bandwidth given, no wait', () => {
  const pacer = new BandwidthPacer(Number.POSITIVE_INFINITY, () => 0);
  pacer.charge(1e12);
  assert.equal(pacer.wait(), 0);
});
