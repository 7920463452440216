import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { readLogLine } from '#drumline/log/log-line.js';
import { logFiles } from '#drumline/log/merge-logs.js';
import { CrawlDirectory } from '#drumline/model/crawl-directory.js';
import { nodeDisk } from '#drumline/model/disk.js';
import { temporaryDirectory } from '../web/temporary-directory.js';
import { fullLogDisk } from './full-log-disk.js';
import { runCrawlIn } from './run-crawl.js';

function newDirectory(t: TestContext): CrawlDirectory {
  const path = join(temporaryDirectory(t), 'crawl');
  mkdirSync(path);
  return new CrawlDirectory(path);
}

/** URLs of the pages that were logged; every line must be whole. */
function loggedPages(directory: CrawlDirectory): string[] {
  return logFiles(nodeDisk, directory).flatMap((path) =>
    readFileSync(path, 'utf8')
      .split('\n')
      .filter(Boolean)
      .flatMap((text) => {
        const line = readLogLine(text);
        assert.ok(line !== null, text);
        return line.status === 200 && line.kind === 'page' ? line.url : [];
      }),
  );
}

test('a disk without room for crawl.log pauses a crawl that stores nothing, and no line is lost', async (t) => {
  const directory = newDirectory(t);
  const said: string[] = [];
  const { faults, left } = fullLogDisk(2);
  const given = { web: 'synthetic:pages=900,size=500', agents: '1', log: 'on', store: 'none' };
  const { report } = await runCrawlIn(directory, given, undefined, undefined, {
    faults,
    say: (message) => said.push(message),
  });
  assert.equal(report.outcome, 'exhausted', report.reason ?? '');
  assert.equal(report.coverage, 1);
  assert.equal(left(), 0);
  assert.equal(said[0], 'the crawl is paused: a write found the disk full');
  const pages = loggedPages(directory);
  assert.deepEqual([pages.length, new Set(pages).size], [report.pages, report.pages]);
});

for (const agents of ['0', '2']) {
  test(`lines of crawl.log reach the file while a crawl with ${agents} agents is under way`, async (t) => {
    const directory = newDirectory(t);
    // Pages come so slowly that a buffer would not be full for minutes.
    const given = { web: 'synthetic:pages=2000,size=2000', agents, log: 'on', bandwidth: '20kbit' };
    let seen = 0;
    const { report } = await runCrawlIn(directory, { ...given, 'max-duration': '10s' }, undefined, (run) => {
      const look = setInterval(() => {
        const part = directory.crawlLogPart(0, 0);
        seen = existsSync(part) ? readFileSync(part, 'latin1').split('\n').length - 1 : 0;
        if (seen === 0) return;
        clearInterval(look);
        run.requestStop('interrupted');
      }, 20);
      t.after(() => clearInterval(look));
    });
    assert.ok(seen > 0, 'nothing was seen');
    assert.equal(report.outcome, 'interrupted');
  });
}
