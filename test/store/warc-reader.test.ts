import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { nodeDisk } from '#drumline/model/disk.js';
import { Random } from '#drumline/simulate/random.js';
import { warcRecords } from '#drumline/store/warc-reader.js';
import { gzipMembers, responseBytes, warcBytes } from '../web/make-warc.js';
import { temporaryDirectory } from '../web/temporary-directory.js';

interface Reading {
  readonly urls: string[];
  readonly offsets: number[];
  readonly blocks: string[];
  readonly damages: [offset: number, what: string][];
}

function read(t: TestContext, bytes: Buffer): Reading {
  const path = join(temporaryDirectory(t), 'a.warc');
  writeFileSync(path, bytes);
  const file = nodeDisk.open(path, 'read');
  const reading: Reading = { urls: [], offsets: [], blocks: [], damages: [] };
  try {
    for (const record of warcRecords(file, (offset, what) => reading.damages.push([offset, what]))) {
      reading.urls.push(record.headers.get('warc-target-uri')!);
      reading.offsets.push(record.offset);
      reading.blocks.push(Buffer.from(record.block).toString('latin1'));
    }
  } finally {
    file.close();
  }
  return reading;
}

const URLS = Array.from({ length: 40 }, (_, i) => `http://a.example/${i}`);
const RECORDS = URLS.map((url, i) => responseBytes(url, `page ${i} ${'x'.repeat(37 * i)}`));

/** Where each of the parts begins when they are put one after the other. */
function offsetsOf(parts: readonly Buffer[]): number[] {
  return parts.map((_, i) => parts.slice(0, i).reduce((sum, part) => sum + part.length, 0));
}

test('plain records', (t) => {
  const { urls, offsets, damages, blocks } = read(t, Buffer.concat(RECORDS));
  assert.deepEqual(urls, URLS);
  assert.deepEqual(offsets, offsetsOf(RECORDS));
  assert.deepEqual(damages, []);
  assert.ok(blocks[3]!.endsWith(`page 3 ${'x'.repeat(111)}`));
});

test('gzip members, one record each, several in one, and with header fields', (t) => {
  const members = RECORDS.map((record) => gzipSync(record));
  const single = read(t, Buffer.concat(members));
  assert.deepEqual([single.urls, single.offsets, single.damages], [URLS, offsetsOf(members), []]);
  const joined = read(
    t,
    Buffer.concat([gzipSync(Buffer.concat(RECORDS.slice(0, 9))), gzipMembers(RECORDS.slice(9))]),
  );
  assert.deepEqual([joined.urls, joined.damages], [URLS, []]);
  const plain = gzipSync(RECORDS[0]!);
  const fields = Buffer.concat([
    plain.subarray(0, 10),
    Buffer.from('\x03\0abcname\0comment\0'),
    plain.subarray(10),
  ]);
  fields[3] = 4 | 8 | 16;
  assert.deepEqual(read(t, fields).urls, [URLS[0]]);
});

test('records and members larger than what is read at a time', (t) => {
  const body = Array.from({ length: 1_200_000 }, (_, i) => ((i * 2654435761) >>> 8) % 1000).join(' ');
  const records = [RECORDS[0]!, responseBytes(URLS[1]!, body), RECORDS[2]!];
  for (const bytes of [Buffer.concat(records), gzipMembers(records)]) {
    const { urls, damages, blocks } = read(t, bytes);
    assert.deepEqual([urls, damages], [URLS.slice(0, 3), []]);
    assert.ok(blocks[1]!.endsWith(body));
  }
});

test('what is beyond the limit is left out, and the limit is named', (t) => {
  const huge = Buffer.from(
    RECORDS[1]!.toString().replace(/Content-Length: \d+/, 'Content-Length: 300000000'),
  );
  const member = gzipSync(Buffer.alloc(257 * 1024 * 1024), { level: 1 });
  for (const [parts, what] of [
    [[RECORDS[0]!, huge, RECORDS[2]!], 'record'],
    [[gzipSync(RECORDS[0]!), member, gzipSync(RECORDS[2]!)], 'gzip member'],
  ] as const) {
    const { urls, damages } = read(t, Buffer.concat(parts));
    assert.deepEqual(urls, [URLS[0], URLS[2]]);
    assert.deepEqual(damages, [[parts[0].length, `the ${what} is larger than 256 MB, which is the limit`]]);
  }
});

test('header values in UTF-8 are read as such, others as Latin-1', (t) => {
  const records = ['http://a.example/caf\xc3\xa9', 'http://a.example/caf\xe9'].map((url) =>
    responseBytes(url, ''),
  );
  assert.deepEqual(read(t, Buffer.concat(records)).urls, Array(2).fill('http://a.example/café'));
});

test('WARC 1.1 is read, other versions are damage', (t) => {
  assert.deepEqual(read(t, warcBytes('response', URLS[0]!, 'x', '1.1')).urls, [URLS[0]]);
  const { urls, damages } = read(t, warcBytes('response', URLS[0]!, 'x', '2.0'));
  assert.deepEqual([urls, damages], [[], [[0, 'it holds no WARC 1.0 or 1.1 record']]]);
});

test('an empty file has no records', (t) => {
  assert.deepEqual(read(t, Buffer.alloc(0)), { urls: [], offsets: [], blocks: [], damages: [] });
});

for (const isGzip of [false, true]) {
  const parts = isGzip ? RECORDS.map((record) => gzipSync(record)) : RECORDS;
  const starts = offsetsOf(parts);
  const kind = isGzip ? 'gzip' : 'plain';

  test(`a damaged ${kind} record is reported with its place, and the others are read`, (t) => {
    const bytes = Buffer.concat(parts);
    bytes[starts[7]! + (isGzip ? parts[7]!.length - 6 : 5)]! ^= 0x10;
    const { urls, damages } = read(t, bytes);
    assert.deepEqual(urls, URLS.toSpliced(7, 1));
    assert.deepEqual(
      damages.map(([offset]) => offset),
      [starts[7]],
    );
  });

  test(`a ${kind} file cut off anywhere in its last record loses that record alone`, (t) => {
    const [first, second] = [parts[1]!, parts[2]!];
    const whole = Buffer.concat([first, second]);
    for (let end = first.length + 1; end < whole.length; end += 7) {
      const { urls, damages } = read(t, whole.subarray(0, end));
      assert.deepEqual(urls, [URLS[1]], `cut at ${end}`);
      assert.equal(damages[0]?.[0], first.length, `cut at ${end}`);
    }
  });
}

const MEMBERS = RECORDS.map((record) => gzipSync(record));
const STORED = RECORDS.map((record) => gzipSync(record, { level: 0 }));

for (const [kind, parts] of [
  ['gzip', MEMBERS],
  ['stored gzip', STORED],
  ['plain', RECORDS],
] as const) {
  const whole = Buffer.concat(parts);

  test(`a ${kind} file whose first bytes are damaged loses its first record alone`, (t) => {
    for (const at of [0, 1]) {
      const bytes = Buffer.from(whole);
      bytes[at] = 0;
      const { urls, offsets, damages } = read(t, bytes);
      assert.deepEqual([urls, offsets], [URLS.slice(1), offsetsOf(parts).slice(1)], `byte ${at}`);
      assert.deepEqual(damages, [[0, 'no WARC record begins here']], `byte ${at}`);
    }
  });

  test(`a ${kind} file with junk in front is read`, (t) => {
    for (const junk of [
      'junk',
      '\0\0\0\0',
      '\x1f\x1f\x8b\x07',
      'WARC',
      'WARC WARC/1.1\r\n\r\n\x1f\x8b\x08',
    ]) {
      const { urls, damages } = read(t, Buffer.concat([Buffer.from(junk, 'latin1'), whole]));
      assert.deepEqual([urls, damages], [URLS, [[0, 'no WARC record begins here']]], junk);
      const single = read(t, Buffer.concat([Buffer.from(junk, 'latin1'), parts[0]!, Buffer.from('behind')]));
      assert.deepEqual([single.urls, single.damages.length], [[URLS[0]], 2], junk);
    }
  });
}

test('a file without a record says so once', (t) => {
  const noise = new Random(5).bytes(300_000);
  for (const bytes of [
    Buffer.from(noise),
    Buffer.from('<!doctype html>'),
    Buffer.from('x'),
    Buffer.alloc(100_000),
  ]) {
    const { urls, damages } = read(t, bytes);
    assert.deepEqual([urls, damages], [[], [[0, 'it holds no WARC 1.0 or 1.1 record']]]);
  }
});
