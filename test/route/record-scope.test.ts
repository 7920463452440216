import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PAGE_URL, RECORD_HEADER, setDepths, setRedirects, writeHeader } from '#drumline/model/record.js';
import { readCrawlOptions } from '#drumline/options/read-options.js';
import { RecordScope } from '#drumline/route/record-scope.js';
import { Scope } from '#drumline/scope/scope.js';

const check = (depth: number, siteDepth: number, redirects = 0, isSitemap = false): string => {
  const url = new TextEncoder().encode('http://a.example/x');
  const record = new Uint8Array(RECORD_HEADER + url.length);
  writeHeader(record, 0, PAGE_URL, 1, 1, 2, 2);
  setDepths(record, 0, depth, siteDepth);
  setRedirects(record, 0, redirects, isSitemap);
  record.set(url, RECORD_HEADER);
  const options = readCrawlOptions([
    ['exclude', '*/x'],
    ['max-depth', '5'],
  ]);
  return new RecordScope(new Scope(options, []), 2).check(record, 0, record.length);
};

test('a seed is in scope, whatever the rules say; where it redirects to is asked', () => {
  assert.equal(check(0, 0), '');
  assert.equal(check(0, 0, 1), 'SCOPE_EXCLUDE');
});

test('a URL too deep in its site is out of scope, as one too deep in the crawl; a sitemap has another depth', () => {
  assert.equal(check(3, 2), 'SCOPE_EXCLUDE');
  assert.equal(check(3, 3), 'DEPTH_PER_SITE');
  assert.equal(check(3, 3, 0, true), 'SCOPE_EXCLUDE');
  assert.equal(check(6, 1), 'SCOPE_DEPTH');
});
