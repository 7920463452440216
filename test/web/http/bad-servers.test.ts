/** Servers that break off, drip, lie and never end: each fetch ends with its reason, and the next one is served. */
import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { fetchPage, openFetcher, type Page } from './fetch-page.js';
import { type Answer, rawServer, response, sendForever } from './raw-server.js';

const QUICK = { timeout: 600, connectTimeout: 300, headersTimeout: 150, bodyTimeout: 150 };
const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n';
const BOUND = 200_000;

interface BadServer {
  readonly name: string;
  readonly answer: Answer;
  readonly failure: string;
  readonly isTemporary: boolean;
  readonly status?: number;
}

const BAD_SERVERS: readonly BadServer[] = [
  {
    name: 'reset in the headers',
    answer: (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-ty', () => socket.resetAndDestroy()),
    failure: 'RESET',
    isTemporary: true,
  },
  { name: 'closed without an answer', answer: (socket) => socket.end(), failure: 'RESET', isTemporary: true },
  {
    name: 'reset in the body',
    answer: (socket) =>
      socket.write(`${HEAD}content-length: 1000\r\n\r\nsome`, () => socket.resetAndDestroy()),
    failure: 'RESET',
    isTemporary: true,
    status: 200,
  },
  {
    name: 'closed before its Content-Length',
    answer: (socket) => socket.end(`${HEAD}content-length: 1000\r\n\r\nsome`),
    failure: 'RESET',
    isTemporary: true,
    status: 200,
  },
  {
    name: 'closed before its Content-Length, as announced',
    answer: (socket) => socket.end(`${HEAD}connection: close\r\ncontent-length: 1000\r\n\r\nsome`),
    failure: 'RESET',
    isTemporary: true,
    status: 200,
  },
  {
    name: 'closed before the last chunk',
    answer: (socket) => socket.end(`${HEAD}transfer-encoding: chunked\r\n\r\n4\r\nsome\r\n`),
    failure: 'RESET',
    isTemporary: true,
    status: 200,
  },
  {
    name: 'closed before the last chunk, as announced',
    answer: (socket) =>
      socket.end(`${HEAD}connection: close\r\ntransfer-encoding: chunked\r\n\r\n4\r\nsome\r\n`),
    failure: 'RESET',
    isTemporary: true,
    status: 200,
  },
  { name: 'no answer', answer: () => {}, failure: 'HEADERS_TIMEOUT', isTemporary: true },
  {
    name: 'no end of headers',
    answer: (socket) => socket.write('HTTP/1.1 200 OK\r\nx-one: 1\r\n'),
    failure: 'HEADERS_TIMEOUT',
    isTemporary: true,
  },
  {
    name: 'a header that never ends',
    answer: (socket) => {
      socket.write('HTTP/1.1 200 OK\r\nx-one: ');
      sendForever(socket, Buffer.alloc(4096, 'x'));
    },
    failure: 'HEADERS_TOO_LARGE',
    isTemporary: false,
  },
  {
    name: '1 MB of headers',
    answer: (socket) => socket.write(`HTTP/1.1 200 OK\r\n${'x-header: some value\r\n'.repeat(48_000)}\r\n`),
    failure: 'HEADERS_TOO_LARGE',
    isTemporary: false,
  },
  {
    name: 'early hints without end',
    answer: (socket) => {
      const hints = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'), 20);
      socket.on('close', () => clearInterval(hints));
    },
    failure: 'HEADERS_TIMEOUT',
    isTemporary: true,
  },
  {
    name: 'an invalid status line',
    answer: (socket) => socket.write('HTTP/1.1 abc Fine\r\n\r\n'),
    failure: 'BAD_RESPONSE',
    isTemporary: false,
  },
  {
    name: 'no HTTP at all',
    answer: (socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n'),
    failure: 'BAD_RESPONSE',
    isTemporary: false,
  },
  {
    name: 'invalid chunking',
    answer: (socket) => socket.write(`${HEAD}transfer-encoding: chunked\r\n\r\nzz\r\nsome\r\n`),
    failure: 'BAD_RESPONSE',
    isTemporary: false,
    status: 200,
  },
  {
    name: 'a byte from time to time',
    answer: (socket) => {
      socket.write(`${HEAD}content-length: 100000\r\n\r\n`);
      const drip = setInterval(() => socket.write('x'), 20);
      socket.on('close', () => clearInterval(drip));
    },
    failure: 'TIMEOUT',
    isTemporary: true,
    status: 200,
  },
  {
    name: 'a body that stops',
    answer: (socket) => socket.write(`${HEAD}content-length: 1000\r\n\r\nsome`),
    failure: 'BODY_TIMEOUT',
    isTemporary: true,
    status: 200,
  },
  {
    name: 'truncated gzip',
    answer: (socket) => {
      const whole = gzipSync('A page that will not be read. '.repeat(500));
      socket.write(response(whole.subarray(0, -20), 'content-encoding: gzip'));
    },
    failure: 'BAD_ENCODING',
    isTemporary: false,
    status: 200,
  },
  {
    name: 'plain text said to be gzip',
    answer: (socket) => socket.write(response('<a href=x>', 'content-encoding: gzip')),
    failure: 'BAD_ENCODING',
    isTemporary: false,
    status: 200,
  },
  {
    name: 'a coding that was not offered',
    answer: (socket) => socket.write(response('????', 'content-encoding: zstd')),
    failure: 'BAD_ENCODING',
    isTemporary: false,
    status: 200,
  },
  {
    name: 'a type that is not wanted',
    answer: (socket) => socket.write(response('GIF89a', 'content-type: image/gif')),
    failure: 'UNWANTED_TYPE',
    isTemporary: false,
    status: 200,
  },
  {
    name: 'a type that is not wanted, without end',
    answer: (socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-type: video/mp4\r\n\r\n');
      sendForever(socket, Buffer.alloc(65_536, 'x'));
    },
    failure: 'UNWANTED_TYPE',
    isTemporary: false,
    status: 200,
  },
];

for (const { name, answer, failure, isTemporary, status = 0 } of BAD_SERVERS) {
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
