import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canonicalUrl } from '#drumline/model/canonical-url.js';
import { RepeatedLinks } from '#drumline/parse/repeated-links.js';

const PIECES = ['a', 'b', '/', '..', '#', '#f', '?', ' ', '\t', '\n', '%20', 'é', 'http://h.example', 'x:'];
const BASES = [
  'http://h.example/dir/page?q',
  'http://h.example/dir/',
  'mailto:someone',
  'ftp://h.example/d/',
];

/** What `testAndAdd` says of each link, one after the other. */
function answers(links: readonly string[]): boolean[] {
  const repeated = new RepeatedLinks();
  const bytes = Buffer.from(links.join(''));
  let end = 0;
  return links.map((link) => {
    const start = end;
    end += Buffer.byteLength(link);
    return repeated.testAndAdd(bytes, start, end);
  });
}

test('a link is repeated if it differs by its fragment and by spaces around it at most', () => {
  assert.deepEqual(answers(['a', 'a#1', ' a\n', 'b', 'a#', 'b#1#2']), [false, true, true, false, true, true]);
  assert.deepEqual(answers(['', '#1', ' ']), [false, true, true]);
  assert.deepEqual(answers(['a', 'a #1', 'a?', 'A']), [false, false, false, false]);
});

test('after clear nothing stood before', () => {
  const repeated = new RepeatedLinks();
  const bytes = Buffer.from('a');
  assert.deepEqual(
    [repeated.testAndAdd(bytes, 0, 1), repeated.testAndAdd(bytes, 0, 1), repeated.testAndAdd(bytes, 0, 0)],
    [false, true, false],
  );
  repeated.clear();
  assert.deepEqual([repeated.testAndAdd(bytes, 0, 1), repeated.testAndAdd(bytes, 0, 0)], [false, false]);
});

test('what is called repeated leads where an earlier link leads, by the URL class', () => {
  let seed = 20261118;
  const random = (below: number): number => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  };
  let repetitions = 0;
  for (let round = 0; round < 200; round++) {
    const links = Array.from({ length: 60 }, () =>
      Array.from({ length: random(5) }, () => PIECES[random(PIECES.length)]).join(''),
    );
    const said = answers(links);
    for (const base of BASES) {
      const before = new Set<string | null>();
      for (const [i, link] of links.entries()) {
        const url = canonicalUrl(link, base);
        if (said[i]) {
          repetitions++;
          assert.ok(before.has(url), `round ${round}: ${JSON.stringify(link)} at ${base}`);
        }
        before.add(url);
      }
    }
  }
  assert.ok(repetitions > 1000, `${repetitions} repetitions`);
});
