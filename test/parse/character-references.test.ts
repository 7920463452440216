import assert from 'node:assert/strict';
import test from 'node:test';
import { decodeValue, MAX_DECODED_GROWTH } from '#drumline/parse/character-references.js';
import { LinkExtractor } from '#drumline/parse/link-extractor.js';
import { LinkList } from '#drumline/parse/link-list.js';
import { LONGEST_REFERENCE_NAME, namedReferences } from '#drumline/parse/named-references.js';

function decode(text: string): string {
  const from = new TextEncoder().encode(text);
  const to = new Uint8Array(MAX_DECODED_GROWTH * from.length + 4);
  const end = decodeValue(from, 0, from.length, to, 4);
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(to.subarray(4, end));
}

test('every named reference of the standard, with and without its semicolon', () => {
  // 2,125 names with a semicolon, of which 106 may lack it.
  assert.equal(namedReferences().size, 2125);
  assert.equal([...namedReferences().values()].filter(({ legacy }) => legacy).length, 106);
  for (const [name, { bytes, legacy }] of namedReferences()) {
    const text = new TextDecoder().decode(bytes);
    assert.ok(name.length <= LONGEST_REFERENCE_NAME, name);
    assert.equal(decode(`x&${name};y`), `x${text}y`, name);
    assert.equal(decode(`&${name}`), legacy ? text : `&${name}`, name);
    assert.equal(decode(`&${name}-`), legacy ? `${text}-` : `&${name}-`, name);
    // In attributes these are parts of a query.
    assert.equal(decode(`&${name}=y`), `&${name}=y`, name);
    if (!namedReferences().has(`${name}1`)) assert.equal(decode(`&${name}1`), `&${name}1`, name);
  }
});

test('numbers, among them those that are no character', () => {
  const cases: [string, string][] = [
    ['&#97;&#x61;&#X61;&#0000097;', 'aaaa'],
    ['&#97&#x61g', 'aag'],
    ['&#97=&#97a', 'a=aa'],
    ['&#x1F600;', '\u{1f600}'],
    ['&#0;&#x0;&#xd800;&#xdfff;&#x110000;&#xffffffffff;', '\ufffd'.repeat(6)],
    ['&#128;&#130;&#x9f;&#129;', '\u20ac\u201a\u0178\u0081'],
    ['&#13;&#10;&#x7f;&#xfffe;', '\r\n\u007f\ufffe'],
    ['&#;&#x;&#xg;&#-1;&#', '&#;&#x;&#xg;&#-1;&#'],
  ];
  for (const [text, expected] of cases) assert.equal(decode(text), expected, text);
});

test('line ends, NUL, and what only looks like a reference', () => {
  assert.equal(decode('a\r\nb\rc\nd\r'), 'a\nb\nc\nd\n');
  assert.equal(decode('\0a\0'), '\ufffda\ufffd');
  assert.equal(decode('& && &; &1; &é; &amp;amp; a&'), '& && &; &1; &é; &amp; a&');
  assert.equal(decode(`&${'a'.repeat(1000)};`), `&${'a'.repeat(1000)};`);
  assert.equal(decode(''), '');
});

test('a value in a page is read as it is alone', async () => {
  const pieces = [
    ...[
      'a',
      'é',
      '&',
      ';',
      '=',
      '#',
      '&amp;',
      '&amp',
      '&AMP;',
      '&lt',
      '&copy=',
      '&notin;',
      '&x=1',
      '&#38;',
      '&#x26',
    ],
    ...['\r', '\r\n', '\0', '/a/path/of/some/length/', '?a=1&amp;b=2', '\u{1f600}'],
  ];
  const extractor = await LinkExtractor.load();
  const list = new LinkList();
  let seed = 20261120;
  const random = (below: number): number => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  };
  for (let round = 0; round < 500; round++) {
    const values = Array.from({ length: 20 }, () =>
      Array.from({ length: random(8) }, () => pieces[random(pieces.length)]).join(''),
    );
    const page = Buffer.from(values.map((value) => `<a href="${value}">`).join('\n'));
    extractor.extract(page, page.length, 'text/html; charset=utf-8', list);
    assert.deepEqual(list.toStrings(), values.map(decode), `round ${round}`);
  }
});
