import assert from 'node:assert/strict';
import test from 'node:test';
import { canonicalUrl } from '#drumline/model/canonical-url.js';
import { writeKey } from '#drumline/model/key.js';
import { UrlList } from '#drumline/model/url-list.js';
import { LINK_AREA, LINK_NOFOLLOW } from '#drumline/parse/link-kinds.js';
import { LinkList } from '#drumline/parse/link-list.js';
import { UrlCanonicaliser } from '#drumline/parse/url-canonicaliser.js';

const encoder = new TextEncoder();

function resolve(
  base: string,
  href: string,
  options: { baseHref?: string; encoding?: string } = {},
): string | null {
  const canonicaliser = new UrlCanonicaliser();
  const page = encoder.encode(base);
  canonicaliser.setBase(page, 0, page.length);
  if (options.encoding !== undefined) canonicaliser.setEncoding(options.encoding);
  if (options.baseHref !== undefined) {
    const bytes = encoder.encode(options.baseHref);
    canonicaliser.setBaseHref(bytes, 0, bytes.length);
  }
  const bytes = encoder.encode(href);
  const out = new UrlList(1);
  return canonicaliser.resolve(bytes, 0, bytes.length, out) ? out.toStrings()[0]! : null;
}

const BASE = 'http://example.org/a/b/c.html?q=1';

test('resolves links as the URL standard does', () => {
  const cases: [string, string | null][] = [
    ['', BASE],
    ['#top', BASE],
    ['?x', 'http://example.org/a/b/c.html?x'],
    ['?', 'http://example.org/a/b/c.html?'],
    ['d', 'http://example.org/a/b/d'],
    ['./d', 'http://example.org/a/b/d'],
    ['../d', 'http://example.org/a/d'],
    ['../../../../d', 'http://example.org/d'],
    ['..', 'http://example.org/a/'],
    ['.', 'http://example.org/a/b/'],
    ['d/./e/../f#x', 'http://example.org/a/b/d/f'],
    ['d/%2e%2e/f', 'http://example.org/a/b/f'],
    ['.d/..e/...', 'http://example.org/a/b/.d/..e/...'],
    ['//Other.ORG', 'http://other.org/'],
    ['//other.org?x', 'http://other.org/?x'],
    ['/\\other.org/x', 'http://other.org/x'],
    ['HTTPS://Other.org:443/X', 'https://other.org/X'],
    ['http://other.org:0080/', 'http://other.org/'],
    ['http://other.org:443/', 'http://other.org:443/'],
    ['http://other.org:99999/', null],
    ['http:d', 'http://example.org/a/b/d'],
    ['http:///other.org/', 'http://other.org/'],
    ['http://user:secret@other.org/', 'http://other.org/'],
    ['http://0x7f.1/', 'http://127.0.0.1/'],
    ['http://[::1]:81/', 'http://[::1]:81/'],
    ['http://münchen.de/ü?ü', 'http://xn--mnchen-3ya.de/%C3%BC?%C3%BC'],
    ['http:// /', null],
    [' \n d e\t\n ', 'http://example.org/a/b/d%20e'],
    ['d\ne', 'http://example.org/a/b/de'],
    [':d', 'http://example.org/a/b/:d'],
    ['1:d', 'http://example.org/a/b/1:d'],
    ['javascript:void(0)', null],
    ['mailto:a@example.org', null],
    ['ftp://example.org/', null],
    ["?it's", 'http://example.org/a/b/c.html?it%27s'],
    [`/${'x'.repeat(2048 - 'http://example.org/'.length)}`, `http://example.org/${'x'.repeat(2029)}`],
    [`/${'x'.repeat(2049 - 'http://example.org/'.length)}`, null],
  ];
  for (const [href, expected] of cases) assert.equal(resolve(BASE, href), expected, JSON.stringify(href));
});

test('what is a host is for the URL class to say, and versions of Node differ in it', () => {
  for (const href of [
    'http://xn--a/',
    'http://xn--/',
    'http://xn--zca.example/',
    'http://a\u00adb.example/',
  ]) {
    const expected = URL.canParse(href) ? new URL(href).href : null;
    assert.equal(resolve(BASE, href), expected, href);
    assert.equal(canonicalUrl(href), expected, href);
  }
});

test('a base element changes what links are resolved against', () => {
  assert.equal(resolve(BASE, 'd', { baseHref: '/x/' }), 'http://example.org/x/d');
  assert.equal(resolve(BASE, '#d', { baseHref: 'http://u:p@other.org/x#f' }), 'http://other.org/x');
  assert.equal(resolve(BASE, 'd', { baseHref: 'data:text/plain,x' }), 'http://example.org/a/b/d');
  assert.equal(resolve(BASE, 'd', { baseHref: 'http://[/' }), 'http://example.org/a/b/d');
  assert.equal(resolve(BASE, 'd', { baseHref: 'ftp://other.org/' }), null);
  assert.equal(resolve(BASE, 'https://other.org/d', { baseHref: 'ftp://other.org/' }), 'https://other.org/d');
});

test('a query is encoded as its page is', () => {
  const cases: [string, string, string][] = [
    ['utf-8', '/é?é', '/%C3%A9?%C3%A9'],
    ['utf-16le', '/?é', '/?%C3%A9'],
    ['windows-1252', '/é?é€‽#é', '/%C3%A9?%E9%80%26%238253%3B'],
    ['iso-8859-2', '?ł', '/a/b/c.html?%B3'],
    ['koi8-r', '/?я', '/?%D1'],
    ['shift_jis', '/?≡表', '/?%81%DF%95\\'],
    ['euc-jp', '/?日本', '/?%C6%FC%CB%DC'],
    ['euc-kr', '/?한', '/?%C7%D1'],
    ['big5', '/?中', '/?%A4%A4'],
    ['gbk', '/?中€', '/?%D6%D0%80'],
  ];
  for (const [encoding, href, expected] of cases) {
    assert.equal(resolve(BASE, href, { encoding }), `http://example.org${expected}`, `${encoding} ${href}`);
  }
});

test('tells the host and the keys of each URL', () => {
  const canonicaliser = new UrlCanonicaliser();
  const page = encoder.encode(BASE);
  canonicaliser.setBase(page, 0, page.length);
  const out = new UrlList(8);
  const hosts = ['example.org', 'example.org', 'other.org', '[::1]', 'example.org'];
  for (const href of ['d', '//example.org:8080/', 'https://other.org/', 'http://[::1]:8/', '#x']) {
    const bytes = encoder.encode(href);
    assert.ok(canonicaliser.resolve(bytes, 0, bytes.length, out));
  }
  const urls = out.toStrings();
  const key = new Uint32Array(2);
  for (const [i, host] of hosts.entries()) {
    assert.equal(new TextDecoder().decode(out.bytes.subarray(out.hostStarts[i]!, out.hostEnds[i]!)), host);
    writeKey(encoder.encode(host), key, 0);
    assert.deepEqual(out.siteKeys.subarray(2 * i, 2 * i + 2), key, host);
    writeKey(encoder.encode(urls[i]!), key, 0);
    assert.deepEqual(out.keys.subarray(2 * i, 2 * i + 2), key, urls[i]);
  }
});

test('keys of URLs of every length are those of the addon', () => {
  const canonicaliser = new UrlCanonicaliser();
  const page = encoder.encode('http://h/');
  canonicaliser.setBase(page, 0, page.length);
  const key = new Uint32Array(2);
  for (let length = 0; length < 300; length++) {
    const out = new UrlList(1);
    const path = encoder.encode('abc/1'.repeat(60).slice(0, length));
    assert.ok(canonicaliser.resolve(path, 0, length, out));
    writeKey(out.bytes.subarray(0, out.ends[0]!), key, 0);
    assert.deepEqual(out.keys, key, `${length}`);
  }
});

test('links of a list lead where they lead one by one; those that must not be followed are left out', () => {
  const hrefs = [
    'a',
    '../b?c#d',
    '//other.org/e',
    'mailto:x',
    'http://münchen.de/ü',
    '/%zz',
    '',
    'http://[bad',
  ];
  const list = new LinkList();
  for (let i = 0; i < 400; i++)
    list.append(
      encoder.encode(`${hrefs[i % 8]}${i % 3}`),
      i % 5 === 0 ? LINK_AREA | LINK_NOFOLLOW : LINK_AREA,
    );
  const one = new UrlList(400);
  const all = new UrlList(400);
  const canonicaliser = new UrlCanonicaliser();
  const page = encoder.encode(BASE);
  canonicaliser.setBase(page, 0, page.length);
  for (let i = 0; i < 400; i++)
    if (i % 5 !== 0) canonicaliser.resolve(list.bytes, list.start(i), list.ends[i]!, one);
  let left = 0;
  for (const [first, last] of [
    [0, 1],
    [1, 1],
    [1, 300],
    [300, 400],
  ] as const)
    left += canonicaliser.resolveAll(list, first, last, all);
  assert.equal(left, 80);
  assert.ok(one.count > 200);
  assert.deepEqual(all.toStrings(), one.toStrings());
  for (const table of ['ends', 'hostStarts', 'hostEnds', 'keys', 'siteKeys'] as const)
    assert.deepEqual(all[table], one[table], table);
});

test('the slow way drops fragment and credentials, and takes no other scheme', () => {
  assert.equal(canonicalUrl('http://u:p@Example.org#x'), 'http://example.org/');
  assert.equal(canonicalUrl('ftp://example.org/'), null);
  assert.equal(canonicalUrl('nonsense'), null);
});
