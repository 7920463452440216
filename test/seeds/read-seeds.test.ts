import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { UsageError } from '#drumline/model/errors.js';
import { readSeed, readSeeds, type SeedLine } from '#drumline/seeds/read-seeds.js';

const directory = mkdtempSync(join(tmpdir(), 'drumline-seeds-'));
after(() => rmSync(directory, { recursive: true, force: true }));

async function read(content: string | Uint8Array): Promise<SeedLine[]> {
  const path = join(directory, 'seeds');
  writeFileSync(path, content);
  const lines: SeedLine[] = [];
  for await (const line of readSeeds(path)) lines.push(line);
  return lines;
}

const urls = (lines: SeedLine[]) => lines.map(({ url }) => url);

test('a URL a line, comments and empty lines left out, lines numbered', async () => {
  const lines = await read(
    '\uFEFFhttp://a.example\r\n# no\r\n\r\n  HTTPS://B.example/x#y \nftp://c.example/\n',
  );
  assert.deepEqual(lines, [
    { line: 1, text: 'http://a.example', url: 'http://a.example/', problem: '' },
    { line: 4, text: 'HTTPS://B.example/x#y', url: 'https://b.example/x', problem: '' },
    { line: 5, text: 'ftp://c.example/', url: null, problem: 'no http or https URL' },
  ]);
});

test('a scheme may be left out, also before a port', async () => {
  assert.deepEqual(urls(await read('example.org\nexample.org:8080/a\nlocalhost:81')), [
    'http://example.org/',
    'http://example.org:8080/a',
    'http://localhost:81/',
  ]);
});

test('gzip is known by its bytes, not by its name', async () => {
  const many = Array.from({ length: 5000 }, (_, i) => `http://host${i}.example/`);
  assert.deepEqual(urls(await read(gzipSync(many.join('\n')))), many);
});

test('broken gzip and missing files are errors that name the file', async () => {
  await assert.rejects(
    read(gzipSync('http://a.example/\n'.repeat(1000)).subarray(0, 40)),
    (error: Error) => error instanceof UsageError && error.message.includes(join(directory, 'seeds')),
  );
  await assert.rejects(readSeeds('no-such-file').next(), /--seeds takes.*'no-such-file'/);
});

test('a dump of the Open Directory', async () => {
  const rdf = `<?xml version="1.0" encoding="UTF-8"?>
<RDF xmlns:r="http://www.w3.org/TR/RDF/" xmlns="http://dmoz.example/rdf/">
  <Topic r:id="Top/Arts"><link1 r:resource="http://one.example/"></link1><link r:resource="http://two.example/?a=1&amp;b=2"></link></Topic>
  <ExternalPage about="http://three.example/page.html"><d:Title>Three</d:Title></ExternalPage>
  <ExternalPage about="news:comp.misc"/>
</RDF>`;
  const lines = await read(rdf);
  assert.deepEqual(urls(lines), [
    'http://one.example/',
    'http://two.example/?a=1&b=2',
    'http://three.example/page.html',
    null,
  ]);
  assert.equal(lines[3]!.line, 5);
});

test('a dump is known behind an empty line, and its tags may go over lines', async () => {
  const lines = await read(
    '\n\n<?xml version="1.0"?><RDF>\n<link\n  r:resource="http://one.example/"/></RDF>',
  );
  assert.deepEqual(urls(lines), ['http://one.example/']);
});

test('a line without an end takes no more memory than its bound, and the next is read', async () => {
  const lines = await read(`http://a.example/${'x'.repeat(300_000)}\nhttp://b.example/`);
  assert.deepEqual(urls(lines), [null, 'http://b.example/']);
  assert.equal(lines[0]!.problem, 'longer than 2048 bytes');
});

test('lines end with CR too, and are counted so', async () => {
  const lines = await read('http://a.example/\rhttp://b.example/\r\rnews:x\r\nhttp://c.example/\n\nnews:y');
  assert.deepEqual(
    lines.map(({ line, url }) => [line, url]),
    [
      [1, 'http://a.example/'],
      [2, 'http://b.example/'],
      [4, null],
      [5, 'http://c.example/'],
      [7, null],
    ],
  );
});

test('white space inside a line makes it a bad line, with its number', async () => {
  const bad = [
    'http://a.example/\t17',
    'http://a.example/ # note',
    'http://a.example/ http://b.example/',
    'a\u00a0b',
  ];
  const lines = await read(`\t http://ok.example/ \t\n${bad.join('\n')}\n`);
  assert.equal(lines[0]!.url, 'http://ok.example/');
  assert.deepEqual(
    lines.slice(1),
    bad.map((text, i) => ({
      line: i + 2,
      text,
      url: null,
      problem: 'white space inside, where one URL a line is taken',
    })),
  );
  assert.throws(() => readSeed('http://a.example/ b'), /--seed takes.*'http:\/\/a.example\/ b'/);
});

test('an empty file has no seeds', async () => {
  assert.deepEqual(await read(''), []);
});

test('--seed takes one URL', () => {
  assert.equal(readSeed(' example.org '), 'http://example.org/');
  assert.throws(() => readSeed('javascript:alert(1)'), /--seed takes.*'javascript:alert\(1\)'/);
});
