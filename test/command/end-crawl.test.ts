/** However a crawl ends, and wherever its ending is cut short, its results come to be whole. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Generations } from '#drumline/checkpoint/generations.js';
import { endCrawl, wasJoined } from '#drumline/command/end-crawl.js';
import { CrawlDirectory } from '#drumline/model/crawl-directory.js';
import { saveJson } from '#drumline/model/json-file.js';
import { fields } from '#drumline/model/shape.js';
import { MemoryDisk } from '#drumline/simulate/memory-disk.js';
import { Random } from '#drumline/simulate/random.js';
import { temporaryDirectory } from '../web/temporary-directory.js';

const MAIN = fileURLToPath(import.meta.resolve('#drumline/main.js'));
const directory = new CrawlDirectory('crawl');
const lineOf = (second: number, agent: number): string =>
  `{"time":"2030-01-31T00:00:0${second}.000Z","agent":${agent},"kind":"page","url":"http://a.example/${second}"}\n`;
const LOG = [1, 2, 3, 4, 5].map((second) => lineOf(second, second % 3)).join('');
const PAGES = 'http://a.example/\nhttp://b.example/\nhttp://c.example/\n';

/** As three agents leave it, with what an earlier ending had joined. */
function remains(): MemoryDisk {
  const disk = new MemoryDisk();
  const put = (path: string, text: string): void => disk.put(path, Buffer.from(text));
  for (const agent of [0, 1, 2]) {
    const lines = [1, 2, 3, 4, 5].filter((second) => second % 3 === agent);
    put(directory.crawlLogPart(agent, 0), lines.map((second) => lineOf(second, agent)).join(''));
    put(directory.pageListPart(agent, 0), `http://${'abc'[agent]}.example/\n`);
  }
  put(directory.crawlLog, lineOf(1, 1));
  put(directory.pageList, 'http://a.example/\n');
  saveJson(disk, join(directory.path, 'checkpoint-00000007', 'run.json'), fields({}), {});
  new Generations(disk, directory).commit(7);
  put(join(directory.work, 'agent-0', 'frontier-0.queue'), 'urls');
  return disk;
}

function assertOver(disk: MemoryDisk, when: string): void {
  const files = disk.files();
  assert.deepEqual([...files.keys()].sort(), [directory.crawlLog, directory.pageList], when);
  const textOf = (path: string): string => Buffer.from(files.get(path)!).toString();
  assert.equal(textOf(directory.crawlLog), LOG, when);
  assert.equal(textOf(directory.pageList), PAGES, when);
}

const OVER = { isOver: true, indexFailure: '' };

test('an ending that is cut short at any change of the disk is done again, and nothing is lost', () => {
  const whole = remains();
  const before = whole.changes;
  assert.deepEqual(endCrawl(whole, directory, OVER), []);
  assertOver(whole, 'not cut short');
  const changes = whole.changes - before;
  for (let k = 0; k < changes; k++) {
    for (const seed of [1, 2, 3]) {
      const disk = remains();
      disk.failAfter(k);
      try {
        assert.notDeepEqual(endCrawl(disk, directory, OVER), []);
      } catch {
        // Removing fails aloud.
      }
      disk.crash(new Random(100 * k + seed));
      // As `resume` does.
      assert.deepEqual(endCrawl(disk, directory, OVER), []);
      assertOver(disk, `${k} changes of ${changes}, seed ${seed}`);
    }
  }
});

test('what can not be joined is said, and nothing is removed', () => {
  const disk = remains();
  const before = new Set(disk.files().keys());
  disk.failAfter(0);
  const missing = endCrawl(disk, directory, OVER);
  assert.deepEqual(missing, [
    "'crawl/crawl.log' was not made: the disk is full; drumline resume crawl makes it",
    "'crawl/pages.txt' was not made: the disk is full; drumline resume crawl makes it",
  ]);
  assert.deepEqual(new Set(disk.files().keys()), before);
  assert.equal(wasJoined(disk, directory), false);
});

test('resume makes crawl.log and pages.txt of a crawl without checkpoint that died before they were made', (t) => {
  const out = join(temporaryDirectory(t), 'crawl');
  const drumline = (...words: string[]) =>
    spawnSync(process.execPath, [MAIN, ...words, '--progress', 'none'], { encoding: 'utf8' });
  const web = [
    '--web',
    'synthetic:pages=300,sites=6,size=2000',
    '--agents',
    '2',
    '--list-pages',
    '--log',
    'on',
  ];
  const first = drumline(...web, '--out', out, '--checkpoint-interval', 'off');
  assert.equal(first.status, 0, first.stderr);
  const log = readFileSync(join(out, 'crawl.log'), 'utf8');
  const pages = readFileSync(join(out, 'pages.txt'), 'utf8');
  // As it was when the report had been written.
  const crawl = new CrawlDirectory(out);
  const half = log.indexOf('\n', log.length / 2) + 1;
  writeFileSync(crawl.crawlLogPart(0, 0), log.slice(0, half));
  writeFileSync(crawl.crawlLogPart(1, 0), log.slice(half));
  writeFileSync(crawl.pageListPart(0, 0), pages);
  for (const name of ['crawl.log', 'pages.txt']) writeFileSync(join(out, name), '');
  mkdirSync(join(out, 'work'));
  const { status, stderr, stdout } = drumline('resume', out);
  assert.equal(status, 0, stderr);
  assert.match(stdout, /nothing is left to crawl/);
  assert.equal(readFileSync(join(out, 'crawl.log'), 'utf8'), log);
  assert.equal(readFileSync(join(out, 'pages.txt'), 'utf8'), pages);
  assert.deepEqual(
    readdirSync(out).filter((name) => name.includes('part')),
    [],
  );
  assert.ok(!existsSync(join(out, 'work')));
});
