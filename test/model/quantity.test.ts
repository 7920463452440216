import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  formatBytes,
  formatCount,
  formatDuration,
  parseBitRate,
  parseBytes,
  parseMilliseconds,
  parseWholeNumber,
} from '#drumline/model/quantity.js';

test('sizes, rates, times and whole numbers as people write them', () => {
  assert.equal(parseBytes('10'), 10);
  assert.equal(parseBytes('1.5GB'), 1.5e9);
  assert.equal(parseBytes('64 mb'), 64e6);
  assert.equal(parseBytes('4KiB'), 4096);
  assert.equal(parseBitRate('320Mbit'), 320e6);
  assert.equal(parseBitRate('1Gbit/s'), 1e9);
  assert.equal(parseMilliseconds('250ms'), 250);
  assert.equal(parseMilliseconds('1.5s'), 1500);
  assert.equal(parseMilliseconds('10m'), 600_000);
  assert.equal(parseMilliseconds('2d'), 172_800_000);
  assert.equal(parseWholeNumber('007'), 7);
});

test('what can not be read is null', () => {
  for (const text of ['', 'MB', '-1', '1e9', '10 furlongs', '1,5GB', '0x10', 'Infinity', 'NaN']) {
    assert.equal(parseBytes(text), null, text);
    assert.equal(parseBitRate(text), null, text);
    assert.equal(parseMilliseconds(text), null, text);
    assert.equal(parseWholeNumber(text), null, text);
  }
  assert.equal(parseMilliseconds('10'), null, 'a time needs its unit');
  assert.equal(parseBitRate('5'), null, 'a rate needs its unit');
  assert.equal(parseWholeNumber('99999999999999999999'), null, 'not exact');
});

test('figures are short and aligned', () => {
  assert.equal(formatCount(1234567), '1,234,567');
  assert.equal(formatBytes(1_500_000), '1.5 MB');
  assert.equal(formatDuration(75), '1 min 15 s');
});
