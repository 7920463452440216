import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openWeb } from '#drumline/web/open-web.js';
import { DEAD, LinkPlan } from '#drumline/web/synthetic-links.js';
import { SyntheticSites } from '#drumline/web/synthetic-sites.js';
import { parseSyntheticSpec } from '#drumline/web/synthetic-spec.js';
import { fetchText, fetchThrough } from './fetch-text.js';
import { referenceLinks } from './reference-links.js';

const SPECS = [
  'synthetic:pages=600,sites=12,size=3000,links=12',
  'synthetic:pages=400,sites=7,seed=9,size=6000,links=40',
  'synthetic:pages=500,sites=10,seed=2,size=2500,links=20,dead=0.1,redirects=0.2,robots=0.5',
  'synthetic:pages=60,sites=60,seed=3,size=500,links=5',
  'synthetic:pages=300,sites=1,seed=4,size=500,links=1',
  'synthetic:pages=90,sites=2,seed=5,size=1,links=3,intra=0,redirects=1,dead=1',
  'synthetic:pages=1',
  'synthetic:pages=40,sites=3,seed=77,intra=1',
];

for (const spec of SPECS) {
  test(`the links in the bytes are the links of the plan: ${spec}`, () => {
    const web = openWeb(spec);
    const fetcher = web.fetcher();
    const parsed = parseSyntheticSpec(spec);
    const sites = new SyntheticSites(parsed);
    const plan = new LinkPlan(parsed, sites);
    for (let page = 0; page < parsed.pages; page++) {
      const url = web.truth!.urlOf(page);
      assert.equal(new URL(url).href, url);
      const { status, text, pageNumber } = fetchText(fetcher, url);
      assert.deepEqual([status, pageNumber], [200, page], url);
      assert.ok(!/[^\n\x20-\x7e]/.test(text), `${url} has bytes that nothing wrote`);
      assert.ok(text.endsWith('</body></html>\n'), url);
      const links = referenceLinks(text, url);
      const site = sites.siteOf(page);
      plan.plan(site, page - sites.root(site));
      assert.equal(links.length, plan.count, url);
      for (let i = 0; i < plan.count; i++) {
        const link = links[i]!;
        const target = plan.sites[i]!;
        assert.equal(web.hasSite(new URL(link).host), target >= 0, link);
        const { page: found, hops } = fetchThrough(fetcher, link);
        if (plan.ways[i] === DEAD) assert.deepEqual([found.status, hops], [404, 0], link);
        else {
          assert.equal(found.pageNumber, sites.root(target) + plan.locals[i]!, `${url} -> ${link}`);
          assert.equal(hops, plan.ways[i], link);
        }
      }
    }
  });
}
