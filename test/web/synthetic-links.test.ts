import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEAD, LinkPlan, STRAIGHT, TWO_REDIRECTS } from '#drumline/web/synthetic-links.js';
import { SyntheticSites } from '#drumline/web/synthetic-sites.js';
import { parseSyntheticSpec } from '#drumline/web/synthetic-spec.js';

function count(keys: string) {
  const spec = parseSyntheticSpec(`synthetic:${keys}`);
  const sites = new SyntheticSites(spec);
  const plan = new LinkPlan(spec, sites);
  const counts = { links: 0, inside: 0, dead: 0, redirected: 0, twice: 0, missingHosts: 0 };
  const popularity = new Uint32Array(spec.pages);
  for (let site = 0; site < sites.count; site++) {
    for (let local = 0; local < sites.size(site); local++) {
      plan.plan(site, local);
      counts.links += plan.count;
      for (let i = 0; i < plan.count; i++) {
        const target = plan.sites[i]!;
        const way = plan.ways[i]!;
        if (target === site) counts.inside++;
        if (target < 0) counts.missingHosts++;
        if (way === DEAD) counts.dead++;
        else {
          if (way !== STRAIGHT) counts.redirected++;
          if (way === TWO_REDIRECTS) counts.twice++;
          popularity[sites.root(target) + plan.locals[i]!]!++;
          const isHidden = plan.locals[i]! >= sites.regularCount(target);
          assert.ok(!isHidden || target !== site, `page ${local} of site ${site} leads to a hidden page`);
        }
      }
    }
  }
  return { counts, popularity, spec };
}

function near(actual: number, wanted: number, within: number): void {
  assert.ok(Math.abs(actual - wanted) <= within, `${actual}, not within ${within} of ${wanted}`);
}

for (const keys of [
  'pages=20000,sites=400',
  'pages=20000,sites=30,seed=5,links=10',
  'pages=9000,sites=3000',
]) {
  test(`shares of the links are as asked for: ${keys}`, () => {
    const { counts, spec } = count(`${keys},dead=0.05,redirects=0.1`);
    near(counts.links / spec.pages, spec.links, 0.02 * spec.links);
    near(counts.inside / counts.links, 0.9, 0.01);
    near(counts.dead / counts.links, 0.05, 0.005);
    near(counts.redirected / (counts.links - counts.dead), 0.1, 0.01);
    near(counts.twice / counts.redirected, 0.25, 0.05);
    assert.ok(counts.missingHosts > 0 && counts.missingHosts < counts.dead / 4);
  });
}

test('exact counts of a fixed web', () => {
  assert.deepEqual(count('pages=3000,sites=60,links=10,dead=0.1,redirects=0.1').counts, {
    links: 30020,
    inside: 26977,
    dead: 3083,
    redirected: 2401,
    twice: 587,
    missingHosts: 47,
  });
});

test('with one link a page there is structure and nothing else', () => {
  assert.equal(count('pages=3000,sites=60,links=1').counts.links, 2999);
});

test('all links inside, or none more than structure needs', () => {
  const inside = count('pages=3000,sites=60,intra=1').counts;
  assert.equal(inside.links - inside.inside, 150 + 59, 'hidden pages and roots of sites');
  const outside = count('pages=3000,sites=60,intra=0').counts;
  near(outside.inside / outside.links, 0.17, 0.03);
  const single = count('pages=3000,sites=1,intra=0').counts;
  assert.equal(single.inside, single.links);
});

test('popularity follows a power law', () => {
  const { popularity, counts } = count('pages=20000,sites=400');
  const sorted = popularity.toSorted().reverse();
  const top = sorted.subarray(0, 200).reduce((sum, links) => sum + links, 0);
  assert.ok(
    top / counts.links > 0.1,
    `the first hundredth of the pages gets ${top / counts.links} of the links`,
  );
  assert.ok(
    sorted[19_999]! >= 0 && sorted[10_000]! < counts.links / 20_000,
    'most pages get less than the mean',
  );
});
