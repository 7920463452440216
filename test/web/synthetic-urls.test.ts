import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openWeb } from '#drumline/web/open-web.js';
import { LONGEST_URL } from '#drumline/web/synthetic-urls.js';
import { fetchText } from './fetch-text.js';

const web = openWeb('synthetic:pages=2000,sites=40,size=300,links=3');
const fetcher = web.fetcher();
const urls = Array.from({ length: 2000 }, (_, page) => web.truth!.urlOf(page));

test('URLs are canonical, distinct, and of many looks', () => {
  assert.equal(new Set(urls).size, urls.length);
  for (const url of urls) assert.equal(new URL(url).href, url);
  const shares = [/^https:/, /\.html$/, /\/$/, /\?.*&/, /^https?:\/\/www\./, /^https?:\/\/[^./]+\.[^./]+\//];
  for (const look of shares) {
    const count = urls.filter((url) => look.test(url)).length;
    assert.ok(count > 20 && count < 1500, `${look}: ${count}`);
  }
  assert.ok(urls.every((url) => url.length < LONGEST_URL));
});

test('the largest numbers fit', () => {
  const large = openWeb('synthetic:pages=1000000000,sites=2');
  const url = large.truth!.urlOf(999_999_999);
  assert.ok(url.length < LONGEST_URL);
  assert.equal(fetchText(large.fetcher(), url).pageNumber, 999_999_999);
});

test('any other URL is a small 404 without links', () => {
  const page = urls.find((url) => url.endsWith('.html'))!;
  const wrong = [
    ...[
      `${page}x`,
      page.slice(0, -1),
      `${page}?a=b`,
      page.replace('.html', '.htm'),
      page.replace(/(\d+)\.html/, '0$1.html'),
    ],
    page.replace(/\d+\.html/, '999999.html'),
    page.replace(/\d+\.html/, '99999999999999999999999999.html'),
    page.replace(/^http:/, 'https:').replace(/^https:/, page.startsWith('https:') ? 'http:' : 'https:'),
    new URL('/robots.txt', page).href,
    new URL('/decoy/title', page).href,
    new URL('/gone/5', page).href,
    ...['/go/1/999999', '/go/3/1', '/go/0/1', '/go/1/', '/go/', '/go/1/01'].map(
      (path) => new URL(path, page).href,
    ),
    'http://decoy.example/decoy/',
    'http://nowhere3.example/gone/3',
    'http://garden99999.example/',
    ...[
      'ftp://x/',
      'http://',
      'http:/',
      '',
      'https://',
      `http://${'9'.repeat(400)}/`,
      `${page}/${'1'.repeat(400)}`,
    ],
  ];
  for (const url of wrong) {
    const { status, text, location, pageNumber, contentType } = fetchText(fetcher, url);
    assert.deepEqual([status, location, pageNumber], [404, '', -1], url);
    assert.ok(text.length < 200 && !text.includes('href'), text);
    assert.match(contentType, /^text\/html/);
  }
});

test('hosts of sites exist, others do not', () => {
  for (const url of urls) assert.ok(web.hasSite(new URL(url).host));
  const host = new URL(urls[0]!).host;
  for (const wrong of [
    '',
    'example',
    'nowhere1.example',
    `${host}x`,
    `x${host}`,
    host.toUpperCase(),
    `${host}:80`,
  ]) {
    assert.ok(!web.hasSite(wrong), wrong);
  }
});
