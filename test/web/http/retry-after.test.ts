import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseRetryAfter } from '#drumline/web/http/retry-after.js';

const NOW = Date.UTC(2026, 0, 5, 12, 0, 0);
const YEAR = 365 * 86_400_000;

test('Retry-After in seconds, as a date, and as nonsense', () => {
  const cases: [string, number][] = [
    ['0', 0],
    ['120', 120_000],
    [' 7 ', 7000],
    [`${YEAR / 1000}`, YEAR],
    ['Mon, 05 Jan 2026 12:00:30 GMT', 30_000],
    ['Monday, 05-Jan-26 12:01:00 GMT', 60_000],
    ['Mon Jan  5 12:02:00 2026', 120_000],
    ['Tue, 05 Jan 2027 12:00:00 GMT', YEAR],
    ['Sun, 04 Jan 2026 12:00:00 GMT', 0],
    ['', -1],
    ['-5', -1],
    ['1.5', -1],
    ['soon', -1],
    ['12 parsecs', -1],
    ['Mon, 99 Foo 2026 99:99:99 GMT', -1],
    ['99999999999999999999', -1],
  ];
  for (const [value, wanted] of cases) assert.equal(parseRetryAfter(value, NOW), wanted, value);
});
