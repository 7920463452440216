import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { base32 } from '#drumline/store/digest.js';
import type { StoredAt } from '#drumline/store/page-store.js';
import type { WarcRecord } from '#drumline/store/warc-reader.js';
import { temporaryDirectory } from '../web/temporary-directory.js';
import { exchange, livePage, oddExchanges } from './exchanges.js';
import { indexLines, openStore, readFiles } from './open-store.js';

const sha1 = (bytes: Uint8Array): string => `sha1:${base32(createHash('sha1').update(bytes).digest())}`;

/** Head and body of an HTTP message. */
function split({ block }: WarcRecord): { head: string; body: Buffer } {
  const bytes = Buffer.from(block);
  const end = bytes.indexOf('\r\n\r\n') + 4;
  return { head: bytes.toString('latin1', 0, end), body: bytes.subarray(end) };
}

function storeAll(directory: string, exchanges: Iterable<ReturnType<typeof exchange>>): StoredAt[] {
  const store = openStore(directory);
  const places: StoredAt[] = [];
  for (const one of exchanges) store.store(one, (at) => places.push(at));
  store.close();
  return places;
}

test('odd exchanges come back byte for byte, with digests and an index that hold', (t) => {
  const directory = temporaryDirectory(t);
  const odd = oddExchanges();
  const places = storeAll(directory, odd.values());
  const [file, ...others] = readFiles(directory);
  assert.deepEqual(others, []);
  assert.equal(file!.name, 'drumline-20300102000000-003-00000.warc.gz');
  assert.deepEqual(file!.damages, []);
  assert.equal(file!.records.length, 1 + 3 * odd.size);
  for (const { headers, block } of file!.records) assert.equal(headers.get('warc-block-digest'), sha1(block));

  const bytes = readFileSync(join(directory, 'warc', file!.name));
  const lines = indexLines(directory);
  for (const [i, [name, { url, page }]] of [...odd].entries()) {
    const [response, request, metadata] = file!.records.slice(1 + 3 * i, 4 + 3 * i);
    const received = page.received!;
    const payload = received.bytes.subarray(0, received.length);
    const { head, body } = split(response!);
    assert.ok(body.equals(payload), name);
    assert.equal(response!.headers.get('warc-payload-digest'), sha1(payload), name);
    assert.equal(response!.headers.get('warc-target-uri'), url);
    assert.equal(response!.headers.get('warc-ip-address'), '192.0.2.7');
    assert.equal(response!.headers.get('warc-date'), '2030-01-02T03:04:05.678Z');
    assert.equal(response!.headers.get('warc-truncated'), received.isTruncated ? 'length' : undefined);
    assert.ok(head.startsWith(`HTTP/1.1 ${page.status} As it was\r\n`), head);
    for (let h = 0; h < page.rawHeaders.length; h += 2) {
      const line = `${page.rawHeaders[h]!.toString('latin1')}: ${page.rawHeaders[h + 1]!.toString('latin1')}\r\n`;
      assert.ok(head.includes(line), `${name}: ${line}`);
    }
    assert.equal(
      split(request!).head,
      `GET ${url.slice('http://odd.example'.length)} HTTP/1.1\r\nhost: odd.example\r\nconnection: keep-alive\r\nuser-agent: tested/1\r\naccept: text/html\r\n\r\n`,
    );
    for (const record of [request!, metadata!])
      assert.equal(record.headers.get('warc-concurrent-to'), response!.headers.get('warc-record-id'));

    const capture = JSON.parse(lines[i]!.slice(lines[i]!.indexOf('{')));
    const member = bytes.subarray(Number(capture.offset), Number(capture.offset) + Number(capture.length));
    assert.ok(gunzipSync(member).includes(Buffer.from(response!.block)), name);
    assert.deepEqual([capture.url, capture.status, capture.filename], [url, `${page.status}`, file!.name]);
    assert.deepEqual(places[i], {
      digest: `sha1:${capture.digest}`,
      file: file!.name,
      offset: Number(capture.offset),
    });
  }
});

test('headers hold for the body as it is stored', (t) => {
  const directory = temporaryDirectory(t);
  const odd = oddExchanges();
  storeAll(directory, odd.values());
  const heads = new Map<string, string>();
  for (const record of readFiles(directory)[0]!.records) {
    if (record.headers.get('warc-type') !== 'response') continue;
    heads.set(record.headers.get('warc-target-uri')!.slice('http://odd.example/'.length), split(record).head);
  }
  const tail = (name: string): string[] => heads.get(name)!.trimEnd().split('\r\n').slice(1);
  const html = 'Content-Type: text/html';
  assert.deepEqual(tail('plain'), [html, 'Content-Length: 5']);
  assert.deepEqual(tail('chunked'), [html, 'X-Crawler-Transfer-Encoding: chunked', 'Content-Length: 13']);
  assert.deepEqual(tail('truncated'), [html, 'X-Crawler-Content-Length: 9000', 'Content-Length: 9']);
  assert.deepEqual(tail('304'), ['X-Crawler-Content-Length: 77', 'ETag: "x"']);
  assert.deepEqual(tail('204'), []);
  assert.deepEqual(tail('gzip'), [html, 'Content-Encoding: gzip']);
});

test('a body that was stored before is not stored again, even in another file', (t) => {
  const directory = temporaryDirectory(t);
  const store = openStore(directory, { maxBytes: 500_000 });
  const places: StoredAt[] = [];
  const add = (path: string, body: string): void =>
    store.store(exchange(`http://a.example/${path}`, livePage(200, [], body)), (at) => places.push(at));
  add('first', 'the same');
  // More than are remembered, so that the reference is read back from a file that is closed.
  for (let i = 0; i < 1100; i++) add(`${i}`, `page ${i}`);
  add('second', 'the same');
  add('empty', '');
  add('empty-too', '');
  const { counts } = store;
  store.close();
  const files = readFiles(directory);
  assert.ok(files.length > 1, `${files.length} files`);
  const all = files.flatMap(({ records }) => records.slice(1));
  const { headers, block } = all[3 * 1101]!;
  const original = all[0]!.headers;
  assert.equal(headers.get('warc-type'), 'revisit');
  assert.equal(
    headers.get('warc-profile'),
    'http://netpreserve.org/warc/1.1/revisit/identical-payload-digest',
  );
  assert.equal(headers.get('warc-payload-digest'), original.get('warc-payload-digest'));
  assert.equal(headers.get('warc-refers-to'), original.get('warc-record-id'));
  assert.equal(headers.get('warc-refers-to-target-uri'), 'http://a.example/first');
  assert.equal(headers.get('warc-refers-to-date'), original.get('warc-date'));
  assert.ok(!Buffer.from(block).includes('the same'));
  assert.ok(indexLines(directory)[1101]!.includes('"mime": "warc/revisit"'));
  assert.deepEqual(counts, {
    files: files.length,
    records: { warcinfo: files.length, request: 1104, response: 1103, revisit: 1, metadata: 1104 },
    bytes: files.reduce((sum, { name }) => sum + readFileSync(join(directory, 'warc', name)).length, 0),
    duplicates: 1,
    duplicateBytes: 8,
  });
});

test('what is asked for again has a record each time, though it is the same', (t) => {
  const directory = temporaryDirectory(t);
  const url = 'http://h.example/robots.txt';
  const robots = exchange(url, livePage(200, [], 'User-agent: *\n'), { isRepeated: true });
  storeAll(directory, [robots, robots]);
  const [file] = readFiles(directory);
  const types = file!.records.map(({ headers }) => headers.get('warc-type'));
  assert.deepEqual(types, [
    'warcinfo',
    ...['response', 'request', 'metadata'],
    ...['revisit', 'request', 'metadata'],
  ]);
  assert.equal(indexLines(directory).length, 2);
});
