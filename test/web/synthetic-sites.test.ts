import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SyntheticSites } from '#drumline/web/synthetic-sites.js';
import { parseSyntheticSpec } from '#drumline/web/synthetic-spec.js';

const SHAPES = [
  'pages=1',
  'pages=7,sites=7',
  'pages=20,sites=3',
  'pages=5000,sites=2',
  'pages=5000,sites=15',
];
SHAPES.push('pages=30000,sites=600', 'pages=10000,sites=6000,seed=3', 'pages=100,sites=99');

for (const shape of SHAPES) {
  test(`sites of ${shape}`, () => {
    const spec = parseSyntheticSpec(`synthetic:${shape}`);
    const sites = new SyntheticSites(spec);
    let pages = 0;
    let hidden = 0;
    for (let site = 0; site < sites.count; site++) {
      assert.equal(sites.root(site), pages);
      assert.ok(sites.size(site) >= 1);
      assert.ok(sites.regularCount(site) >= 1);
      if (site > 0) assert.ok(sites.size(site) <= sites.size(site - 1) + 1, `site ${site}: largest first`);
      assert.equal(sites.siteOf(pages), site);
      pages += sites.size(site);
      assert.equal(sites.siteOf(pages - 1), site);
      hidden += sites.hiddenCount(site);
    }
    assert.equal(pages, spec.pages);
    assert.equal(hidden, sites.hiddenPages);
  });

  test(`every hidden page has one linker, in another site: ${shape}`, () => {
    const sites = new SyntheticSites(parseSyntheticSpec(`synthetic:${shape}`));
    const linkers = new Map<number, number>();
    let most = 0;
    for (let site = 0; site < sites.count; site++) {
      for (let local = 0; local < sites.regularCount(site); local++) {
        let links = 0;
        sites.hiddenLinkedFrom(site, sites.root(site) + local, (page, target) => {
          assert.notEqual(target, site);
          assert.equal(sites.siteOf(page), target);
          assert.ok(page - sites.root(target) >= sites.regularCount(target), `page ${page} is hidden`);
          linkers.set(page, (linkers.get(page) ?? 0) + 1);
          links++;
        });
        most = Math.max(most, links);
      }
    }
    assert.equal(linkers.size, sites.hiddenPages);
    for (const [page, count] of linkers) assert.equal(count, 1, `page ${page}`);
    assert.ok(most <= 3, `${most} hidden pages on one page`);
  });
}

test('one page in twenty is hidden, none where there is a single site', () => {
  assert.equal(new SyntheticSites(parseSyntheticSpec('synthetic')).hiddenPages, 5000);
  assert.equal(new SyntheticSites(parseSyntheticSpec('synthetic:sites=1')).hiddenPages, 0);
});

test('site sizes follow a power law', () => {
  const sites = new SyntheticSites(parseSyntheticSpec('synthetic:pages=1000000,sites=20000'));
  const size = (rank: number) => sites.size(rank);
  // Ten times the rank, about a tenth of the size, once past the flattened head.
  assert.ok(size(1000) / size(10000) > 7 && size(1000) / size(10000) < 11, `${size(1000)} ${size(10000)}`);
  assert.ok(size(0) < 1_000_000 / 100, 'no site outweighs an agent');
});

test('seeds are about the square root of the sites, the first site among them', () => {
  for (const count of [1, 2, 3, 16, 1000]) {
    const seeds = new SyntheticSites(parseSyntheticSpec(`synthetic:pages=5000,sites=${count}`)).seedSites();
    assert.equal(seeds.length, Math.floor(Math.sqrt(count)));
    assert.equal(seeds[0], 0);
    assert.equal(new Set(seeds).size, seeds.length);
    assert.ok(seeds.every((site) => site < count));
  }
});
