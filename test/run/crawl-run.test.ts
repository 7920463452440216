/** How a crawl goes on from a checkpoint. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { CheckpointFiles } from '#drumline/checkpoint/checkpoint-files.js';
import { Generations } from '#drumline/checkpoint/generations.js';
import { CrawlDirectory } from '#drumline/model/crawl-directory.js';
import { type Disk, nodeDisk } from '#drumline/model/disk.js';
import { beginnings } from './beginnings.js';
import { resumeIn, runCrawlIn } from './run-crawl.js';

const SMALL = { agents: '2', web: 'synthetic:pages=600,size=2000' };

/** A crawl that was stopped after so many pages. */
async function stopped(t: TestContext, pages: number): Promise<CrawlDirectory> {
  const path = mkdtempSync(join(tmpdir(), 'drumline-test-'));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  const directory = new CrawlDirectory(path);
  const { report } = await runCrawlIn(directory, { ...SMALL, 'target-pages': `${pages}` });
  assert.equal(report.outcome, 'target');
  return directory;
}

for (const [limit, value] of [
  ['target-pages', '50'],
  ['max-bytes', '10KB'],
] as const) {
  test(`a crawl that goes on with --${limit} reached already ends at once`, {
    timeout: 20_000,
  }, async (t) => {
    const directory = await stopped(t, 50);
    const report = await resumeIn(directory, { ...SMALL, [limit]: value });
    assert.equal(report.outcome, limit === 'max-bytes' ? 'bytes' : 'target');
    assert.equal(report.pages, 50);
    const rest = await resumeIn(directory, SMALL);
    assert.deepEqual([rest.outcome, rest.coverage, rest.overlap], ['exhausted', 1, 0]);
  });
}

test('agents begin when the table of sites is restored, not before', async (t) => {
  const directory = await stopped(t, 100);
  const { faults, count, wait } = beginnings();
  const start = new Generations(nodeDisk, directory).current();
  const { siteTable } = new CheckpointFiles(directory, start);
  let begunBefore = -1;
  const disk: Disk = {
    ...nodeDisk,
    open(path, mode) {
      if (path === siteTable) {
        wait(250);
        begunBefore = count();
      }
      return nodeDisk.open(path, mode);
    },
  };
  const given = { ...SMALL, 'checkpoint-interval': 'off' };
  const report = await resumeIn(directory, given, { disk, faults });
  assert.deepEqual([report.outcome, report.coverage, report.overlap], ['exhausted', 1, 0]);
  assert.equal(begunBefore, 0);
  assert.equal(count(), 2);
});
