import assert from 'node:assert/strict';
import test from 'node:test';
import { w3cTime } from '#drumline/parse/w3c-time.js';

test('times of every precision, and what is none', () => {
  const cases: [string, string | null][] = [
    ['2013', '2013-01-01T00:00:00.000Z'],
    ['2013-07', '2013-07-01T00:00:00.000Z'],
    ['2013-07-18', '2013-07-18T00:00:00.000Z'],
    ['2013-07-18T10:20Z', '2013-07-18T10:20:00.000Z'],
    ['2013-07-18T10:20+05:30', '2013-07-18T04:50:00.000Z'],
    ['2013-07-18T10:20:30-08:00', '2013-07-18T18:20:30.000Z'],
    ['2013-07-18T10:20:30.25Z', '2013-07-18T10:20:30.250Z'],
    // Without a zone, the same on every machine.
    ['2013-07-18T10:20:30', '2013-07-18T10:20:30.000Z'],
    ['2013-13-01', null],
    ['2013-07-18T25:00Z', null],
    ['18.7.2013', null],
    ['2013-07-18 10:20', null],
    ['', null],
    ['x'.repeat(1000), null],
  ];
  for (const [text, expected] of cases) {
    const bytes = new TextEncoder().encode(text);
    const time = w3cTime(bytes, bytes.length);
    assert.equal(Number.isNaN(time) ? null : new Date(time).toISOString(), expected, text);
  }
});
