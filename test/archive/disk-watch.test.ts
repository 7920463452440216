import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { DiskWatch } from '#drumline/archive/disk-watch.js';
import { allocateStopMemory, StopConditions } from '#drumline/boards/stop-conditions.js';
import { CrawlDirectory } from '#drumline/model/crawl-directory.js';
import { runCrawlIn } from '../run/run-crawl.js';
import { temporaryDirectory } from '../web/temporary-directory.js';

function newDirectory(t: TestContext): CrawlDirectory {
  const path = join(temporaryDirectory(t), 'crawl');
  mkdirSync(path);
  return new CrawlDirectory(path);
}

const LIMITS = { 'target-pages': Number.POSITIVE_INFINITY, 'max-bytes': Number.POSITIVE_INFINITY };
const STORED = { web: 'synthetic:pages=300,size=2000', agents: '2', store: 'warc', 'min-free': '1GB' };

test('too little room pauses, is told once, and ends when there is room', () => {
  const stop = new StopConditions(allocateStopMemory(1), LIMITS);
  const said: string[] = [];
  let free = 5e9;
  let wakes = 0;
  const watch = new DiskWatch({
    minFree: 2e9,
    freeBytes: () => free,
    stop,
    wake: () => wakes++,
    say: (message) => said.push(message),
  });
  watch.check();
  assert.deepEqual([stop.isPaused, said, wakes], [false, [], 0]);
  free = 1e9;
  watch.check();
  watch.check();
  assert.equal(stop.isPaused, true);
  assert.deepEqual(said, ['the crawl is paused: 1.0 GB free on the disk, less than --min-free 2.0 GB']);
  free = 3e9;
  watch.check();
  assert.deepEqual([stop.isPaused, stop.isShortOfRoom, wakes], [false, true, 1]);
  watch.check();
  assert.equal(stop.isShortOfRoom, false);
  assert.equal(wakes, 2, 'the coordinator looks whether a checkpoint is due');
  assert.deepEqual(said.slice(1), ['there is room on the disk: the crawl goes on']);
});

test('room that can not be told is looked at again', () => {
  const stop = new StopConditions(allocateStopMemory(1), LIMITS);
  let isBroken = true;
  const freeBytes = (): number => {
    if (isBroken) throw new Error('too many open files');
    return 0;
  };
  const watch = new DiskWatch({ minFree: 1, freeBytes, stop, wake: () => {}, say: () => {} });
  watch.check();
  assert.equal(stop.isPaused, false);
  isBroken = false;
  watch.check();
  assert.equal(stop.isPaused, true);
});

test('a pause ends though room can not be told any more', () => {
  const stop = new StopConditions(allocateStopMemory(1), LIMITS);
  const said: string[] = [];
  let isBroken = false;
  const freeBytes = (): number => {
    if (isBroken) throw new Error('too many open files');
    return 0;
  };
  let wakes = 0;
  const wake = (): number => wakes++;
  const watch = new DiskWatch({ minFree: 1, freeBytes, stop, wake, say: (line) => said.push(line) });
  watch.check();
  assert.equal(stop.isPaused, true);
  isBroken = true;
  watch.check();
  assert.deepEqual([stop.isPaused, wakes], [false, 1]);
  watch.check();
  assert.equal(stop.isShortOfRoom, false);
  assert.equal(said.at(-1), 'there is room on the disk: the crawl goes on');
});

test('a crawl that finds the disk full pauses, and is tried again', () => {
  const stop = new StopConditions(allocateStopMemory(1), LIMITS);
  const said: string[] = [];
  const say = (message: string): number => said.push(message);
  const watch = new DiskWatch({ minFree: 0, freeBytes: () => 0, stop, wake: () => {}, say });
  stop.pause();
  watch.check();
  assert.equal(stop.isPaused, false);
  assert.equal(stop.isShortOfRoom, true, 'a checkpoint might find no room');
  stop.pause();
  watch.check();
  assert.deepEqual(said, ['the crawl is paused: a write found the disk full']);
  watch.check();
  assert.equal(stop.isShortOfRoom, false);
});

for (const agents of ['0', '2']) {
  test(`a crawl with ${agents} agents pauses for want of room, and goes on to its end`, async (t) => {
    let looks = 0;
    const said: string[] = [];
    const { report } = await runCrawlIn(newDirectory(t), { ...STORED, agents }, undefined, undefined, {
      // The first look is before the agents begin.
      freeBytes: () => (looks++ === 0 ? 1e6 : 1e12),
      say: (message) => said.push(message),
    });
    assert.equal(report.outcome, 'exhausted');
    assert.equal(report.coverage, 1);
    assert.match(said[0]!, /^the crawl is paused: 1\.0 MB free on the disk, less than --min-free 1\.0 GB$/);
    assert.ok(looks >= 2);
  });
}

test('nothing is fetched while a crawl is paused, and it can be stopped', async (t) => {
  const { report } = await runCrawlIn(
    newDirectory(t),
    STORED,
    undefined,
    (run) => setTimeout(() => run.requestStop('interrupted'), 50),
    { freeBytes: () => 0 },
  );
  assert.equal(report.outcome, 'interrupted');
  assert.equal(report.pages, 0);
});
