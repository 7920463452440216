/** What `resume` makes of crawls that stored pages and came to a bad end. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { checkArchive } from '../store/check-archive.js';
import { temporaryDirectory } from '../web/temporary-directory.js';

const MAIN = fileURLToPath(import.meta.resolve('#drumline/main.js'));
const WEB = 'synthetic:pages=300,sites=6,size=2000';

function drumline(...words: string[]) {
  return spawnSync(process.execPath, [MAIN, ...words], { encoding: 'utf8' });
}

/** A crawl of pages that are stored, in a directory of its own. */
function crawl(out: string, ...more: string[]) {
  const options = ['--agents', '1', '--web', WEB, '--store', 'warc', '--min-free', '0', '--progress', 'none'];
  return drumline(...options, '--out', out, ...more);
}

const storedBytes = (out: string): number =>
  readdirSync(join(out, 'warc')).reduce((sum, name) => sum + statSync(join(out, 'warc', name)).size, 0);

function assertWhole(out: string): void {
  const { faults, pages } = checkArchive(out);
  assert.deepEqual(faults, []);
  assert.equal(pages.filter((url) => !url.endsWith('/robots.txt')).length, 300);
  assert.deepEqual(
    readdirSync(out).filter((name) => name.endsWith('-part')),
    [],
  );
}

test('an index that can not be made is no failure of the crawl, and is made later', (t) => {
  const out = join(temporaryDirectory(t), 'crawl');
  const index = join(out, 'index.cdxj');
  const first = crawl(out, '--target-pages', '50', '--checkpoint-interval', '1h');
  assert.equal(first.status, 0, first.stderr);
  rmSync(index);
  // It can't take the place of a directory that holds something.
  mkdirSync(join(index, 'in-the-way'), { recursive: true });
  writeFileSync(join(out, 'work', 'index.merged'), '{}');
  const second = drumline('resume', out, '--progress', 'none');
  assert.equal(second.status, 1, second.stderr);
  assert.match(second.stderr, /^drumline: '.*index\.cdxj' was not made: .*; drumline resume .* makes it$/m);
  assert.equal(JSON.parse(readFileSync(join(out, 'report.json'), 'utf8')).outcome, 'exhausted');
  const stored = storedBytes(out);
  assert.notEqual(drumline('resume', out).status, 0, 'it is still in the way');
  rmSync(index, { recursive: true });
  const third = drumline('resume', out);
  assert.equal(third.status, 0, third.stderr);
  assert.match(third.stdout, /nothing is left to crawl/);
  assert.equal(storedBytes(out), stored);
  assertWhole(out);
});

test('a crawl that goes on without checkpoints can go on from the one before', (t) => {
  const out = join(temporaryDirectory(t), 'crawl');
  assert.equal(crawl(out, '--target-pages', '50').status, 0);
  const more = ['--checkpoint-interval', 'off', '--progress', 'none'];
  assert.equal(drumline('resume', out, '--target-pages', '200', ...more).status, 0);
  assert.ok(existsSync(join(out, 'CURRENT')), 'the checkpoint stands');
  const last = drumline('resume', out, ...more);
  assert.equal(last.status, 0, last.stderr);
  const { coverage, overlap, pages } = JSON.parse(readFileSync(join(out, 'report.json'), 'utf8'));
  assert.deepEqual({ coverage, overlap, pages }, { coverage: 1, overlap: 0, pages: 300 });
  assertWhole(out);
});

test('a crawl that was stopped without any checkpoint says so', (t) => {
  const out = join(temporaryDirectory(t), 'crawl');
  assert.equal(crawl(out, '--target-pages', '50', '--checkpoint-interval', 'off').status, 0);
  const { status, stdout } = drumline('resume', out);
  assert.equal(status, 1);
  assert.match(stdout, /it was stopped, and made no checkpoint to go on from/);
});

test('a crawl that could not say that it is over goes on from its checkpoint', (t) => {
  const out = join(temporaryDirectory(t), 'crawl');
  assert.equal(crawl(out, '--target-pages', '50').status, 0);
  rmSync(join(out, 'report.json'));
  mkdirSync(join(out, 'report.json'));
  const blocked = drumline('resume', out, '--progress', 'none');
  assert.equal(blocked.status, 1);
  assert.match(blocked.stderr, /^drumline: the report was not written to '.*report\.json'/m);
  assert.ok(existsSync(join(out, 'CURRENT')), 'the checkpoint stands');
  rmSync(join(out, 'report.json'), { recursive: true });
  assert.equal(drumline('resume', out, '--progress', 'none').status, 0);
  assertWhole(out);
});

test('a crawl that was cut short before its first checkpoint begins again, and says so', (t) => {
  const out = join(temporaryDirectory(t), 'crawl');
  assert.equal(crawl(out).status, 0);
  // As a crash leaves it, be it while the crawl begins again.
  rmSync(join(out, 'report.json'));
  mkdirSync(join(out, 'work'));
  writeFileSync(join(out, 'work', 'left'), '');
  const { status, stderr } = drumline('resume', out, '--progress', 'none');
  assert.equal(status, 0, stderr);
  assert.match(stderr, /^drumline: no checkpoint was made to go on from: the crawl begins again$/m);
  assert.match(stderr, /^drumline: 1 files of stored pages were set aside: .*warc-set-aside-1$/m);
  assert.equal(readdirSync(join(out, 'warc-set-aside-1')).filter((name) => name.endsWith('.gz')).length, 1);
  assertWhole(out);
});

test('pages that were stored are not removed where nobody knows what became of the crawl', (t) => {
  for (const damage of ['', '{"outcome":"failed"}']) {
    const out = join(temporaryDirectory(t), 'crawl');
    assert.equal(crawl(out, '--target-pages', '50', '--checkpoint-interval', 'off').status, 0);
    writeFileSync(join(out, 'report.json'), damage);
    mkdirSync(join(out, 'work'));
    const stored = storedBytes(out);
    // It is how the crawl was started that counts.
    const { status, stderr } = drumline('resume', out, '--progress', 'none', '--checkpoint-interval', '60s');
    assert.equal(status, 1);
    assert.match(
      stderr,
      /^drumline: .*: there is no checkpoint to go on from, and 1 files of stored pages; /,
    );
    assert.equal(storedBytes(out), stored);
  }
});

test('a part of the index that is shorter than the checkpoint says is damage, and named', (t) => {
  const out = join(temporaryDirectory(t), 'crawl');
  assert.equal(crawl(out, '--target-pages', '50').status, 0);
  rmSync(join(out, 'index-0.cdxj-part'));
  const { status, stderr } = drumline('resume', out, '--progress', 'none');
  assert.equal(status, 1);
  assert.match(
    stderr,
    /index-0\.cdxj-part: damaged at offset 0: it is gone; put back a whole copy of it, or crawl anew/,
  );
  assert.ok(!readFileSync(join(out, 'index.cdxj'), 'latin1').includes('\0'));
});

test("a file that somebody put beside an agent's stays", (t) => {
  const out = join(temporaryDirectory(t), 'crawl');
  assert.equal(crawl(out, '--target-pages', '50').status, 0);
  const name = join(out, 'warc', 'mine-001-00099.warc.gz');
  writeFileSync(name, 'mine');
  assert.equal(drumline('resume', out, '--progress', 'none').status, 0);
  assert.equal(readFileSync(name, 'utf8'), 'mine');
});
