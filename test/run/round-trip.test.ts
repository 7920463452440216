/** A crawl that is stored, packed and crawled again gives the same pages and the same links. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { CrawlDirectory } from '#drumline/model/crawl-directory.js';
import { packWeb } from '#drumline/web/pack-web.js';
import { checkArchive } from '../store/check-archive.js';
import { response } from '../web/http/raw-server.js';
import { temporaryDirectory } from '../web/temporary-directory.js';
import { goodSite, links, localWeb, pages, redirectTo } from './http-local-web.js';
import { type CrawlOutcome, type GivenOptions, runCrawlIn } from './run-crawl.js';

async function crawl(directory: string, given: GivenOptions, seeds?: string[]): Promise<CrawlOutcome> {
  mkdirSync(directory);
  const options = { 'list-pages': null, memory: '64MB', 'min-free': '0', ...given };
  const outcome = await runCrawlIn(new CrawlDirectory(directory), options, seeds);
  assert.equal(outcome.report.outcome, 'exhausted', outcome.report.reason ?? '');
  return outcome;
}

/** Packs what a crawl stored; nothing of it may be damaged. */
function pack(directory: string, out: string): void {
  const folder = new CrawlDirectory(directory).warc;
  const files = readdirSync(folder).map((name) => join(folder, name));
  const { damaged } = packWeb(files, out, { onDamage: (...damage) => assert.fail(damage.join(' ')) });
  assert.equal(damaged, 0);
}

const seedsOf = (directory: string): string[] =>
  readFileSync(new CrawlDirectory(directory).seeds, 'utf8').trimEnd().split('\n');

for (const more of ['', ',dead=0.05,redirects=0.1,robots=0.3,seed=4']) {
  test(`a synthetic web${more}`, async (t) => {
    const root = temporaryDirectory(t);
    const [first, again, dump] = [join(root, 'first'), join(root, 'again'), join(root, 'dump')];
    const web = `synthetic:pages=800,size=4000${more}`;
    const before = await crawl(first, { agents: '3', web, store: 'warc', 'warc-size': '200KB' });
    pack(first, dump);
    const after = await crawl(again, { agents: '2', web: `disk:${dump}` }, seedsOf(first));
    assert.deepEqual(after.listed.sort(), before.listed.sort());
    assert.equal(after.report.linksExtracted, before.report.linksExtracted);
    assert.equal(after.report.bytes, before.report.bytes);
  });
}

const LIVE = { web: 'http', contact: 'mailto:test@example.org', 'allow-private': null };
const QUICK = { 'host-delay': '0s', 'ip-delay': '0s', timeout: '2s', retries: '1', 'retry-delay': '10ms' };

test('servers on loopback: coded, chunked, repeated, redirected and missing pages', async (t) => {
  const root = temporaryDirectory(t);
  const [first, again, dump] = [join(root, 'first'), join(root, 'again'), join(root, 'dump')];
  const chunked = Buffer.from(
    `HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ntransfer-encoding: chunked\r\n\r\n` +
      ['<a href="/from-', 'chunks">x</a>']
        .map((text) => `${text.length.toString(16)}\r\n${text}\r\n`)
        .join('') +
      '0\r\n\r\n',
  );
  const coded = gzipSync(links('/from-coded', '/same-1'));
  const web = await localWeb(t, {
    good: goodSite,
    odd: pages({
      '/': links('/chunked', '/coded', '/same-1', '/same-2', '/moved', '/missing', '/empty'),
      '/robots.txt': response('User-agent: *\nDisallow: /secret\n', 'content-type: text/plain'),
      '/chunked': chunked,
      '/coded': response(coded, 'content-type: text/html\r\ncontent-encoding: gzip'),
      '/same-1': links('/from-same', '/secret'),
      '/same-2': links('/from-same', '/secret'),
      '/moved': redirectTo('/target'),
      '/target': links('/from-target'),
      '/from-chunks': 'chunks',
      '/from-coded': 'coded',
      '/from-same': 'same',
      '/from-target': 'target',
      '/empty': response(''),
    }),
  });
  const seeds = [web.url('good'), web.url('odd')];
  const before = await crawl(first, { agents: '2', ...LIVE, ...QUICK, store: 'warc' }, seeds);
  assert.ok(before.listed.includes(web.url('odd', '/from-chunks')));
  assert.ok(before.listed.includes(web.url('odd', '/from-coded')));

  const { faults, counts } = checkArchive(first);
  assert.deepEqual(faults, []);
  assert.deepEqual(counts.records, before.report.store!.records);
  assert.ok(counts.duplicates >= 1, 'the same body came twice');
  for (const name of readdirSync(join(first, 'warc')))
    execFileSync('gzip', ['-t', join(first, 'warc', name)]);

  pack(first, dump);
  const after = await crawl(again, { agents: '2', web: `disk:${dump}` }, seeds);
  assert.deepEqual(after.listed.sort(), before.listed.sort());
  assert.equal(after.report.linksExtracted, before.report.linksExtracted);
});

/** Headers as bytes, one character each. */
const headed = (headers: string, body: string | Buffer = links(), status = '200 OK'): Buffer => {
  const head = `HTTP/1.1 ${status}\r\n${headers}\r\ncontent-length: ${body.length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head, 'latin1'), Buffer.from(body as Buffer)]);
};

test('servers on loopback: what headers say of links, in any bytes', async (t) => {
  const root = temporaryDirectory(t);
  const [first, again, dump] = [join(root, 'first'), join(root, 'again'), join(root, 'dump')];
  const [html, plain] = ['content-type: text/html', 'content-type: text/plain'];
  // Noise, so that its coding is as long.
  const cut = gzipSync(
    links('/from-cut') + Array.from({ length: 40_000 }, (_, i) => Math.imul(i, 2654435761) >>> 0).join(''),
  );
  const leaves = [
    'caf%C3%A9%E6%97%A5',
    'latin%C3%A9',
    'next',
    'prev%C3%A9',
    'q?%E9',
    'from-twice',
    'from-cut',
    'behind-bad',
  ];
  const web = await localWeb(t, {
    odd: pages({
      '/': links('/utf8', '/latin1', '/header', '/tagged', '/types', '/twice', '/cut', '/bad'),
      '/utf8': headed('location: /caf\xc3\xa9\xe6\x97\xa5', '', '302 Found'),
      '/latin1': headed('location: /latin\xe9', '', '302 Found'),
      '/header': headed(`${plain}\r\nlink: </next>; rel=next\r\nlink: </prev\xc3\xa9>; rel=prev`, 'none'),
      '/tagged': headed(`${html}\r\nx-robots-tag: max-snippet:5\r\nx-robots-tag: nofollow`, links('/never')),
      '/types': headed(`${plain}\r\n${html}; charset=iso-8859-1`, Buffer.from(links('/q?\xe9'), 'latin1')),
      '/twice': headed(
        `${html}\r\ncontent-encoding: gzip\r\ncontent-encoding: gzip`,
        gzipSync(gzipSync(links('/from-twice'))),
      ),
      '/cut': headed(`${html}\r\ncontent-encoding: gzip`, cut),
      '/bad': headed(
        'content-encoding: gzip\r\nlocation: /behind-bad',
        Buffer.from('\x1f\x8b not gzip', 'latin1'),
        '302 Found',
      ),
      ...Object.fromEntries([...leaves, 'never'].map((path) => [`/${path}`, path])),
    }),
  });
  const seeds = [web.url('odd')];
  const given = { agents: '1', ...LIVE, ...QUICK, store: 'warc', 'max-body': '100KB' };
  const before = await crawl(first, given, seeds);
  assert.ok(!before.listed.includes(web.url('odd', '/never')));
  for (const path of leaves) assert.ok(before.listed.includes(web.url('odd', `/${path}`)), path);

  pack(first, dump);
  const after = await crawl(again, { agents: '2', web: `disk:${dump}`, store: 'warc' }, seeds);
  assert.deepEqual(after.listed.sort(), before.listed.sort());
  assert.equal(after.report.linksExtracted, before.report.linksExtracted);
  assert.equal(after.report.bytes, before.report.bytes);

  const [third, second] = [join(root, 'third'), join(root, 'second')];
  pack(again, second);
  const last = await crawl(third, { agents: '1', web: `disk:${second}` }, seeds);
  assert.deepEqual(last.listed.sort(), before.listed.sort());
  assert.equal(last.report.linksExtracted, before.report.linksExtracted);
});
