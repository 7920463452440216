/** Agents that die in the middle of a crawl: nothing is lost, nothing is counted twice. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { Generations } from '#drumline/checkpoint/generations.js';
import { CrawlDirectory } from '#drumline/model/crawl-directory.js';
import { nodeDisk } from '#drumline/model/disk.js';
import { checkArchive } from '../store/check-archive.js';
import { deathNearTarget } from './death-near-target.js';
import { httpCrawl } from './http-crawl.js';
import { links, localWeb, pages } from './http-local-web.js';
import { pageFaults } from './page-faults.js';
import { type GivenOptions, type OnStart, runCrawl, runCrawlIn } from './run-crawl.js';
import { slowDisk } from './slow-disk.js';

const SMALL = { agents: '2', web: 'synthetic:pages=1500' };
/** How the URL of one of its pages ends. */
const POISONED = '/forum/The-15-story';

/** Kills agents in turn, a pause apart, until so many were. */
const killer =
  (kills: number, agents: number, pause: number): OnStart =>
  (run) => {
    void (async () => {
      for (let killed = 0; killed < kills; ) {
        await setTimeout(pause);
        if (run.killAgent(killed % agents)) killed++;
      }
    })();
  };

/** `npm run torture` sets this. */
const KILLS = Number(process.env['TORTURE_DEATHS'] ?? 3);
const OFTEN = { 'checkpoint-interval': '50ms' };
const cases: [string, GivenOptions][] = [
  ['before the first checkpoint', { web: 'synthetic:pages=4000' }],
  ['between and in checkpoints', { web: 'synthetic:pages=7000', ...OFTEN }],
  ['while they store pages', { web: 'synthetic:pages=2500,redirects=0.05', store: 'warc', ...OFTEN }],
];

for (const [when, options] of cases) {
  test(`agents that are killed ${when} lose and repeat nothing`, { timeout: 20_000 * KILLS }, async () => {
    const path = mkdtempSync(join(tmpdir(), 'drumline-test-'));
    try {
      const directory = new CrawlDirectory(path);
      const given = { agents: '3', 'list-pages': null, log: 'on', ...options };
      const { report, listed } = await runCrawlIn(directory, given, undefined, killer(KILLS, 3, 5));
      assert.equal(report.outcome, 'exhausted', report.reason);
      assert.equal(report.restarts, KILLS);
      assert.equal(report.coverage, 1);
      assert.equal(report.overlap, 0);
      assert.equal(new Set(listed).size, listed.length);
      assert.equal(listed.length, report.pages);
      if (options['store'] !== 'warc') return;
      const { counts, faults } = checkArchive(path, true);
      assert.deepEqual(faults, []);
      assert.deepEqual({ ...counts, duplicateBytes: 0 }, { ...report.store, duplicateBytes: 0 });
    } finally {
      rmSync(path, { recursive: true, force: true });
    }
  });
}

test('a page that kills its agent twice is quarantined, and all others are crawled', {
  timeout: 60_000,
}, async () => {
  const faults = { faults: pageFaults({ kills: POISONED }) };
  const { report, listed } = await runCrawl({ 'list-pages': null, ...SMALL }, undefined, undefined, faults);
  assert.equal(report.outcome, 'exhausted', report.reason);
  assert.equal(report.restarts, 2);
  assert.equal(report.errors['QUARANTINED'], 1);
  assert.ok(!listed.some((url) => url.endsWith(POISONED)));
  assert.equal(report.overlap, 0);
  const sound = await runCrawl({ 'list-pages': null, ...SMALL });
  assert.ok(sound.listed.some((url) => url.endsWith(POISONED)));
  assert.ok(report.pages > 0.9 * sound.report.pages, `${report.pages} of ${sound.report.pages}`);
});

test('a page that hangs its agent is one that kills it', { timeout: 60_000 }, async () => {
  const faults = { faults: pageFaults({ hangs: POISONED }), hangTimeout: 500 };
  const { report } = await runCrawl(SMALL, undefined, undefined, faults);
  assert.equal(report.outcome, 'exhausted', report.reason);
  assert.equal(report.errors['QUARANTINED'], 1);
});

test('a page that hangs its agent in an answer of the network is one that kills it', {
  timeout: 60_000,
}, async (t) => {
  const web = await localWeb(t, {
    bad: pages({ '/': links('/poisoned', '/sound'), '/poisoned': 'poison', '/sound': 'sound' }),
  });
  const given = { 'host-delay': '10ms' };
  const faults = { faults: pageFaults({ hangs: '/poisoned' }), hangTimeout: 500 };
  const crawl = await httpCrawl(t, [web.url('bad')], given, undefined, faults);
  assert.equal(crawl.report.outcome, 'exhausted', crawl.report.reason ?? '');
  assert.equal(crawl.report.restarts, 2);
  assert.equal(crawl.last(web.url('bad', '/poisoned')).reason, 'QUARANTINED');
  assert.ok(crawl.pages.includes(web.url('bad', '/sound')));
});

for (const [what, interval] of [
  ['the saves of a checkpoint', '100ms'],
  ['the end', 'off'],
] as const) {
  test(`an agent is not taken for dead while its disk is slow at ${what}`, { timeout: 60_000 }, async () => {
    const surroundings = { faults: slowDisk(700, 2), hangTimeout: 500 };
    const given = { agents: '2', web: 'synthetic:pages=300,size=2000', store: 'warc', 'min-free': '0' };
    const { report } = await runCrawl(
      { ...given, 'checkpoint-interval': interval },
      undefined,
      undefined,
      surroundings,
    );
    assert.equal(report.outcome, 'exhausted', report.reason ?? '');
    assert.deepEqual([report.restarts, report.coverage, report.overlap], [0, 1, 0]);
  });
}

test('an agent that dies near the target does not count for it until it lives again', {
  timeout: 60_000,
}, async () => {
  const given = { 'list-pages': null, agents: '2', web: 'synthetic:pages=3000', 'target-pages': '300' };
  const { report, listed } = await runCrawl(given, undefined, undefined, {
    faults: deathNearTarget(150, 250),
  });
  assert.equal(report.outcome, 'target', report.reason);
  assert.equal(report.restarts, 1);
  assert.equal(report.pages, 300);
  assert.equal(new Set(listed).size, 300);
});

test('an agent that dies again and again ends the crawl, saved', { timeout: 60_000 }, async () => {
  const path = mkdtempSync(join(tmpdir(), 'drumline-test-'));
  try {
    const faults = { faults: pageFaults({ kills: '' }) };
    const directory = new CrawlDirectory(path);
    const { report } = await runCrawlIn(directory, SMALL, undefined, undefined, faults);
    assert.equal(report.outcome, 'failed');
    assert.match(report.reason ?? '', /^agent \d died: poisoned by http.*; too many died within a minute$/);
    assert.equal(new Generations(nodeDisk, directory).current(), 1, 'a checkpoint was made');
  } finally {
    rmSync(path, { recursive: true, force: true });
  }
});

test('what was stored before an agent ended the crawl is in the report', { timeout: 60_000 }, async () => {
  const given = { ...SMALL, store: 'warc', 'min-free': '0', 'checkpoint-interval': 'off' };
  const faults = { faults: pageFaults({ kills: POISONED }) };
  const { report } = await runCrawl(given, undefined, undefined, faults);
  assert.equal(report.outcome, 'failed');
  const { files, records } = report.store!;
  assert.ok(files > 0);
  assert.ok(records['response']! > 0, JSON.stringify(records));
});
