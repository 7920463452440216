import assert from 'node:assert/strict';
import test from 'node:test';
import { writeKey } from '#drumline/model/key.js';

const encoder = new TextEncoder();

function key(text: string): string {
  const halves = new Uint32Array(4);
  writeKey(encoder.encode(text), halves, 2);
  assert.deepEqual([...halves.subarray(0, 2)], [0, 0], 'writes beside its place');
  return [halves[3]!, halves[2]!].map((half) => half.toString(16).padStart(8, '0')).join('');
}

test('keys are XXH64 with seed 0, low half first', () => {
  // Published test values of the algorithm.
  assert.equal(key(''), 'ef46db3751d8e999');
  assert.equal(key('a'), 'd24ec4f1a98c6e5b');
  assert.equal(key('abc'), '44bc2cf5ad770999');
});

test('a key depends on the bytes alone, not on where they lie', () => {
  const url = 'http://example.org/some/page.html?and=query';
  const around = encoder.encode(`xxx${url}yyy`);
  const halves = new Uint32Array(4);
  writeKey(encoder.encode(url), halves, 0);
  writeKey(around.subarray(3, 3 + url.length), halves, 2);
  assert.deepEqual(halves.slice(0, 2), halves.slice(2));
});

test('a hundred thousand URLs have as many keys', () => {
  const seen = new Set<string>();
  for (let i = 0; i < 100_000; i++) seen.add(key(`http://example.org/${i}`));
  assert.equal(seen.size, 100_000);
});
