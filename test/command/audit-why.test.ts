import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { markRepeated } from '#drumline/log/mark-repeated.js';
import { mergeLogs } from '#drumline/log/merge-logs.js';
import { CrawlDirectory } from '#drumline/model/crawl-directory.js';
import { nodeDisk } from '#drumline/model/disk.js';
import { writeKey } from '#drumline/model/key.js';
import { PAGE_URL, RECORD_HEADER, writeHeader } from '#drumline/model/record.js';
import { TestLog } from '../log/make-log.js';

const MAIN = fileURLToPath(import.meta.resolve('#drumline/main.js'));
const root = mkdtempSync(join(tmpdir(), 'drumline-audit-'));
const directory = new CrawlDirectory(join(root, 'crawl'));
after(() => rmSync(root, { recursive: true, force: true }));

function drumline(...words: string[]) {
  return spawnSync(process.execPath, [MAIN, ...words], { cwd: root, encoding: 'utf8' });
}

/** A PAGE_URL record behind some other bytes, as in a queue on disk. */
function queued(url: string): Uint8Array {
  const bytes = new TextEncoder().encode(url);
  const key = new Uint32Array(2);
  writeKey(bytes, key, 0);
  const record = new Uint8Array(100 + RECORD_HEADER + bytes.length);
  writeHeader(record, 100, PAGE_URL, 1, 2, key[0]!, key[1]!);
  record.set(bytes, 100 + RECORD_HEADER);
  return record;
}

before(() => {
  mkdirSync(join(directory.work, 'agent-0'), { recursive: true });
  const first = new TestLog(nodeDisk, directory.crawlLogPart(0, 0), 0);
  first.request('http://a.example/robots.txt', { kind: 'robots', started: 0, ended: 10, delay: 1000 });
  first.request('http://a.example/', {
    started: 1010,
    ended: 1100,
    delay: 1000,
    bytes: 2000,
    type: 'text/html',
  });
  first.request('http://a.example/p', {
    started: 2100,
    ended: 2200,
    delay: 5000,
    status: 503,
    willRetry: true,
  });
  first.request('http://a.example/p', {
    started: 7200,
    ended: 7300,
    delay: 1000,
    depth: 3,
    via: 'http://a.example/',
    retries: 1,
    warc: 'warc/0.warc.gz',
    offset: 123,
  });
  first.givenUp('http://a.example/secret', 'ROBOTS', { now: 8000, detail: 'line 2: Disallow: /s' });
  first.givenUp('http://a.example/x/x/x/x', 'TRAP_REPEATED_SEGMENT', { now: 8000 });
  first.log.close();
  const second = new TestLog(nodeDisk, directory.crawlLogPart(1, 0), 1);
  second.request('http://b.example/', {
    started: 300,
    ended: 400,
    status: 0,
    reason: 'RESET',
    willRetry: true,
  });
  second.request('http://b.example/', { started: 6300, ended: 6400, status: 0, reason: 'RESET', retries: 1 });
  second.siteGivenUp('http://gone.example/', 'DNS_NOT_FOUND', 9000);
  second.givenUp('http://a"b.example/x', 'SCOPE_HOST', { now: 9000 });
  second.request('http://evil.example/', {
    started: 20_000,
    ended: 20_001,
    ip: '192.0.2.2',
    type: 'text/\u001b[2J\u009b31m',
    location: '/\u202egpj.exe\n/forged line',
    via: 'http://evil.example/\u0007',
  });
  second.log.close();
  // As after a resume from a checkpoint that was made before all that this thread did.
  const third = new TestLog(nodeDisk, directory.crawlLogPart(2, 0), 2);
  third.request('http://again.example/', { started: 30_000, ended: 30_100, ip: '192.0.2.4' });
  third.request('http://undone.example/', { started: 30_100, ended: 30_150, ip: '192.0.2.3' });
  third.siteGivenUp('http://lost.example/', 'DNS_FAILED', 30_200);
  third.log.close();
  markRepeated(nodeDisk, directory.crawlLogPart(2, 0), 0);
  const fourth = new TestLog(nodeDisk, directory.crawlLogPart(2, 1), 2);
  fourth.request('http://again.example/', { started: 40_000, ended: 40_100, ip: '192.0.2.4' });
  fourth.log.close();
  writeFileSync(directory.options, JSON.stringify({ 'host-delay': 1000, 'ip-delay': 250 }));
  writeFileSync(join(directory.work, 'agent-0', 'frontier-0.queue'), queued('http://a.example/waiting'));
});

const ANSWERS: readonly [url: string, ...RegExp[]][] = [
  [
    'http://a.example',
    /^http:\/\/a\.example\/\nfetched: status 200, 2,000 bytes of text\/html/,
    /by agent 0/,
    /a seed/,
  ],
  [
    'HTTP://A.example/./p#x',
    /fetched: status 200/,
    /after 2 requests/,
    /found on http:\/\/a\.example\/, at depth 3/,
    /warc\/0\.warc\.gz at offset 123/,
  ],
  ['http://a.example/secret', /given up: robots\.txt .*\(ROBOTS\); line 2: Disallow: \/s/],
  ['http://a.example/x/x/x/x', /given up: .*--trap-repeated-segments/],
  ['http://b.example/', /given up: .*\(RESET\)/, /by agent 1/, /after 2 requests/],
  ['http://gone.example/any', /given up with its whole site: .*\(DNS_NOT_FOUND\)/],
  [
    'http://evil.example/',
    /^[ -~\n]+$/,
    /bytes of text\/\\u001b\[2J\\u009b31m/,
    /redirects to \/\\u202egpj\.exe\\u000a\/forged line\n/,
  ],
  ['http://a"b.example/x', /given up: .*\(SCOPE_HOST\)/],
  [
    'http://undone.example/',
    /fetched: status 200, 0 bytes, then undone: the crawl went on from an earlier checkpoint\nnot done again so far\nat /,
  ],
  ['http://again.example/', /fetched: status 200, 0 bytes\nat .*\nafter 2 requests/],
  ['http://lost.example/x', /given up with its whole site: .*\(DNS_FAILED\), then undone/],
  ['http://a.example/waiting', /still waiting, in work.agent-0.frontier-0\.queue/],
  ['http://a.example/wait', /not seen so far: the crawl has not ended/],
];

for (const [url, ...expected] of ANSWERS) {
  test(`why ${url}`, () => {
    const { status, stdout, stderr } = drumline('why', url, '--crawl', 'crawl');
    assert.equal(status, 0, stderr);
    assert.match(stdout, /\nlog seen up to 2030-01-31T00:00:40\.100Z\n$/);
    for (const pattern of expected) assert.match(stdout, pattern);
  });
}

test('audit of parts, of the merged log, and with longer delays than were kept', () => {
  const parts = drumline('audit', 'crawl');
  assert.equal(parts.status, 0, parts.stderr + parts.stdout);
  assert.match(parts.stdout, /requests +10 +to 5 hosts on 4 addresses/);
  assert.match(parts.stdout, /with a longer delay +5,000 ms/);
  assert.match(parts.stdout, /\n0 violations\n$/);
  mergeLogs(nodeDisk, directory);
  assert.equal(drumline('audit', 'crawl').stdout, parts.stdout);
  const { status, stdout } = drumline('audit', 'crawl', '--host-delay', '1001ms');
  assert.equal(status, 1);
  assert.match(stdout, /a\.example: 1,000 ms instead of 1,001 ms before http:\/\/a\.example\/\n/);
  assert.match(stdout, /\n2 violations\n$/);
});

test('what was never seen, once the crawl has ended', () => {
  writeFileSync(directory.report, JSON.stringify({ outcome: 'exhausted' }));
  assert.match(drumline('why', 'http://c.example/', '--crawl', 'crawl').stdout, /never seen/);
  writeFileSync(directory.report, JSON.stringify({ outcome: 'target' }));
  assert.match(
    drumline('why', 'http://c.example/', '--crawl', 'crawl').stdout,
    /before the crawl ended \(target\)/,
  );
});

for (const [words, message] of [
  [['audit'], /takes one CRAWL_DIR/],
  [['audit', 'nowhere'], /a directory with a crawl\.log, got 'nowhere'/],
  [['audit', 'crawl', '--agents', '2'], /got --agents/],
  [['why'], /takes one URL/],
  [['why', 'mailto:me', '--crawl', 'crawl'], /an http or https URL, got 'mailto:me'/],
  [['why', 'http://a.example/'], /takes --crawl CRAWL_DIR, got none/],
  [
    ['why', 'http://a.example/', '--crawl', 'nowhere'],
    /--crawl takes a directory with a crawl\.log, got 'nowhere'/,
  ],
  [['why', 'http://a.example/', '--crawl'], /--crawl takes CRAWL_DIR, got nothing/],
] as const) {
  test(`refuses ${words.join(' ')}`, () => {
    const { status, stderr, stdout } = drumline(...words);
    assert.equal(status, 2, stderr);
    assert.match(stderr, message);
    assert.equal(stdout, '');
  });
}
