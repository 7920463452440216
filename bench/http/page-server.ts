/** A child process that answers every request with the same page, as cheaply as Node can. */
import { type AddressInfo, createServer } from 'node:net';
import { gzipSync } from 'node:zlib';

const [size, coding] = process.argv.slice(2);
const text = '<p>Some text and <a href="/a/link">a link</a> of an ordinary page.</p>\n'.repeat(1000);
const page = Buffer.from(text.slice(0, Number(size)));
const body = coding === 'gzip' ? gzipSync(page) : page;
const encoding = coding === 'gzip' ? 'Content-Encoding: gzip\r\n' : '';
const head =
  'HTTP/1.1 200 OK\r\nServer: nginx/1.22.1\r\nDate: Mon, 05 Jan 2026 12:00:00 GMT\r\n' +
  `Content-Type: text/html; charset=utf-8\r\nContent-Length: ${body.length}\r\n${encoding}` +
  'Last-Modified: Mon, 05 Jan 2026 10:00:00 GMT\r\nConnection: keep-alive\r\nAccept-Ranges: bytes\r\n\r\n';
const answer = Buffer.concat([Buffer.from(head), body]);
const END = Buffer.from('\r\n\r\n');

const server = createServer((socket) => {
  socket.setNoDelay(true);
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk) => {
    for (let at = chunk.indexOf(END); at >= 0; at = chunk.indexOf(END, at + 4)) socket.write(answer);
  });
});
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.on('disconnect', () => process.exit());
