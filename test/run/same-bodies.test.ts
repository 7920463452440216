/** Sites that have the same pages, and agents that share the sites: each body is stored once. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { CrawlDirectory } from '#drumline/model/crawl-directory.js';
import { checkArchive } from '../store/check-archive.js';
import { response } from '../web/http/raw-server.js';
import { links, localWeb, type Site } from './http-local-web.js';
import { type OnStart, runCrawlIn } from './run-crawl.js';

const SITES = 12;
const PAGES = 20;

/** Page i is the same on every site, and links to the next two. */
const mirror: Site = (socket, path) => {
  const page = path === '/' ? 0 : Number(/^\/(\d+)$/.exec(path)?.[1] ?? PAGES);
  if (page < PAGES) socket.write(response(links(`/${page + 1}`, `/${page + 2}`)));
  else socket.write(response('not here', 'content-type: text/plain', '404 Not Found'));
};

for (const agents of [1, 4]) {
  test(`${agents} agents store each body of ${SITES} equal sites once`, { timeout: 60_000 }, async (t) => {
    const { report, counts, faults } = await crawlMirrors(t, agents);
    assert.deepEqual(faults, []);
    assert.equal(report.pages, SITES * PAGES);
    // The pages, and what stands for those that are not there.
    assert.equal(counts.records['response'], PAGES + 1);
    assert.equal(counts.records['revisit'], report.store!.duplicates);
    assert.deepEqual(counts.records, report.store!.records);
  });
}

test('agents that die leave each body stored once', { timeout: 60_000 }, async (t) => {
  let killed = 0;
  const { report, counts, faults } = await crawlMirrors(t, 3, (run) => {
    const kill = setInterval(() => {
      if (run.killAgent(killed % 3)) killed++;
      if (killed === 4) clearInterval(kill);
    }, 15);
    t.after(() => clearInterval(kill));
  });
  assert.equal(report.outcome, 'exhausted', report.reason ?? '');
  assert.ok(killed > 0, 'no agent was killed');
  assert.deepEqual(faults, []);
  assert.equal(report.pages, SITES * PAGES);
  assert.equal(counts.records['response'], PAGES + 1);
  assert.deepEqual(counts.records, report.store!.records);
});

async function crawlMirrors(t: Parameters<typeof localWeb>[0], agents: number, onStart?: OnStart) {
  const path = mkdtempSync(join(tmpdir(), 'drumline-same-'));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  const names = Array.from({ length: SITES }, (_, i) => `mirror-${i}`);
  const web = await localWeb(t, Object.fromEntries(names.map((name) => [name, mirror])));
  const directory = new CrawlDirectory(path);
  const given = {
    web: 'http',
    agents: `${agents}`,
    store: 'warc',
    contact: 'mailto:test@example.org',
    'allow-private': null,
    'host-delay': '0s',
    'ip-delay': '0s',
    'checkpoint-interval': '50ms',
  };
  const seeds = names.map((name) => web.url(name));
  const { report } = await runCrawlIn(directory, given, seeds, onStart);
  return { report, ...checkArchive(path, onStart !== undefined) };
}
