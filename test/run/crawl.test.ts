import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { test } from 'node:test';
import { openWeb } from '#drumline/web/open-web.js';
import { runCrawl } from './run-crawl.js';

const SMALL = 'synthetic:pages=1200,sites=40,size=2000';

async function assertExact(given: Record<string, string | null>): Promise<void> {
  const { report } = await runCrawl(given);
  const what = JSON.stringify({ given, errors: report.errors });
  assert.equal(report.outcome, 'exhausted', what);
  assert.equal(report.coverage, 1, what);
  assert.equal(report.overlap, 0, what);
  assert.equal(report.pages, report.reachablePages, what);
}

for (const agents of [0, 1, 2, 3, 7, 16]) {
  test(`${agents} agents crawl every reachable page once`, () =>
    assertExact({ agents: `${agents}`, web: SMALL }));
}

const TIGHT = { 'ring-bytes': '4096', memory: '8MB' };
test('2 agents with rings of 4 KB and the least memory', () =>
  assertExact({ agents: '2', web: SMALL, ...TIGHT }));
test('2 agents over dead links and redirects', () =>
  assertExact({ agents: '2', web: `${SMALL},seed=2,dead=0.05,redirects=0.05` }));
test('2 agents obey robots.txt', () => assertExact({ agents: '2', web: `${SMALL},seed=3,robots=0.5` }));
for (const agents of [0, 7]) {
  test(`${agents} agents with all of that`, () =>
    assertExact({
      agents: `${agents}`,
      web: `${SMALL},seed=4,dead=0.05,redirects=0.05,robots=0.5`,
      ...TIGHT,
    }));
}

test('more sites than the shared table holds', async () => {
  // 8 MB leave the table 480 KB: 24,576 sites at most; the others go through every agent's SitePartitionDrum.
  const { report } = await runCrawl({
    agents: '3',
    web: 'synthetic:pages=26000,sites=26000,size=400,links=6',
    memory: '8MB',
  });
  assert.equal(report.coverage, 1);
  assert.equal(report.overlap, 0);
  assert.ok(report.drum.sitePartition.checks > 0, 'the DRUM behind the table was never asked');
});

test('more sites with rules than memory holds rules of', { timeout: 60_000 }, async () => {
  const web = 'synthetic:pages=8000,sites=5000,size=400,links=6,robots=1';
  for (const agents of ['0', '2']) await assertExact({ agents, web, memory: '8MB' });
});

test('two-level misses exactly what links inside a site do not reach', async () => {
  const web = openWeb(SMALL);
  const truth = web.truth!;
  const expected = truth.reachable(web.seeds(), 'two-level');
  const { report, hasVisited } = await runCrawl({ agents: '7', web: SMALL, links: 'two-level' });
  assert.equal(report.overlap, 0);
  assert.ok(report.coverage! < 1);
  assert.equal(report.pageUrlsExchanged, 0);
  for (let page = 0; page < truth.pages; page++) {
    const reachable = (expected[page >>> 3]! & (1 << (page & 7))) !== 0;
    assert.equal(hasVisited(page), reachable, truth.urlOf(page));
  }
});

for (const web of ['pages=20,sites=3', 'pages=500,sites=1', 'pages=7,sites=7', 'pages=1']) {
  test(`7 agents finish ${web}`, () => assertExact({ agents: '7', web: `synthetic:${web},size=2000` }));
}

test('the page list holds every distinct page once', async () => {
  const { report, listed } = await runCrawl({ agents: '3', web: SMALL, 'list-pages': null });
  assert.equal(listed.length, report.uniquePages);
  assert.equal(new Set(listed).size, listed.length);
});

test('a target is met to the page', async () => {
  for (const agents of ['0', '4']) {
    const { report } = await runCrawl({ agents, web: `${SMALL},dead=0.1`, 'target-pages': '777' });
    assert.equal(report.outcome, 'target');
    assert.equal(report.pages, 777);
  }
});

test('a bound on bytes stops the crawl soon after', async () => {
  const { report } = await runCrawl({ agents: '3', web: SMALL, 'max-bytes': '1MB' });
  assert.equal(report.outcome, 'bytes');
  assert.ok(report.bytes >= 1e6 && report.bytes < 1.1e6, `${report.bytes} bytes`);
});

test('a bound on time and an interruption stop a throttled crawl', async () => {
  const slow = { agents: '2', web: SMALL, bandwidth: '100kbit' };
  assert.equal((await runCrawl({ ...slow, 'max-duration': '50ms' })).report.outcome, 'duration');
  const { report } = await runCrawl(slow, undefined, (run) => run.requestStop('interrupted'));
  assert.equal(report.outcome, 'interrupted');
});

test('pages and depth per site are bounded', async () => {
  const web = 'synthetic:pages=2000,sites=4,size=2000';
  for (const agents of ['0', '3']) {
    const { report, listed } = await runCrawl({ agents, web, 'pages-per-site': '20', 'list-pages': null });
    const perSite = new Map<string, number>();
    for (const url of listed) perSite.set(new URL(url).host, (perSite.get(new URL(url).host) ?? 0) + 1);
    assert.deepEqual([...perSite.values()], [20, 20, 20, 20]);
    assert.ok(report.errors['PAGES_PER_SITE']! > 0);
    const shallow = await runCrawl({ agents, web, 'depth-per-site': '1' });
    assert.ok(shallow.report.pages > 4 && shallow.report.pages < 2000, `${shallow.report.pages} pages`);
  }
});

test('seeds of unknown hosts are refused, others are crawled from a page that is no root', async () => {
  const web = openWeb(SMALL);
  const inner = web.truth!.urlOf(25);
  const { report } = await runCrawl({ agents: '3', web: SMALL }, [
    'http://nowhere.invalid/x',
    inner,
    'http://nowhere.invalid/',
  ]);
  assert.equal(report.errors['NO_SUCH_HOST'], 1);
  assert.equal(report.coverage, 1);
  assert.equal(report.overlap, 0);
});

test('6 crawls in a row end, and none early', async () => {
  for (let i = 1; i <= 6; i++)
    await assertExact({ agents: '4', web: `synthetic:pages=400,size=2000,seed=${i}` });
});

test('an agent that throws ends the crawl with its number and the cause', async () => {
  const { report } = await runCrawl({ agents: '3', web: SMALL }, undefined, (_run, directory) => {
    // Where agent 1 wants a directory stands a file.
    const inTheWay = dirname(directory.pageUrlDrum(1));
    mkdirSync(dirname(inTheWay), { recursive: true });
    writeFileSync(inTheWay, '');
  });
  assert.equal(report.outcome, 'failed');
  assert.match(report.reason!, /^agent 1 failed: .*agent-1/);
  assert.ok(!report.reason!.includes('\n'));
});
