import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { readHttpResponse } from '#drumline/web/http-response.js';
import { fetchPage, openFetcher } from './http/fetch-page.js';
import { rawServer } from './http/raw-server.js';
import { httpBytes } from './make-warc.js';

const BODY = `<p>${'mill and river '.repeat(50)}</p>`;

function chunked(body: Uint8Array, sizes: number[]): Buffer {
  const parts: Buffer[] = [];
  let at = 0;
  for (const size of [...sizes, body.length]) {
    const part = body.subarray(at, at + size);
    if (part.length > 0)
      parts.push(Buffer.from(`${part.length.toString(16)};x=y\r\n`), Buffer.from(part), Buffer.from('\r\n'));
    at += size;
  }
  return Buffer.concat([...parts, Buffer.from('0\r\nTrailer: x\r\n\r\n')]);
}

function bodyOf(headers: string[], body: Uint8Array | string): string {
  const response = readHttpResponse(httpBytes('200 OK', headers, body));
  assert.ok(typeof response !== 'string', String(response));
  return Buffer.from(response.body).toString('latin1');
}

test('status and headers are what the live fetcher reads', async (t) => {
  const headers = [
    'CONTENT-TYPE:  text/html; charset=x ',
    'location: /caf\xc3\xa9',
    'Content-Type: second',
    'Location: other',
    'link: </a\xe9>; rel=next',
    'X-Robots-Tag: max-snippet:5',
    'Link: </\xc3\xa9>; rel=prev',
    'x-robots-tag: nofollow\t',
    'Content-Length: 0',
  ];
  const bytes = httpBytes('302 Found', headers, '');
  const stored = readHttpResponse(bytes);
  assert.ok(typeof stored !== 'string');
  assert.deepEqual(stored, {
    status: 302,
    contentType: 'second',
    location: '/café',
    robotsTag: 'max-snippet:5\nnofollow',
    link: '</aé>; rel=next, </é>; rel=prev',
    body: Buffer.alloc(0),
  });
  const { port } = await rawServer(t, (socket) => socket.write(bytes));
  const live = await fetchPage(openFetcher(t), `http://a.example:${port}/`);
  for (const name of ['status', 'contentType', 'location', 'robotsTag', 'link'] as const)
    assert.equal(stored[name], live[name], name);
});

test('bare line feeds will do, and no reason phrase', () => {
  const response = readHttpResponse(Buffer.from('HTTP/2 404\nContent-Type: a/b\n\nbody'));
  assert.ok(typeof response !== 'string');
  assert.deepEqual([response.status, response.contentType, String(response.body)], [404, 'a/b', 'body']);
});

test('codings are undone', () => {
  const bytes = Buffer.from(BODY);
  assert.equal(bodyOf([], BODY), BODY);
  assert.equal(bodyOf(['Content-Encoding: identity'], BODY), BODY);
  assert.equal(bodyOf(['Content-Encoding: gzip'], gzipSync(bytes)), BODY);
  assert.equal(bodyOf(['content-encoding: X-GZIP'], gzipSync(bytes)), BODY);
  assert.equal(bodyOf(['Content-Encoding: br'], brotliCompressSync(bytes)), BODY);
  assert.equal(bodyOf(['Content-Encoding: deflate'], deflateSync(bytes)), BODY);
  assert.equal(bodyOf(['Content-Encoding: deflate'], deflateRawSync(bytes)), BODY);
  assert.equal(bodyOf(['Transfer-Encoding: chunked'], chunked(bytes, [1, 16, 200])), BODY);
  const twice = ['Content-Encoding: deflate, identity', 'Content-Encoding: GZIP'];
  assert.equal(bodyOf(twice, gzipSync(deflateSync(bytes))), BODY);
  const both = ['Transfer-Encoding: chunked', 'Content-Encoding: gzip'];
  assert.equal(bodyOf(both, chunked(gzipSync(bytes), [5, 7])), BODY);
});

test('bodies stored decoded under the headers of coded ones are taken as they are', () => {
  assert.equal(bodyOf(['Transfer-Encoding: chunked', 'Content-Encoding: gzip'], BODY), BODY);
});

test('a chunked body that is cut off keeps what came', () => {
  const whole = chunked(Buffer.from(BODY), [100]);
  const sizeLine = '64;x=y\r\n'.length;
  assert.equal(bodyOf(['Transfer-Encoding: chunked'], whole.subarray(0, sizeLine + 50)), BODY.slice(0, 50));
});

test('a coded body that is said to be cut keeps what came', () => {
  for (const [coding, encode] of [
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ] as const) {
    const noise = Array.from({ length: 4000 }, (_, i) => Math.imul(i, 2654435761) >>> 0).join('');
    const bytes = httpBytes('200 OK', [`Content-Encoding: ${coding}`], encode(BODY + noise).subarray(0, -20));
    assert.equal(readHttpResponse(bytes), `the body is not ${coding}, or more than 256 MB without that`);
    const cut = readHttpResponse(bytes, true);
    assert.ok(typeof cut !== 'string');
    assert.ok(Buffer.from(cut.body).toString().startsWith(BODY), coding);
  }
});

test('a redirect needs no body that can be read', () => {
  const headers = ['Content-Encoding: gzip', 'Location: /b'];
  const response = readHttpResponse(httpBytes('302 Found', headers, gzipSync(BODY).fill(7, 12, 30)));
  assert.ok(typeof response !== 'string');
  assert.deepEqual([response.location, response.body.length], ['/b', 0]);
});

test('what is no response is said to be none', () => {
  assert.equal(readHttpResponse(Buffer.from('')), 'no HTTP status line');
  assert.equal(readHttpResponse(Buffer.from('GET / HTTP/1.1\r\n\r\n')), 'no HTTP status line');
  assert.equal(readHttpResponse(Buffer.from('HTTP/1.1 200 OK\r\nA: b\r\n')), 'the HTTP headers do not end');
  const broken = gzipSync(BODY).fill(7, 12, 30);
  assert.equal(
    readHttpResponse(httpBytes('200 OK', ['Content-Encoding: gzip'], broken)),
    'the body is not gzip, or more than 256 MB without that',
  );
});
