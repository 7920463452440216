import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  ALLOWED,
  DISALLOWED,
  isRobotsUnreachable,
  NOT_KNOWN,
  UNREACHABLE,
} from '#drumline/robots/robots-rules.js';
import { RulesFile } from '#drumline/robots/rules-file.js';
import { MemoryDisk } from '#drumline/simulate/memory-disk.js';
import { Random } from '#drumline/simulate/random.js';
import { Site } from './site.js';

const HOUR = 3600e3;
const DISALLOW_A = 'User-agent: *\nDisallow: /a\n';

test('what is not known has to be fetched; 4xx and redirects without an end allow all', () => {
  const site = new Site();
  for (const [i, status] of [404, 403, 410, 301].entries()) {
    const origin = `http://s${i}.example`;
    assert.equal(site.verdict(`${origin}/a`), NOT_KNOWN);
    site.learn(origin, DISALLOW_A, status);
    assert.equal(site.verdict(`${origin}/a`), ALLOWED);
  }
});

test('rules are those of scheme, host and port', () => {
  const site = new Site();
  site.learn('http://h.example', DISALLOW_A);
  assert.equal(site.verdict('http://h.example/a'), DISALLOWED);
  assert.equal(site.verdict('https://h.example/a'), NOT_KNOWN);
  assert.equal(site.verdict('http://h.example:81/a'), NOT_KNOWN);
});

test('a server that does not say its rules closes its origin', () => {
  const answer = (status: number, failure = '') =>
    isRobotsUnreachable({ status, failure, body: new Uint8Array(), bodyLength: 0, isTruncated: false });
  assert.deepEqual(
    [0, 500, 503, 429].map((status) => answer(status)),
    [true, true, true, true],
  );
  assert.deepEqual(
    [200, 204, 404, 401, 301].map((status) => answer(status)),
    [false, false, false, false, false],
  );
  assert.ok(answer(200, 'RESET'), 'half a file');
  assert.ok(!answer(200, 'UNWANTED_TYPE'));
  assert.ok(!answer(404, 'RESET'), 'the status said enough');
  const site = new Site();
  site.learnUnreachable('http://h.example');
  assert.equal(site.verdict('http://h.example/'), UNREACHABLE);
});

test('rules are kept for a day', () => {
  let now = 5 * HOUR;
  const site = new Site('drumline', 1 << 20, () => now);
  site.learn('http://rules.example', DISALLOW_A);
  site.learn('http://none.example', '');
  site.learnUnreachable('http://closed.example');
  now += 24 * HOUR - 1000;
  assert.equal(site.verdict('http://rules.example/a'), DISALLOWED);
  assert.equal(site.verdict('http://none.example/a'), ALLOWED);
  assert.equal(site.verdict('http://closed.example/a'), UNREACHABLE);
  now += 2000;
  for (const host of ['rules', 'none', 'closed'])
    assert.equal(site.verdict(`http://${host}.example/a`), NOT_KNOWN);
});

test('newer rules replace older ones, of whatever kind', () => {
  const site = new Site();
  const origin = 'http://h.example';
  const files: [string, number][] = [
    [DISALLOW_A, DISALLOWED],
    ['', ALLOWED],
    [DISALLOW_A, DISALLOWED],
    ['User-agent: *\nDisallow: /b', ALLOWED],
  ];
  for (const [file, verdict] of files) {
    site.learn(origin, file);
    assert.equal(site.verdict(`${origin}/a`), verdict);
  }
  site.learnUnreachable(origin);
  assert.equal(site.verdict(`${origin}/c`), UNREACHABLE);
});

test('crawl delays: of its own group, at most a minute, also without rules', () => {
  const delays: [string, number][] = [
    ['User-agent: *\nCrawl-delay: 2.5', 2500],
    ['User-agent: *\nCrawl-delay: 2\nDisallow: /a', 2000],
    ['User-agent: *\nCrawl-delay: 86400', 60_000],
    ['User-agent: *\nCrawl-delay: soon', 0],
    ['User-agent: *\nCrawl-delay: -1', 0],
    ['User-agent: *\nCrawl-delay: 5s', 5000],
    ['User-agent: *\nCrawl-delay 2,5', 2500],
    ['useragent: *\ncrawldelay: .5', 500],
    ['User-agent: other\nCrawl-delay: 5\n\nUser-agent: *\nDisallow: /a', 0],
    [
      'User-agent: *\nCrawl-delay: 5\nDisallow: /\n\nUser-agent: drumline\nCrawl-delay: 1\nDisallow: /b',
      1000,
    ],
    ['', 0],
  ];
  for (const [file, delay] of delays) {
    const site = new Site();
    assert.equal(site.crawlDelay('http://h.example'), 0);
    site.learn('http://h.example', file);
    assert.equal(site.crawlDelay('http://h.example'), delay, file);
  }
});

test('sitemaps are handed out canonical, whatever group they stand in, to a bound', () => {
  const site = new Site();
  const file =
    'Sitemap: http://H.example/s1.xml\nUser-agent: x\nsitemap: /s2.xml?é\nSitemap: ftp://h.example/\nSitemap:\nSitemap: /s2.xml?é';
  assert.deepEqual(site.learn('http://h.example', file), [
    'http://h.example/s1.xml',
    'http://h.example/s2.xml?%C3%A9',
  ]);
  const many = Array.from({ length: 5000 }, (_, i) => `Sitemap: /s${i}`).join('\n');
  assert.equal(site.learn('http://h.example', many).length, 1000);
});

test('500 KiB are read, and no half line', () => {
  const filler = `${'#'.repeat(1023)}\n`.repeat(499);
  const site = new Site();
  const rest = 1024 - 'User-agent: *\nDisallow: /ab'.length;
  site.learn('http://h.example', `${filler}User-agent: *\n${' '.repeat(rest)}Disallow: /abc\n`);
  assert.ok(site.allows('http://h.example/ab'), 'the cut line says nothing');
  site.learn('http://h.example', `${filler}User-agent: *\nDisallow: /x\n${filler}Disallow: /y\n`);
  assert.ok(!site.allows('http://h.example/x'));
  assert.ok(site.allows('http://h.example/y'));
});

test('a file that was cut below that bound is read without its last line', () => {
  const site = new Site();
  site.learn('http://h.example', 'User-agent: *\nDisallow: /a\nAllow: /a', 200, true);
  assert.ok(!site.allows('http://h.example/a'));
});

test('a file made to be slow is not: patterns of many wildcards are bounded, on the safe side', () => {
  const site = new Site();
  const pattern = `/p${'*a'.repeat(400)}`;
  site.learn(
    'http://h.example',
    `User-agent: *\n${`Disallow: ${pattern}b\nAllow: ${pattern}c\n`.repeat(200)}Disallow:${' '.repeat(100_000)}/q\n`,
  );
  assert.ok(!site.allows(`http://h.example/p${'a'.repeat(2000)}`), 'cut at the first wildcard');
  assert.ok(!site.allows('http://h.example/q'));
  assert.ok(site.allows('http://h.example/z'));
});

test('without a file the rules used least recently are forgotten, and never those just learned', () => {
  const site = new Site('drumline', 64_000);
  const file = `${DISALLOW_A}${'Disallow: /0123456789\n'.repeat(20)}`;
  for (let i = 0; i < 100; i++) {
    site.learn(`http://h${i}.example`, file);
    assert.equal(site.verdict(`http://h${i}.example/a`), DISALLOWED);
    assert.equal(site.verdict('http://h0.example/a'), DISALLOWED, 'in use all the time');
  }
  assert.equal(site.verdict('http://h1.example/a'), NOT_KNOWN);
  site.learn('http://large.example', `${DISALLOW_A}${'Disallow: /0123456789\n'.repeat(2000)}`);
  assert.equal(site.verdict('http://large.example/a'), DISALLOWED, 'alone larger than the bound');
});

test('rules beyond the memory are in the file, as they were learned last, for a day', () => {
  let now = 5 * HOUR;
  const file = new RulesFile(new MemoryDisk(), '/rules', 1 << 20);
  const site = new Site('drumline', 64_000, () => now, file);
  const random = new Random(9);
  const disallowed = new Map<string, string>();
  for (let i = 0; i < 3000; i++) {
    const origin = `http://h${random.below(400)}.example`;
    const path = disallowed.get(origin);
    if (path === undefined || i % 7 === 0) {
      const other = `/${random.word()}x`;
      site.learn(origin, i % 3 === 0 ? '' : `User-agent: *\nCrawl-delay: 3\nDisallow: ${other}\n`);
      disallowed.set(origin, i % 3 === 0 ? '' : other);
    } else {
      assert.ok(site.allows(`${origin}/`), origin);
      if (path === '') continue;
      assert.ok(!site.allows(`${origin}${path}`), `${origin}${path}`);
      assert.equal(site.ruleFor(`${origin}${path}`), `line 3: Disallow: ${path}`);
      assert.equal(site.crawlDelay(origin), 3000);
    }
  }
  site.learnUnreachable('http://h1.example');
  assert.ok(!site.allows('http://h1.example/'));
  now += 24 * HOUR;
  for (const origin of disallowed.keys()) assert.equal(site.verdict(`${origin}/`), NOT_KNOWN);
});

test('origins without rules keep their place in a small table while they are few', () => {
  const site = new Site('drumline', 4096);
  for (let i = 0; i < 1000; i++) {
    site.learn(`http://h${i}.example`, '');
    assert.equal(site.verdict(`http://h${i}.example/`), ALLOWED);
  }
  let known = 0;
  for (let i = 0; i < 1000; i++) if (site.verdict(`http://h${i}.example/`) === ALLOWED) known++;
  assert.ok(known > 120 && known <= 152, `${known} of 152 slots`);
});
