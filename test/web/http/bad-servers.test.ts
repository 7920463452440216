/** Servers that break off, drip, lie and never end: each fetch ends with its reason, and the next one is served. */
import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { BAD_ANSWERS, HEAD } from './bad-answers.js';
import { fetchPage, openFetcher, type Page } from './fetch-page.js';
import { rawServer, response, sendForever } from './raw-server.js';

const QUICK = { timeout: 600, connectTimeout: 300, headersTimeout: 150, bodyTimeout: 150 };
const BOUND = 200_000;

for (const { name, answer, failure, isTemporary, status = 0 } of BAD_ANSWERS) {
  test(`bad server: ${name}`, async (t) => {
    const server = await rawServer(t, (socket, request, state) => {
      if (request.startsWith('GET /good ')) socket.end(response('good'));
      else answer(socket, request, state);
    });
    const fetcher = openFetcher(t, { ...QUICK, maxBody: BOUND });
    const bad = await fetchPage(fetcher, `http://a.test:${server.port}/bad`);
    assert.equal(bad.failure, failure);
    assert.equal(bad.isTemporary, isTemporary);
    assert.equal(bad.status, status);
    assert.equal(bad.bodyLength, 0);
    assert.equal((await fetchPage(fetcher, `http://a.test:${server.port}/good`)).text, 'good');
  });
}

test('connection refused', async (t) => {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  const page = await fetchPage(openFetcher(t), `http://a.test:${port}/`);
  assert.deepEqual([page.failure, page.isTemporary, page.status], ['CONNECT', true, 0]);
});

test('a body without end is cut at the bound', async (t) => {
  for (const framing of ['', 'transfer-encoding: chunked\r\n', 'content-length: 9000000000\r\n']) {
    const server = await rawServer(t, (socket) => {
      socket.write(`${HEAD}${framing}\r\n`);
      const isChunked = framing.startsWith('transfer');
      sendForever(socket, Buffer.from(isChunked ? `1000\r\n${'x'.repeat(4096)}\r\n` : 'x'.repeat(4096)));
    });
    const page = await fetchPage(openFetcher(t, { maxBody: BOUND }), `http://a.test:${server.port}/`);
    assertCut(page, BOUND);
    assert.equal(page.text, 'x'.repeat(BOUND));
  }
});

test('a bomb is cut at the bound: 1 GB from 1 MB', async (t) => {
  const ball = gzipSync(Buffer.alloc(1_000_000));
  // Members of a gzip file add up.
  const bomb = Buffer.concat(Array.from({ length: 1000 }, () => ball));
  assert.ok(bomb.length < 1_100_000, `${bomb.length} bytes`);
  const bound = 3_000_000;
  for (const [coding, body] of [
    ['gzip', bomb],
    ['br', brotliCompressSync(Buffer.alloc(20_000_000))],
    ['deflate', deflateSync(Buffer.alloc(20_000_000))],
    ['deflate', deflateRawSync(Buffer.alloc(20_000_000))],
    ['gzip', gzipSync(Buffer.alloc(20_000_000))],
  ] as const) {
    const server = await rawServer(t, (socket) =>
      socket.write(response(body, `content-encoding: ${coding}`)),
    );
    const page = await fetchPage(openFetcher(t, { maxBody: bound }), `http://a.test:${server.port}/`);
    assertCut(page, bound);
  }
});

test('a coded body beyond the bound gives what could be received', async (t) => {
  const text = Array.from({ length: 40_000 }, (_, i) => `${(i * 2_654_435_761) % 4_294_967_296}`).join(' ');
  const server = await rawServer(t, (socket) =>
    socket.write(response(gzipSync(text), 'content-encoding: gzip')),
  );
  const page = await fetchPage(openFetcher(t, { maxBody: 50_000 }), `http://a.test:${server.port}/`);
  assertCut(page, 50_000);
  assert.equal(page.text, text.slice(0, 50_000));
});

function assertCut(page: Page, bound: number): void {
  assert.deepEqual([page.failure, page.status, page.isTruncated, page.bodyLength], ['', 200, true, bound]);
}

test('many bad servers at once do not hold up a good one', async (t) => {
  const server = await rawServer(t, (socket, request) => {
    if (request.startsWith('GET /good ')) socket.write(response('good'));
  });
  const fetcher = openFetcher(t, { ...QUICK, maxConnections: 10 });
  const bad = Array.from({ length: 50 }, (_, i) => fetchPage(fetcher, `http://bad${i}.test:${server.port}/`));
  const good = await fetchPage(fetcher, `http://good.test:${server.port}/good`);
  assert.equal(good.text, 'good');
  for (const page of await Promise.all(bad)) assert.equal(page.failure, 'HEADERS_TIMEOUT');
});
