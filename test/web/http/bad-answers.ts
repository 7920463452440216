/** Answers that break off, drip, lie and never end, and what a fetch of them fails with. */
import { gzipSync } from 'node:zlib';
import { type Answer, response, sendForever } from './raw-server.js';

export const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n';

export interface BadAnswer {
  readonly name: string;
  readonly answer: Answer;
  readonly failure: string;
  readonly isTemporary: boolean;
  readonly status?: number;
}

export const BAD_ANSWERS: readonly BadAnswer[] = [
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
