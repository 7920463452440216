/** A child process that answers any host with one large page, plain or gzipped, and a missing robots.txt. */
import { type AddressInfo, createServer } from 'node:net';
import { gzipSync } from 'node:zlib';

const [megabytes, coding] = process.argv.slice(2);
const END = Buffer.from('\r\n\r\n');
const NOT_FOUND = Buffer.from('HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n');

/** Words in a random order: it shrinks to a third or so, as text does. */
function text(length: number): Buffer {
  const body = Buffer.alloc(length, '<!doctype html><title>large</title>\n');
  let state = 1;
  for (let at = 40; at + 8 < length; at += 8) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    body.write(`${state.toString(36).slice(0, 6).padEnd(6, 'x')} \n`, at, 'latin1');
  }
  return body;
}

const plain = text(Number(megabytes) * 1e6);
const body = coding === 'gzip' ? gzipSync(plain, { level: 3 }) : plain;
const head = Buffer.from(
  `HTTP/1.1 200 OK\r\ncontent-type: text/html; charset=utf-8\r\ncontent-length: ${body.length}\r\n` +
    `${coding === 'gzip' ? 'content-encoding: gzip\r\n' : ''}\r\n`,
);

const server = createServer((socket) => {
  socket.setNoDelay(true);
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk) => {
    if (!chunk.subarray(-4).equals(END)) return;
    if (chunk.toString('latin1', 4, 15) === '/robots.txt') socket.write(NOT_FOUND);
    else {
      socket.write(head);
      socket.write(body);
    }
  });
});
server.listen(0, '127.0.0.1', 4096, () => process.send?.((server.address() as AddressInfo).port));
process.on('disconnect', () => process.exit());
