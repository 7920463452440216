/** What counts as a link, and what is told about it. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { LinkExtractor } from '#drumline/parse/link-extractor.js';
import { LINK_KIND_MASK, LINK_NOFOLLOW } from '#drumline/parse/link-kinds.js';
import { LinkList } from '#drumline/parse/link-list.js';

/** By the numbers of the kinds. */
const KINDS = ['a', 'area', 'frame', 'refresh', 'next', 'prev', 'canonical', 'alternate'];

const extractor = await LinkExtractor.load();
const links = new LinkList();

function extract(page: string | Uint8Array, contentType = 'text/html; charset=utf-8'): string[] {
  const body = typeof page === 'string' ? new TextEncoder().encode(page) : page;
  extractor.extract(body, body.length, contentType, links);
  return links.toStrings().map((value, i) => {
    const kind = links.kinds[i]!;
    return `${KINDS[kind & LINK_KIND_MASK]}${kind & LINK_NOFOLLOW ? '!' : ''} ${value}`;
  });
}

function base(): string | null {
  return links.baseLength < 0 ? null : new TextDecoder().decode(links.base.subarray(0, links.baseLength));
}

test('the elements that carry a link, each with its kind', () => {
  const cases: [string, string[]][] = [
    ['<a href=x>', ['a x']],
    ['<area href=x>', ['area x']],
    ['<iframe src=x></iframe>', ['frame x']],
    ['<frameset><frame src=x></frameset>', ['frame x']],
    ['<link rel=next href=x>', ['next x']],
    ['<link rel=prev href=x><link href=y rel=previous>', ['prev x', 'prev y']],
    ['<link rel=CANONICAL href=x>', ['canonical x']],
    ['<link rel="alternate" hreflang=de href=x>', ['alternate x']],
    ['<link rel="x alternate\tnext y" href=z>', ['next z']],
    ['<link rel="stylesheet" href=x><link rel=icon href=x><link href=x><link rel=next>', []],
    ['<link rel="alternate stylesheet" href=x>', ['alternate x']],
    ['<link rel=n&#101;xt href=x>', ['next x']],
    ['<meta http-equiv=refresh content="5; url=x">', ['refresh x']],
    ['<img src=x><script src=x></script><form action=x><embed src=x><video src=x>', []],
    ['<a name=x><a src=x><iframe href=x></iframe><area src=x>', []],
    ['<svg><a href=x></a></svg>', ['a x']],
  ];
  for (const [page, expected] of cases) assert.deepEqual(extract(page), expected, page);
});

test('rel=nofollow is told with the link', () => {
  const cases: [string, string[]][] = [
    ['<a rel=nofollow href=x>', ['a! x']],
    ['<a href=x rel="external NOFOLLOW noopener">', ['a! x']],
    ['<a href=x rel=nofollows><a href=y>', ['a x', 'a y']],
    ['<a rel=nofollow><a href=x>', ['a x']],
    ['<area rel=nofollow href=x>', ['area! x']],
    ['<link rel="next nofollow" href=x>', ['next! x']],
    ['<a rel="nof&#111;llow" href=x>', ['a! x']],
    ['<a rel=external rel=nofollow href=x>', ['a x']],
  ];
  for (const [page, expected] of cases) assert.deepEqual(extract(page), expected, page);
});

test('meta refresh by the steps of the standard', () => {
  const cases: [string, string | null][] = [
    ['0;url=x', 'x'],
    ['0; URL = x', 'x'],
    ['0, x', 'x'],
    ['0 x', 'x'],
    ['.5;x', 'x'],
    ['1.2.3;x', 'x'],
    [" 5 ; url='x y' z", 'x y'],
    ["5;url='x", 'x'],
    ["5;'x'", 'x'],
    ['5;urlx', 'urlx'],
    ['5;url x', 'url x'],
    ['5', null],
    ['5;', null],
    ['x;url=y', null],
    ['5x;url=y', null],
    [';url=x', null],
    ['', null],
  ];
  for (const [content, expected] of cases) {
    const found = extract(`<meta http-equiv=Refresh content="${content}">`);
    assert.deepEqual(found, expected === null ? [] : [`refresh ${expected}`], content);
  }
  assert.deepEqual(extract('<meta content="0;url=x"><meta name=refresh content="0;url=x">'), []);
});

test('the first base element with an href is told', () => {
  extract('<base target=x><base href="/a&amp;b/"><base href=/c/><a href=x>');
  assert.equal(base(), '/a&b/');
  extract('<base href="">');
  assert.equal(base(), '');
  extract('<a href=x>');
  assert.equal(base(), null);
  extract('<!-- <base href=x> --><script><base href=x></script>');
  assert.equal(base(), null);
});

test('where tree construction ignores a tag, it carries no link', () => {
  const cases: [string, string[]][] = [
    ['<select><a href=x></select><a href=y>', ['a y']],
    ['<select><option><iframe src=x></iframe></select>', []],
    ['<select><input><a href=x>', ['a x']],
    ['<table><tr><td><select><a href=x><td><a href=y>', ['a y']],
    ['<select><template><template><a href=x></template><a href=y></template><a href=z>', ['a x', 'a y']],
    ['<frame src=x>', []],
  ];
  for (const [page, expected] of cases) assert.deepEqual(extract(page), expected, page);
});

test('what is not ASCII comes out as UTF-8, whatever the page is in', () => {
  const page = '<a href="é€?日本">';
  const cases: [Uint8Array, string, string[], string][] = [
    [Buffer.from(page), 'text/html', ['a é€?日本'], 'utf-8'],
    [Buffer.from(`\ufeff${page}`, 'utf16le'), 'text/html', ['a é€?日本'], 'utf-16le'],
    [Buffer.from(`\ufeff${page}`, 'utf16le').swap16(), 'text/html', ['a é€?日本'], 'utf-16be'],
    [Buffer.from('<a href="\xe9\x80">', 'latin1'), 'text/html', ['a é€'], 'windows-1252'],
    [Buffer.from('<a href=\xd1>', 'latin1'), 'text/html; charset=koi8-r', ['a я'], 'koi8-r'],
    [
      Buffer.from('<a href="\x93\xfa\x95\x5c">', 'latin1'),
      'text/html; charset=sjis',
      ['a 日表'],
      'shift_jis',
    ],
    [
      Buffer.from('<a href="a\xffb\xc3">', 'latin1'),
      'text/html; charset=utf-8',
      ['a a\ufffdb\ufffd'],
      'utf-8',
    ],
  ];
  for (const [body, type, expected, encoding] of cases) {
    assert.deepEqual(extract(body, type), expected, encoding);
    assert.equal(links.encoding, encoding);
  }
});

test('headers come first, and are told apart from the page', () => {
  const body = Buffer.from('<base href=/b/><a href=x>');
  const headers = { robotsTag: '', link: '</2>; rel=next, </c>; rel=canonical' };
  extractor.extract(body, body.length, 'text/html', links, headers);
  assert.deepEqual(links.toStrings(), ['/2', '/c', 'x']);
  assert.equal(links.headerCount, 2);
  extractor.extract(Buffer.from('%PDF'), 4, 'application/pdf', links, headers);
  assert.deepEqual([links.count, links.headerCount], [2, 2]);
  extractor.extract(body, body.length, 'text/html', links);
  assert.equal(links.headerCount, 0);
});

test('only markup is parsed', () => {
  for (const type of [
    'text/plain',
    'application/json',
    'image/svg+xml',
    'application/xml',
    'text/css; x=text/html',
  ])
    assert.deepEqual(extract('<a href=x>', type), [], type);
  for (const type of ['TEXT/HTML', ' text/html ;charset=utf-8', 'application/xhtml+xml', ''])
    assert.deepEqual(extract('<a href=x/>', type).length, 1, type);
  assert.deepEqual(extract('\ufeff \n<a href=x>', ''), ['a x']);
  assert.deepEqual(extract('GIF89a <a href=x>', ''), []);
});
