import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LinkRule, Web } from '#drumline/model/web.js';
import { openWeb } from '#drumline/web/open-web.js';
import { SyntheticSites } from '#drumline/web/synthetic-sites.js';
import { parseSyntheticSpec } from '#drumline/web/synthetic-spec.js';
import { fetchText } from './fetch-text.js';
import { referenceLinks } from './reference-links.js';

function numbers(bits: Uint8Array): number[] {
  const set: number[] = [];
  for (let i = 0; i < 8 * bits.length; i++) if ((bits[i >>> 3]! >>> (i & 7)) & 1) set.push(i);
  return set;
}

/** The longest rule of the group for every robot decides, as RFC 9309 says. */
function isAllowed(robots: string, path: string): boolean {
  const [, group = ''] = /(?:^|\n)user-agent: \*\n([\s\S]*?)(?:\nuser-agent|$)/i.exec(robots) ?? [];
  let best = { allow: true, length: 0 };
  for (const [, verb, prefix] of group.matchAll(/^(allow|disallow): *([^\s#]*)/gim)) {
    if (prefix !== '' && path.startsWith(prefix!) && prefix!.length > best.length) {
      best = { allow: verb!.toLowerCase() === 'allow', length: prefix!.length };
    }
  }
  return best.allow;
}

/** A crawler of strings and sets that knows nothing but what it fetches. */
function crawl(web: Web, seeds: Iterable<string>, rule: LinkRule): number[] {
  const fetcher = web.fetcher();
  const seen = new Set<string>();
  const queue: string[] = [];
  const found = new Set<number>();
  const robots = new Map<string, string>();
  const push = (url: string): void => {
    if (!seen.has(url)) queue.push(url);
    seen.add(url);
  };
  const follow = (url: URL, from: string): void => {
    if (!web.hasSite(url.hostname)) return;
    push(new URL('/', url).href);
    if (rule === 'full-coverage' || from === '' || url.hostname === from) push(url.href);
  };
  for (const seed of seeds) follow(new URL(seed), '');
  for (const at of queue) {
    const url = new URL(at);
    if (!robots.has(url.origin)) {
      const { status, text } = fetchText(fetcher, new URL('/robots.txt', url).href);
      robots.set(url.origin, status === 200 ? text : '');
    }
    if (!isAllowed(robots.get(url.origin)!, url.pathname + url.search)) continue;
    const page = fetchText(fetcher, at);
    if (page.location !== '') follow(new URL(page.location, at), url.hostname);
    if (page.status !== 200) continue;
    found.add(page.pageNumber);
    for (const link of referenceLinks(page.text, at)) follow(new URL(link), url.hostname);
  }
  assert.ok(![...seen].some((url) => url.includes('decoy')), 'a decoy was taken for a link');
  return [...found].sort((a, b) => a - b);
}

const SPECS = [
  'synthetic:pages=400,sites=10,size=1500,links=8',
  'synthetic:pages=400,sites=10,size=1500,links=8,seed=2,dead=0.3,redirects=0.3,robots=0.6',
  'synthetic:pages=300,sites=20,size=500,links=2,robots=1,seed=8',
  'synthetic:pages=200,sites=1,size=500,links=3,robots=1,seed=4',
  'synthetic:pages=30,sites=30,size=500,links=2',
  'synthetic:pages=1',
];
for (const spec of SPECS) {
  for (const rule of ['full-coverage', 'two-level'] as const) {
    test(`what is reachable is what a crawl finds: ${rule}, ${spec}`, () => {
      const web = openWeb(spec);
      assert.deepEqual(numbers(web.truth!.reachable(web.seeds(), rule)), crawl(web, web.seeds(), rule));
    });
  }
}

test('full coverage reaches every page; two-level misses exactly the hidden ones', () => {
  for (const keys of [
    'pages=20000,sites=400',
    'pages=20000,sites=9000,seed=2,dead=0.05,redirects=0.05',
    'pages=50,sites=3',
  ]) {
    const web = openWeb(`synthetic:${keys}`);
    const spec = parseSyntheticSpec(`synthetic:${keys}`);
    const sites = new SyntheticSites(spec);
    const regular: number[] = [];
    for (let page = 0; page < spec.pages; page++) {
      const site = sites.siteOf(page);
      if (page - sites.root(site) < sites.regularCount(site)) regular.push(page);
    }
    assert.equal(numbers(web.truth!.reachable(web.seeds(), 'full-coverage')).length, spec.pages, keys);
    assert.deepEqual(numbers(web.truth!.reachable(web.seeds(), 'two-level')), regular, keys);
  }
});

test('seeds may be any URL', () => {
  const web = openWeb('synthetic:pages=2000,sites=40,size=300,links=4,seed=6');
  const { truth } = web;
  const reached = (...seeds: string[]) => numbers(truth!.reachable(seeds, 'two-level'));
  const sites = new SyntheticSites(parseSyntheticSpec(web.spec));
  const hidden = sites.root(4) - 1;
  const root = sites.root(3);
  assert.deepEqual(reached(), []);
  assert.deepEqual(reached('http://elsewhere.example/', 'no URL', 'mailto:a@b'), []);
  assert.ok(!reached(truth!.urlOf(root)).includes(hidden));
  assert.ok(reached(truth!.urlOf(hidden)).includes(hidden));
  assert.ok(reached(truth!.urlOf(hidden)).includes(root), 'a seed names its site');
  const odd = truth!.urlOf(root).replace(/:\/\/[^/]+/, (host) => host.toUpperCase());
  assert.deepEqual(reached(`${odd}#top`), reached(truth!.urlOf(root)));
  assert.deepEqual(reached(`${truth!.urlOf(root)}gone/5`), reached(truth!.urlOf(root)));
});
