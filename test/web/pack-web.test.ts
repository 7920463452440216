import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { DamagedFileError, DrumlineError, UsageError } from '#drumline/model/errors.js';
import { base32 } from '#drumline/store/digest.js';
import { openWeb } from '#drumline/web/open-web.js';
import { type PackCounts, packWeb } from '#drumline/web/pack-web.js';
import { summariseWeb } from '#drumline/web/summarise-web.js';
import { fetchText } from './fetch-text.js';
import { gzipMembers, httpBytes, responseBytes, warcBytes } from './make-warc.js';
import { temporaryDirectory } from './temporary-directory.js';

const URLS = Array.from({ length: 300 }, (_, i) => `http://host${i % 17}.example/page/${i}?a=b&c=${i}`);
const bodyOf = (i: number): string => `<p>page ${i}</p>${'filler '.repeat(i * 3)}`;

function pack(
  t: TestContext,
  contents: Buffer[],
  dumps = 1,
): { out: string; counts: PackCounts; damages: string[] } {
  const directory = temporaryDirectory(t);
  const files = contents.map((bytes, i) => {
    writeFileSync(join(directory, `${i}.warc.gz`), bytes);
    return join(directory, `${i}.warc.gz`);
  });
  const damages: string[] = [];
  const out = join(directory, 'web');
  const onDamage = (file: string, offset: number): void => {
    damages.push(`${files.indexOf(file)}:${offset}`);
  };
  return { out, counts: packWeb(files, out, { dumps, onDamage }), damages };
}

for (const dumps of [1, 4]) {
  test(`pages come back from ${dumps} dumps as they were packed`, (t) => {
    const records = URLS.map((url, i) => responseBytes(url, bodyOf(i)));
    const { out, counts } = pack(
      t,
      [gzipMembers(records.slice(0, 120)), Buffer.concat(records.slice(120))],
      dumps,
    );
    const bytes = URLS.reduce((sum, _, i) => sum + bodyOf(i).length, 0);
    assert.deepEqual(counts, { pages: 300, sites: 17, bytes, duplicates: 0, skipped: 0, damaged: 0 });
    const web = openWeb(`disk:${out}`);
    const fetcher = web.fetcher();
    for (const i of URLS.keys()) {
      const page = { status: 200, text: bodyOf(i), contentType: 'text/html', location: '', pageNumber: i };
      assert.deepEqual(fetchText(fetcher, URLS[i]!), page);
      assert.equal(fetchText(fetcher, `${URLS[i]}x`).status, 404);
    }
    assert.deepEqual(fetchText(fetcher, 'http://other.example/').pageNumber, -1);
    assert.deepEqual([...web.seeds()], URLS.slice(0, 17));
    assert.ok(web.hasSite('host3.example'));
    assert.ok(!web.hasSite('host17.example'));
    assert.equal(web.truth, null);
    assert.deepEqual(summariseWeb(web), { pages: 300, sites: 17, links: null, bytes });
    assert.equal(openWeb(web.spec).spec, web.spec);
    assert.equal(readdirSync(out).filter((name) => name.endsWith('.dump')).length, dumps);
    fetcher.close();
    web.close();
  });
}

test('what is packed: first responses, canonical URLs, decoded bodies, redirects', (t) => {
  const records = [
    warcBytes('warcinfo', '', 'software: x'),
    warcBytes('request', 'http://a.example/', 'GET / HTTP/1.1\r\n\r\n'),
    responseBytes('http://a.example/robots.txt', 'User-agent: *'),
    responseBytes('HTTP://A.Example:80/x/../b#top', 'first'),
    responseBytes('http://a.example/b', 'second'),
    warcBytes('response', '<http://a.example/c>', httpBytes('301 Moved', ['Location: /b'], '')),
    responseBytes('http://[::1]:8080/six', gzipSync('six').toString('latin1'), ['Content-Type: text/plain']),
    warcBytes('response', 'dns:a.example', 'x'),
    warcBytes('response', 'http://a.example/none', 'not HTTP'),
    warcBytes('response', 'http://', httpBytes('200 OK', [], 'x')),
    responseBytes('https://a.example/b', 'over TLS'),
  ];
  const { out, counts, damages } = pack(t, [Buffer.concat(records)], 3);
  assert.deepEqual(
    { ...counts, bytes: 0 },
    { pages: 5, sites: 2, bytes: 0, duplicates: 1, skipped: 3, damaged: 2 },
  );
  assert.equal(damages.length, 2);
  const web = openWeb(`disk:${out}`);
  const fetcher = web.fetcher();
  assert.equal(fetchText(fetcher, 'http://a.example/b').text, 'first');
  assert.equal(fetchText(fetcher, 'https://a.example/b').text, 'over TLS');
  assert.deepEqual(fetchText(fetcher, 'http://a.example/c').location, '/b');
  assert.equal(fetchText(fetcher, 'http://[::1]:8080/six').status, 200);
  assert.ok(web.hasSite('[::1]'));
  assert.deepEqual([...web.seeds()], ['http://a.example/b', 'http://[::1]:8080/six']);
  fetcher.close();
  web.close();
});

test('URLs that are not ASCII become what the URL standard makes of them', (t) => {
  const targets = [
    'http://h.example/caf\xc3\xa9',
    'http://h.example/\xe9?\xc3\xa9',
    'http://b\xc3\xbccher.example/',
  ];
  const urls = [
    'http://h.example/caf%C3%A9',
    'http://h.example/%C3%A9?%C3%83%C2%A9',
    'http://xn--bcher-kva.example/',
  ];
  const { out, counts } = pack(t, [Buffer.concat(targets.map((url) => responseBytes(url, url)))]);
  assert.equal(counts.pages, 3);
  const web = openWeb(`disk:${out}`);
  const fetcher = web.fetcher();
  for (const url of urls) assert.equal(fetchText(fetcher, url).status, 200, url);
  assert.deepEqual([...web.seeds()], [urls[0], urls[2]]);
  fetcher.close();
  web.close();
});

test('damaged records are reported with file and offset, and left out', (t) => {
  const records = [0, 1, 2].map((i) => gzipSync(responseBytes(URLS[i]!, bodyOf(i))));
  records[1]![records[1]!.length - 5]! ^= 1;
  const { counts, damages } = pack(t, [Buffer.concat([records[0]!]), Buffer.concat(records)]);
  assert.deepEqual([counts.pages, counts.duplicates, counts.damaged], [2, 1, 1]);
  assert.deepEqual(damages, [`1:${records[0]!.length}`]);
});

test('revisits have the body of the page they refer to, wherever that is', (t) => {
  const revisit = (url: string, refersTo: string, block: Buffer): Buffer => {
    const target = refersTo === '' ? '' : `\r\nWARC-Refers-To-Target-URI: ${refersTo}`;
    return warcBytes('revisit', `${url}${target}`, block, '1.1');
  };
  const head = httpBytes('200 OK', ['Content-Type: text/html', 'X-Again: yes'], '');
  const [first, second, third, fourth, fifth] = URLS as [string, string, string, string, string];
  const early = revisit(first, second, head);
  const { out, counts, damages } = pack(t, [
    Buffer.concat([early, revisit(third, 'http://nowhere.example/', head), revisit(fourth, '', head)]),
    gzipMembers([responseBytes(second, 'the body'), revisit(fifth, `<${second}>`, head)]),
  ]);
  const missing = revisit(third, 'http://nowhere.example/', head);
  assert.deepEqual(damages, [`0:${early.length + missing.length}`, `0:${early.length}`]);
  assert.deepEqual([counts.pages, counts.damaged, counts.skipped], [3, 2, 0]);
  const fetcher = openWeb(`disk:${out}`).fetcher();
  for (const url of [first, second, fifth]) assert.equal(fetchText(fetcher, url).text, 'the body', url);
});

/** A record with more headers than a type and a URL. */
function recordBytes(type: string, url: string, headers: Record<string, string>, block: Buffer): Buffer {
  const lines = Object.entries(headers).map(([name, value]) => `\r\nWARC-${name}: ${value}`);
  return warcBytes(type, `${url}${lines.join('')}`, block, '1.1');
}

const HEAD = httpBytes('200 OK', ['Content-Type: text/html'], '');
const [ONE, TWO] = ['http://a.example/1', 'http://a.example/2'] as const;
const sha1Of = (body: string): Buffer => createHash('sha1').update(body).digest();
const digestOf = (body: string): string => `sha1:${base32(sha1Of(body))}`;

interface Version {
  readonly body: string;
  readonly response: Buffer;
  /** What a revisit says to refer to it. */
  readonly references: Record<string, Record<string, string>>;
}

/** URL 1 as it was stored twice, with and without a digest. */
const versions = (hasDigest: boolean): Version[] =>
  ['first', 'second'].map((body, i) => {
    const [id, date] = [`<urn:uuid:${i}>`, `2030-01-0${i + 1}T00:00:00Z`];
    const digest = { 'Payload-Digest': digestOf(body) };
    const url = { 'Refers-To-Target-URI': ONE };
    const response = recordBytes(
      'response',
      ONE,
      { 'Record-ID': id, Date: date, ...(hasDigest ? digest : {}) },
      httpBytes('200 OK', ['Content-Type: text/html'], body),
    );
    const hex = { 'Payload-Digest': `SHA1:${sha1Of(body).toString('hex')}` };
    const notSent = { Profile: 'http://netpreserve.org/warc/1.1/revisit/server-not-modified' };
    const references = {
      all: { ...digest, ...url, 'Refers-To': id, 'Refers-To-Date': date },
      'digest and URL': { ...digest, ...url },
      digest,
      'hexadecimal digest': { ...hex, ...url },
      id: { 'Refers-To': id },
      'URL and date': { ...url, 'Refers-To-Date': date.replace('Z', '.000Z') },
      'not modified': { ...notSent, 'Payload-Digest': digestOf(''), ...url, 'Refers-To-Date': date },
    };
    return { body, response, references };
  });

for (const hasDigest of [true, false]) {
  const [first, second] = versions(hasDigest) as [Version, Version];
  for (const name of Object.keys(first.references)) {
    test(`a revisit that tells ${name} has that body, of responses ${hasDigest ? 'with' : 'without'} digests`, (t) => {
      for (const version of [first, second]) {
        const revisit = recordBytes('revisit', TWO, version.references[name]!, HEAD);
        const both = [first.response, second.response];
        for (const files of [
          [...both, revisit],
          [revisit, ...both],
          [first.response, revisit, second.response],
        ]) {
          const { out, counts, damages } = pack(t, files);
          assert.deepEqual([damages, counts.pages, counts.duplicates], [[], 2, 1]);
          const fetcher = openWeb(`disk:${out}`).fetcher();
          assert.equal(fetchText(fetcher, TWO).text, version.body);
          assert.equal(fetchText(fetcher, ONE).text, 'first');
          fetcher.close();
          assert.ok(!readdirSync(out).includes('bodies.tmp'));
        }
      }
    });

    test(`a revisit that tells ${name} of what is not there is damage, not another body`, (t) => {
      const revisit = recordBytes('revisit', TWO, second.references[name]!, HEAD);
      const { counts, damages } = pack(t, [revisit, first.response]);
      assert.deepEqual([damages, counts.pages, counts.damaged], [['0:0'], 1, 1]);
    });
  }
}

test('a web of another version is refused, with both versions', (t) => {
  const { out } = pack(t, [responseBytes(URLS[0]!, 'body')]);
  const manifest = join(out, 'web.json');
  const text = readFileSync(manifest, 'utf8');
  writeFileSync(manifest, text.replace('"version":2', '"version":1'));
  const isTold = (error: unknown): boolean =>
    error instanceof DrumlineError && /version 1, and version 2 is read here/.test(error.message);
  assert.throws(() => openWeb(`disk:${out}`), isTold);
  writeFileSync(manifest, text);
  const dump = join(out, 'pages-000.dump');
  const bytes = readFileSync(dump);
  bytes[8] = 1;
  writeFileSync(dump, bytes);
  assert.throws(() => openWeb(`disk:${out}`).fetcher(), isTold);
});

test('a flipped bit in a dump is found when the page is read', (t) => {
  const { out } = pack(t, [responseBytes(URLS[0]!, 'body of the page')]);
  const path = join(out, 'pages-000.dump');
  const whole = readFileSync(path);
  for (let at = 0; at < whole.length; at += 3) {
    const flipped = Buffer.from(whole);
    flipped[at]! ^= 4;
    writeFileSync(path, flipped);
    assert.throws(
      () => {
        const web = openWeb(`disk:${out}`);
        const fetcher = web.fetcher();
        try {
          fetchText(fetcher, URLS[0]!);
        } finally {
          fetcher.close();
          web.close();
        }
      },
      (error) => error instanceof DamagedFileError && error.message.includes(path),
      `bit flipped at ${at}`,
    );
  }
});

test('files without a page are an error on one line, and leave no web', (t) => {
  const directory = temporaryDirectory(t);
  const [noise, info, out] = ['noise.gz', 'info.warc', 'out'].map((name) => join(directory, name));
  writeFileSync(noise!, 'noise'.repeat(1000));
  writeFileSync(info!, warcBytes('warcinfo', '', 'software: x'));
  const damages: string[] = [];
  assert.throws(
    () => packWeb([noise!, info!], out!, { onDamage: (_file, at, what) => damages.push(`${at} ${what}`) }),
    (error) =>
      error instanceof DrumlineError &&
      !(error instanceof UsageError) &&
      error.message.includes('no HTTP response in the 2 files (1 damaged, 1 other records)'),
  );
  assert.deepEqual(damages, ['0 it holds no WARC 1.0 or 1.1 record']);
  assert.deepEqual(readdirSync(out!), []);
});

test('bad directories and files are refused on one line', (t) => {
  const directory = temporaryDirectory(t);
  const named = (part: string) => (error: unknown) =>
    error instanceof UsageError && error.message.includes(part);
  assert.throws(() => openWeb(`disk:${directory}`), named(directory));
  assert.throws(() => packWeb([join(directory, 'none.warc')], join(directory, 'out')), named('none.warc'));
  writeFileSync(join(directory, 'a.warc'), responseBytes(URLS[0]!, 'x'));
  assert.throws(() => packWeb([join(directory, 'a.warc')], directory), named('--out'));
  assert.throws(() => packWeb([directory], join(directory, 'out')), named(directory));
  assert.throws(() => packWeb([], join(directory, 'a.warc')), named('--out'));
  assert.throws(() => packWeb([], join(directory, 'out'), { dumps: 0 }), named('--dumps'));
  assert.deepEqual(readdirSync(directory), ['a.warc']);
  writeFileSync(join(directory, 'web.json'), '{"format":"other"}');
  assert.throws(() => openWeb(`disk:${directory}`), DamagedFileError);
});
