import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { hostEnd } from '#drumline/model/canonical-url-bytes.js';
import { readCrawlOptions } from '#drumline/options/read-options.js';
import { Scope } from '#drumline/scope/scope.js';
import { matchesGlob, UrlPatterns } from '#drumline/scope/url-patterns.js';
import { Random } from '#drumline/simulate/random.js';

const encoder = new TextEncoder();
const LEAD = 'lead';

type Given = readonly (readonly [name: string, value: string | null])[];

/** Checks URLs that do not stand at the beginning of their buffer. */
function checker(given: Given, seeds: Iterable<string> = []) {
  const scope = new Scope(readCrawlOptions(given), seeds);
  return (url: string, depth = 1): string => {
    const bytes = encoder.encode(`${LEAD}${url}/tail/tail/tail/tail`);
    const hostStart = LEAD.length + url.indexOf('//') + 2;
    const end = LEAD.length + url.length;
    return scope.check(bytes, LEAD.length, end, hostStart, hostEnd(bytes, hostStart), depth);
  };
}

test('by default all is in scope but traps', () => {
  const check = checker([]);
  for (const path of ['/', '/a', '/a/b/c?d=/e/e/e/e/e/e', '/a/a/a', '/a/a/a/', '/x/a/x/a/x/a', '//', '/?a']) {
    assert.equal(check(`http://h.example${path}`), '', path);
  }
  assert.equal(check('http://h.example/a', 65535), '');
});

test('traps: a repeated segment, many segments, a long URL', () => {
  const check = checker([]);
  assert.equal(check('http://h.example/a/a/a/a'), 'TRAP_REPEATED_SEGMENT');
  assert.equal(check('http://h.example/a/b/a/c/a/d/a/?q'), 'TRAP_REPEATED_SEGMENT');
  assert.equal(check('http://h.example:81/////'), 'TRAP_REPEATED_SEGMENT');
  const path = (count: number): string => Array.from({ length: count }, (_, i) => `/s${i}`).join('');
  assert.equal(check(`http://h.example${path(20)}`), '');
  assert.equal(check(`http://h.example${path(20)}/`), '');
  assert.equal(check(`http://h.example${path(21)}`), 'TRAP_SEGMENTS');
  assert.equal(checker([['trap-url-bytes', '40']])(`http://h.example/${'a'.repeat(24)}`), 'TRAP_LENGTH');
  assert.equal(checker([['trap-url-bytes', '40']])(`http://h.example/${'a'.repeat(23)}`), '');
});

test('each trap has a switch', () => {
  const deep = `http://h.example${'/a/b'.repeat(500)}`;
  assert.equal(checker([['trap-segments', 'off']])(deep), 'TRAP_REPEATED_SEGMENT');
  assert.equal(checker([['trap-repeated-segments', 'off']])(deep), 'TRAP_SEGMENTS');
  const none: Given = [
    ['trap-segments', 'off'],
    ['trap-repeated-segments', 'off'],
    ['trap-url-bytes', 'off'],
  ];
  assert.equal(checker(none)(deep), '');
  assert.equal(checker([['trap-repeated-segments', '1']])('http://h.example/a/b/a'), 'TRAP_REPEATED_SEGMENT');
});

test('repeated segments are counted as a map counts them', () => {
  for (const most of [1, 3, 7]) {
    const check = checker([
      ['trap-segments', 'off'],
      ['trap-repeated-segments', String(most)],
    ]);
    for (let seed = 1; seed <= 2000; seed++) {
      const random = new Random(seed);
      const segments = Array.from({ length: random.below(30) }, () =>
        random.pick(['a', 'b', 'ab', 'ba', '', 'c', 'd', 'e', 'f', 'ac', 'ca']),
      );
      const path = `/${segments.join('/')}`;
      if (segments.at(-1) === '') segments.pop();
      const counts = new Map<string, number>();
      for (const segment of segments) counts.set(segment, (counts.get(segment) ?? 0) + 1);
      const expected = Math.max(0, ...counts.values()) > most ? 'TRAP_REPEATED_SEGMENT' : '';
      assert.equal(check(`http://h.example${path}`), expected, `seed ${seed}: ${path}`);
    }
  }
});

test('depth', () => {
  const check = checker([['max-depth', '2']]);
  assert.deepEqual(
    [0, 2, 3].map((depth) => check('http://h.example/', depth)),
    ['', '', 'SCOPE_DEPTH'],
  );
});

test('patterns: later rules win, and the first says what is out when none matches', () => {
  const only = checker([['include', 'http://a.example/*']]);
  assert.equal(only('http://a.example/x'), '');
  assert.equal(only('http://b.example/x'), 'SCOPE_EXCLUDE');
  const without = checker([
    ['exclude', '*.pdf'],
    ['include', '*/keep/*'],
    ['exclude', '*/keep/not*'],
  ]);
  assert.equal(without('http://a.example/x'), '');
  assert.equal(without('http://a.example/x.pdf'), 'SCOPE_EXCLUDE');
  assert.equal(without('http://a.example/keep/x.pdf'), '');
  assert.equal(without('http://a.example/keep/not.pdf'), 'SCOPE_EXCLUDE');
  const mixed = checker([
    ['include', 'http://a.example/*'],
    ['exclude', '*/x?z'],
    ['include', '*é*'],
  ]);
  assert.equal(mixed('http://a.example/xyz'), 'SCOPE_EXCLUDE');
  assert.equal(mixed('http://a.example/xyzz'), '');
  assert.equal(mixed('http://b.example/%C3%A9'), '');
  assert.equal(mixed('http://b.example/'), 'SCOPE_EXCLUDE');
});

test('globs match as regular expressions do', () => {
  for (let seed = 1; seed <= 20_000; seed++) {
    const random = new Random(seed);
    const word = (alphabet: string, most: number): string =>
      Array.from({ length: random.below(most) }, () => random.pick([...alphabet])).join('');
    const glob = word('ab**?', 8);
    const text = word('ab?', 12);
    const expression = new RegExp(`^${glob.replaceAll('*', '.*').replaceAll('?', '.')}$`);
    const bytes = encoder.encode(`ab${text}ab`);
    const actual = matchesGlob(encoder.encode(glob), bytes, 2, bytes.length - 2);
    assert.equal(actual, expression.test(text), `seed ${seed}: ${glob} ${text}`);
  }
});

const SEEDS = [
  'http://www.one.example/x',
  'https://two.example:8443/',
  'http://10.0.0.1/',
  'http://[::1]:80/',
  'http://sub.three.example./',
  'http://www.example/',
];

test('same host: any scheme and port of a seed', () => {
  const check = checker(
    [
      ['same-host', null],
      ['same-domain', null],
    ],
    SEEDS,
  );
  for (const url of [
    'https://www.one.example/',
    'http://two.example/',
    'http://10.0.0.1:8/',
    'http://[::1]/',
    'http://sub.three.example/',
    'http://www.one.example./',
  ])
    assert.equal(check(url), '', url);
  for (const url of [
    'http://one.example/',
    'http://a.two.example/',
    'http://example/',
    'http://0.0.1/',
    'http://[::2]/',
  ])
    assert.equal(check(url), 'SCOPE_HOST', url);
});

test('same domain: a seed without www., and all below it', () => {
  const check = checker([['same-domain', null]], SEEDS);
  for (const url of [
    'http://one.example/',
    'http://a.b.one.example/',
    'http://www.one.example/',
    'http://x.two.example:9/',
    'http://sub.three.example/',
    'http://a.www.example/',
  ])
    assert.equal(check(url), '', url);
  for (const url of [
    'http://notone.example/',
    'http://three.example/',
    'http://example/',
    'http://one.example.net/',
    'http://other.example/',
  ])
    assert.equal(check(url), 'SCOPE_DOMAIN', url);
});

test('many seeds are looked up right', () => {
  const host = (i: number): string => `http://h${i}.example/`;
  function* seeds() {
    for (let i = 0; i < 20_000; i++) yield host(i % 10_000);
  }
  const check = checker([['same-host', null]], seeds());
  for (let i = 0; i < 12_000; i++) assert.equal(check(host(i)), i < 10_000 ? '' : 'SCOPE_HOST', host(i));
});

test('without need, seeds are not read', () => {
  const seeds = {
    [Symbol.iterator](): Iterator<string> {
      throw new Error('read');
    },
  };
  assert.equal(checker([], seeds)('http://h.example/'), '');
});

test('half a surrogate pair in a pattern stands for what it becomes in a URL', () => {
  const check = checker([['exclude', '*/\ud800*']]);
  assert.equal(check(new URL('http://h.example/\udc00x').href), 'SCOPE_EXCLUDE');
  assert.equal(check('http://h.example/x'), '');
});

test('the patterns of docs/operations.md leave a site out on all its ports, and no other', () => {
  const document = readFileSync(
    new URL('../docs/operations.md', import.meta.resolve('#drumline/main.js')),
    'utf8',
  );
  const patterns = [...document.matchAll(/--exclude '([^']*www\.example\.org[^']*)'/g)].map(
    ([, pattern]) => pattern!,
  );
  assert.equal(patterns.length, 2);
  const rules = new UrlPatterns(
    [],
    patterns.map((pattern, place) => ({ place, pattern })),
  );
  const admits = (url: string): boolean => rules.admits(new TextEncoder().encode(url), 0, url.length);
  for (const url of [
    'http://www.example.org/',
    'https://www.example.org/x?y',
    'http://www.example.org:8080/x',
    'https://www.example.org:1/',
  ])
    assert.ok(!admits(url), url);
  for (const url of [
    'http://example.org/',
    'http://www.example.org.evil.example/',
    'http://www.example.com/www.example.org/',
  ])
    assert.ok(admits(url), url);
});
