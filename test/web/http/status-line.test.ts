import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { StatusLine } from '#drumline/web/http/status-line.js';
import { fetchPage, openFetcher } from './fetch-page.js';
import { rawServer } from './raw-server.js';

/** What is found in an answer that comes in pieces of so many bytes. */
function found(answer: string, size: number): string {
  const pieces: Buffer[] = [];
  const bytes = Buffer.from(answer, 'latin1');
  for (let at = 0; at < bytes.length; at += size) pieces.push(bytes.subarray(at, at + size));
  const connection = new Readable({ read() {}, highWaterMark: 1 << 20 });
  const line = new StatusLine();
  line.watch(connection as never);
  line.await();
  let read = '';
  for (const piece of pieces) {
    connection.push(piece);
    for (let chunk = connection.read(); chunk !== null; chunk = connection.read())
      read += chunk.toString('latin1');
  }
  assert.equal(read, answer, 'nothing is taken away');
  return line.text;
}

test('it is found in pieces of any size, behind empty lines and interim answers', () => {
  const line = 'HTTP/1.0 200 Tr\xe8s  bien ';
  const head = `${line}\r\nx: HTTP/1.1 404 No\r\n\r\nHTTP/1.1 500 body`;
  const interim = 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n';
  for (const before of ['', '\r\n\n', interim, interim + interim])
    for (let size = 1; size < 120; size++)
      assert.equal(found(before + head, size), line, `${size} ${before}`);
  assert.equal(found('HTTP/1.1 200\n\n', 3), 'HTTP/1.1 200');
});

test('what does not end is not looked for without end', () => {
  assert.equal(found(`HTTP/1.1 200 ${'x'.repeat(100_000)}\r\n`, 1000), '');
});

test('one connection, several answers: each has its own', async (t) => {
  let asked = 0;
  const server = await rawServer(t, (socket) => {
    const number = ++asked;
    socket.write(`HTTP/1.1 200 No. ${number}\r\ncontent-length: 2\r\n\r\n${number}\n`, 'latin1');
  });
  const fetcher = openFetcher(t);
  for (let i = 1; i <= 3; i++) {
    const page = await fetchPage(fetcher, `http://a.test:${server.port}/${i}`);
    assert.equal(page.statusLine, `HTTP/1.1 200 No. ${i}`);
  }
  assert.equal(server.connections, 1);
});

test('the version is the one that came', async (t) => {
  const server = await rawServer(t, (socket) => {
    socket.end('HTTP/1.0 404 \xd1\xe5\xf2\r\n\r\ngone', 'latin1');
  });
  const page = await fetchPage(openFetcher(t), `http://a.test:${server.port}/`);
  assert.deepEqual([page.status, page.statusLine], [404, 'HTTP/1.0 404 \xd1\xe5\xf2']);
});
