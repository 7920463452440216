import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SitemapBudget } from '#drumline/visit/sitemap-budget.js';

const MEGABYTE = 1 << 20;

/** How many sitemaps of so many URLs and bytes a site may have, and what was taken of them. */
function readAll(
  sitemaps: number,
  urls: number,
  bytes: number,
): { read: number; urls: number; bytes: number } {
  const budget = new SitemapBudget(sitemaps);
  const sum = { read: 0, urls: 0, bytes: 0 };
  for (let used = 0; budget.allowsOneMore(used); sum.read++) {
    const left = budget.left(used);
    const taken = [Math.min(urls, left.entries), Math.min(bytes, left.bytes)] as const;
    used += budget.cost(...taken);
    assert.ok(used < 2 ** 16);
    sum.urls += taken[0];
    sum.bytes += taken[1];
  }
  return sum;
}

test('a site has so many sitemaps, 2,000 URLs and 2 MiB for each of them, whichever is used up first', () => {
  for (const most of [1, 7, 40, 299, 500, 44_444, 60_000]) {
    assert.equal(readAll(most, 0, 0).read, most);
    assert.equal(readAll(most, 2000, 2 * MEGABYTE).read, most);
    for (const [urls, bytes] of [
      [50_000, 5 * MEGABYTE],
      [100, 50 * MEGABYTE],
      [4001, 1000],
    ] as const) {
      const sum = readAll(most, urls, bytes);
      assert.ok(
        sum.urls <= 2000 * most && sum.bytes <= 2 * MEGABYTE * most,
        `${most}: ${JSON.stringify(sum)}`,
      );
      assert.ok(
        sum.urls > 900 * most || sum.bytes > 0.9 * MEGABYTE * most,
        `${most}: ${JSON.stringify(sum)}`,
      );
    }
  }
});
