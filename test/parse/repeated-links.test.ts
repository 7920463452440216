import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canonicalUrl } from '#drumline/model/canonical-url.js';
import { UrlList } from '#drumline/model/url-list.js';
import { LinkExtractor } from '#drumline/parse/link-extractor.js';
import { LINK_NOFOLLOW } from '#drumline/parse/link-kinds.js';
import { LinkList } from '#drumline/parse/link-list.js';
import { UrlCanonicaliser } from '#drumline/parse/url-canonicaliser.js';
import { Random } from '#drumline/simulate/random.js';

const PIECES = ['a', 'b', '/', '..', '#', '#f', '?', ' ', '\t', '\n', '%20', 'é', 'http://h.example', 'x:'];
const BASES = [
  'http://h.example/dir/page?q',
  'http://h.example/dir/',
  'mailto:someone',
  'ftp://h.example/d/',
];

const extractor = await LinkExtractor.load();

/** Whether each link stood in the page before, as the extractor sees it. */
function answers(links: readonly string[]): boolean[] {
  const list = new LinkList(links.length, false);
  let repeated = 0;
  return links.map((_, i) => {
    const page = Buffer.from(
      links
        .slice(0, i + 1)
        .map((link) => `<a href="${link}">`)
        .join(''),
    );
    extractor.extract(page, page.length, 'text/html; charset=utf-8', list);
    const isRepeated = list.repeated > repeated;
    repeated = list.repeated;
    return isRepeated;
  });
}

test('a link is repeated if it differs by its fragment and by spaces around it at most', () => {
  assert.deepEqual(answers(['a', 'a#1', ' a\n', 'b', 'a#', 'b#1#2']), [false, true, true, false, true, true]);
  assert.deepEqual(answers(['', '#1', ' ']), [false, true, true]);
  assert.deepEqual(answers(['a', 'a #1', 'a?', 'A']), [false, false, false, false]);
});

test('a hash that may belong to a character reference begins no fragment', () => {
  assert.deepEqual(answers(['a&#38;b', 'a&#39;b', 'a&amp;b#1', 'a&amp;b#2']), [false, false, false, false]);
  assert.deepEqual(answers(['a&#38;b#1', 'a&#38;b#1', ' a&#38;b#1 ']), [false, true, true]);
});

test('what stood in another page is not repeated', () => {
  assert.deepEqual(answers(['a', 'a']), [false, true]);
  assert.deepEqual(answers(['a', '']), [false, false]);
});

/** A link as it may stand in markup, with the quotes it is written in. */
const MARKUP_PIECES = [
  ...[
    'a',
    'b',
    'c/',
    '../',
    '#',
    '#f',
    '?q=',
    ' ',
    '\t',
    '&amp;',
    '&#38;',
    '&#35;',
    '&#x23',
    '&',
    '&num;',
    '%20',
    '\0',
  ],
  ...['\r\n', 'é', 'http://h.example', 'x:', '&nbsp', '&quot;'],
];
const ENCODINGS = ['utf-8', 'windows-1251', 'shift_jis'];

test('a page leads where it leads with repeated links kept, in the same order', () => {
  const numbers = new Random(20261119);
  const random = (below: number): number => numbers.below(below);
  const base = Buffer.from('http://h.example/dir/page?q');
  let repetitions = 0;
  for (let round = 0; round < 300; round++) {
    const tag = (): string => {
      const link = Array.from({ length: random(5) }, () => MARKUP_PIECES[random(MARKUP_PIECES.length)]).join(
        '',
      );
      const quote = ['"', "'", ''][random(3)]!;
      const rel = ['', ' rel=nofollow', ' rel=next'][Math.max(0, random(8) - 5)]!;
      const name = ['a', 'A', 'area', 'iframe src=x></iframe><a'][Math.max(0, random(9) - 5)]!;
      return `<${name} href=${quote}${quote === '' ? link.replace(/[\s>]/g, '') : link}${quote}${rel}>`;
    };
    const text = `${random(4) === 0 ? '<base href="/other/">' : ''}${Array.from({ length: 60 }, tag).join('')}`;
    // Some bytes that are no UTF-8.
    const body = Buffer.from(text, random(2) === 0 ? 'utf-8' : 'latin1');
    const type = `text/html; charset=${ENCODINGS[random(ENCODINGS.length)]}`;
    const all = new LinkList();
    const once = new LinkList(undefined, false);
    extractor.extract(body, body.length, type, all);
    extractor.extract(body, body.length, type, once);
    assert.equal(once.count + once.repeated, all.count, `round ${round}`);
    assert.deepEqual(targets(once, base), targets(all, base), `round ${round}: ${JSON.stringify(text)}`);
    repetitions += once.repeated;
  }
  assert.ok(repetitions > 1000, `${repetitions} repetitions`);
});

/** Where the links of a page lead, each target once, in the order they were found in; first those to be followed. */
function targets(links: LinkList, page: Uint8Array): string[][] {
  return [0, LINK_NOFOLLOW].map((isNofollow) => {
    const urls = new UrlList(links.count);
    const canonicaliser = new UrlCanonicaliser();
    canonicaliser.setBase(page, 0, page.length);
    if (links.baseLength >= 0) canonicaliser.setBaseHref(links.base, 0, links.baseLength);
    canonicaliser.setEncoding(links.encoding);
    for (let i = 0; i < links.count; i++)
      if ((links.kinds[i]! & LINK_NOFOLLOW) === isNofollow)
        canonicaliser.resolve(links.bytes, links.start(i), links.ends[i]!, urls);
    return [...new Set(urls.toStrings())];
  });
}

test('what is called repeated leads where an earlier link leads, by the URL class', () => {
  const numbers = new Random(20261118);
  const random = (below: number): number => numbers.below(below);
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
