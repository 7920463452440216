import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { CrawlDirectory } from '#drumline/model/crawl-directory.js';
import { runCrawlIn } from '../run/run-crawl.js';
import { checkArchive, checkKilledIndex } from '../store/check-archive.js';
import { temporaryDirectory } from '../web/temporary-directory.js';

for (const agents of [3, 0]) {
  test(`${agents} agents: the index is made while they crawl, and holds all when they are stopped`, {
    timeout: 60_000,
  }, async (t) => {
    const directory = new CrawlDirectory(temporaryDirectory(t));
    const { index, path } = directory;
    const given = { agents: `${agents}`, web: 'synthetic:pages=20000', bandwidth: '16Mbit', store: 'warc' };
    const options = { ...given, 'checkpoint-interval': '100ms', 'min-free': '0' };
    const sizes: number[] = [];
    const { report } = await runCrawlIn(directory, options, undefined, async (run) => {
      for (let looks = 0; sizes.length < 2 && looks < 5000; looks++) {
        await setTimeout(5);
        const size = existsSync(index) ? readFileSync(index).length : 0;
        if (size > (sizes.at(-1) ?? 0)) sizes.push(size);
      }
      run.requestStop('interrupted');
    });
    assert.equal(report.outcome, 'interrupted', report.reason);
    assert.equal(sizes.length, 2, 'it grew meanwhile');
    assert.deepEqual(checkArchive(path).faults, []);
    assert.deepEqual(checkKilledIndex(path), []);
    const lines = readFileSync(index, 'latin1').split('\n').length - 1;
    assert.equal(lines, report.store!.records['response']! + report.store!.records['revisit']!);
    assert.deepEqual(
      readdirSync(path).filter((name) => name.startsWith('index.cdxj.')),
      [],
    );
  });
}
