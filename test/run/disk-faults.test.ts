/** Every fault of the disk, in a sample; `npm run torture` tries them all. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { CheckpointFiles } from '#drumline/checkpoint/checkpoint-files.js';
import { Generations } from '#drumline/checkpoint/generations.js';
import { readManifest } from '#drumline/checkpoint/manifest.js';
import { checkNeeded } from '#drumline/checkpoint/needed-file.js';
import { CrawlDirectory } from '#drumline/model/crawl-directory.js';
import { nodeDisk } from '#drumline/model/disk.js';
import { crawlWithFault, type FaultyCrawl } from './disk-faults.js';
import { failingDisk } from './failing-disk.js';
import { runCrawlIn } from './run-crawl.js';

/** How many changes are tried of each crawl; with as many as it has, each of them is. */
const TRIES = Number(process.env['TORTURE_FAULTS'] ?? 2);
/** Two crawls never make quite the same changes: so many that end before theirs comes, and there are no more. */
const LAST_MISSES = 5;
type Kind = Omit<FaultyCrawl, 'failAt'>;
const KINDS: readonly Kind[] = [
  { agents: 2, store: 'warc', fault: 'fails' },
  { agents: 2, store: 'warc', fault: 'power cut' },
  { agents: 0, store: 'warc', fault: 'power cut' },
];

const say = (line: string): void => void process.stdout.write(`# ${line}\n`);

/** The changes to try, of about so many. Ends by itself: `missed` says how many of the last crawls ended before theirs. */
function* changesToTry(changes: number, missed: () => number): Generator<number> {
  if (TRIES < changes) for (let i = 0; i < TRIES; i++) yield 1 + Math.floor(((i + 0.5) * changes) / TRIES);
  else for (let change = 1; missed() < LAST_MISSES && change < 10 * changes; change++) yield change;
}

for (const kind of KINDS) {
  const { agents, fault, store } = kind;
  const name = `${agents} agents, store ${store}: the disk ${fault}`;
  test(`${name} at any change, and the crawl can be resumed`, async () => {
    const { changes, wrong } = await crawlWithFault({ ...kind, failAt: Number.POSITIVE_INFINITY });
    assert.equal(wrong, '');
    let [hits, missed, tried] = [0, 0, 0];
    const faults: string[] = [];
    for (const failAt of changesToTry(changes, () => missed)) {
      const outcome = await crawlWithFault({ ...kind, failAt });
      tried++;
      missed = outcome.wasHit ? 0 : missed + 1;
      if (outcome.wasHit) hits++;
      if (outcome.wrong !== '')
        say(`${name}: ${faults[faults.push(`change ${failAt}: ${outcome.wrong}`) - 1]}`);
      if (tried % 50 === 0) say(`${name}: ${tried} changes tried, of about ${changes}`);
    }
    say(`${name}: ${hits} of ${tried} faults hit, ${faults.length} crawls not exact`);
    assert.deepEqual(faults, []);
    assert.ok(hits > 0, 'no fault was hit');
  });
}

test('the power goes after a stop: files are there, and the directories that they are in', async () => {
  const parent = mkdtempSync(join(tmpdir(), 'drumline-fault-'));
  try {
    const directory = new CrawlDirectory(join(parent, 'crawl'));
    mkdirSync(directory.path);
    const never = Number.POSITIVE_INFINITY;
    const { disk, faults } = failingDisk(2, directory.path, join(parent, 'shadow'), never, 'power cut');
    const given = {
      agents: '2',
      web: 'synthetic:pages=300,sites=12,size=2000',
      store: 'warc',
      'target-pages': '50',
    };
    await runCrawlIn(directory, { ...given, 'min-free': '0' }, undefined, undefined, { disk, faults });
    disk.cut();
    const generations = new Generations(nodeDisk, directory);
    const files = readManifest(nodeDisk, new CheckpointFiles(directory, generations.current()));
    checkNeeded(nodeDisk, directory.path, files);
    const drums = [directory.pageUrlDrum(0), directory.pageUrlDrum(1), directory.siteUrlDrum];
    for (const drum of drums) assert.ok(nodeDisk.list(drum).length > 0, `${drum} is there`);
  } finally {
    rmSync(parent, { recursive: true, force: true });
  }
});
