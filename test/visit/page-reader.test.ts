import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AgentCounters, allocateCounters } from '#drumline/model/counters.js';
import { DrumlineError } from '#drumline/model/errors.js';
import { type FetchedPage, WHOLE_ANSWER } from '#drumline/model/web.js';
import { LinkExtractor } from '#drumline/parse/link-extractor.js';
import { PageReader } from '#drumline/visit/page-reader.js';

const URL_BYTES = new TextEncoder().encode('--http://a.example/dir/page--');
const extractor = await LinkExtractor.load();

function pageOf(text: string, more: Partial<FetchedPage> = {}): FetchedPage {
  const body = Buffer.from(text);
  return {
    ...WHOLE_ANSWER,
    status: 200,
    body,
    bodyLength: body.length,
    contentType: 'text/html; charset=utf-8',
    location: '',
    pageNumber: -1,
    ...more,
  };
}

function read(text: string, more: Partial<FetchedPage> = {}) {
  const page = pageOf(text, more);
  const counters = new AgentCounters(allocateCounters(1), 0);
  const reader = new PageReader(extractor, counters, 3);
  const problem = reader.read(page, URL_BYTES, 2, URL_BYTES.length - 2);
  return { problem, urls: reader.urls.toStrings(), nofollow: reader.nofollow, counters };
}

test('links are resolved against the base, those of the header against the page', () => {
  const { urls } = read('<base href=/b/><a href=x>', { link: '<2>; rel=next' });
  assert.deepEqual(urls, ['http://a.example/dir/2', 'http://a.example/b/x']);
});

test('links over the bound are counted', () => {
  const { urls, counters } = read('<a href=1><a href=2><a href=3><a href=4><a href=5>');
  assert.equal(urls.length, 3);
  assert.equal(counters.get('linksExtracted'), 3);
  assert.equal(counters.get('linksDropped'), 2);
});

test('links that stand there again count, but take no room', () => {
  const { urls, counters } = read('<a href=1><a href=1#a><a href="1"><a href=2><a href=3>');
  assert.equal(urls.length, 3);
  assert.equal(counters.get('linksExtracted'), 5);
  assert.equal(counters.get('linksDropped'), 0);
  assert.equal(read('<meta name=robots content=nofollow><a href=1><a href=1>').nofollow, 2);
});

test('what says nofollow is not followed: a link, a page, a header', () => {
  const one = read('<a href=1 rel=nofollow><a href=2>');
  assert.deepEqual([one.urls, one.nofollow], [['http://a.example/dir/2'], 1]);
  const page = read('<meta name=robots content=nofollow><a href=1><a href=2>');
  assert.deepEqual([page.urls, page.nofollow], [[], 2]);
  assert.deepEqual(read('<a href=1>', { robotsTag: 'none' }).urls, []);
  assert.equal(read('<a href=1>', { robotsTag: 'otherbot: nofollow' }).urls.length, 1);
});

test('a page that can not be read is an error, and the next is read', (t) => {
  const failing = t.mock.method(extractor, 'extract', () => {
    throw new DrumlineError('MARKUP', 'too large', 'drop-url');
  });
  assert.equal(read('<a href=x>').problem, 'MARKUP');
  failing.mock.restore();
  assert.deepEqual(read('<a href=x>').urls, ['http://a.example/dir/x']);
});

test('where a redirect leads', () => {
  const reader = new PageReader(extractor, new AgentCounters(allocateCounters(1), 0), 3);
  reader.resolve('../up', URL_BYTES, 2, URL_BYTES.length - 2);
  assert.deepEqual(reader.urls.toStrings(), ['http://a.example/up']);
  reader.resolve('javascript:void 0', URL_BYTES, 2, URL_BYTES.length - 2);
  assert.deepEqual(reader.urls.toStrings(), []);
});

test('a link that stands in a page again is resolved once for each base', () => {
  const { urls, counters } = read('<base href=/b/><a href="x#1"><a href=x>', { link: '<x>; rel=next' });
  assert.deepEqual(urls, ['http://a.example/dir/x', 'http://a.example/b/x']);
  assert.equal(counters.get('linksExtracted'), 3);
});

test('a page of many long URLs is read a part at a time: all of them, in little memory', () => {
  const reader = new PageReader(extractor, new AgentCounters(allocateCounters(1), 0), 100_000);
  const links = Array.from({ length: 5000 }, (_, i) => `<a href=${i}>`).join('');
  const text = `<base href=/${'b'.repeat(1500)}/>${links}`;
  assert.equal(reader.read(pageOf(text), URL_BYTES, 2, URL_BYTES.length - 2), '');
  const names: string[] = [];
  do for (const url of reader.urls.toStrings()) names.push(url.slice(url.lastIndexOf('/') + 1));
  while (reader.more());
  assert.deepEqual(
    names,
    Array.from({ length: 5000 }, (_, i) => `${i}`),
  );
  assert.ok(reader.urls.bytes.length <= 1 << 20, `${reader.urls.bytes.length} bytes for 8 MB of URLs`);
});
