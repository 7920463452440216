/** A child process that serves all kinds of traps. It sends its port, and on any message the kinds it was asked for since the last one. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Answer } from './answer.js';
import { KINDS, kindOf } from './kinds.js';
import { KINDS_WITH_RULES } from './links.js';

const END = '\r\n\r\n';
const NOT_FOUND: Answer = { status: '404 Not Found', body: new Uint8Array(0) };
const asked = new Set<string>();

async function send(
  socket: Socket,
  { status = '200 OK', head = '', body, saidLength, pauseMs }: Answer,
): Promise<void> {
  if (body === undefined || body instanceof Uint8Array) {
    const length = saidLength ?? body?.length ?? 0;
    socket.write(`HTTP/1.1 ${status}\r\n${head}content-length: ${length}${END}`);
    if (body !== undefined) socket.write(body);
    if (saidLength !== undefined) socket.end();
    return;
  }
  socket.write(`HTTP/1.1 ${status}\r\n${head}transfer-encoding: chunked${END}`);
  for (const piece of body) {
    if (socket.destroyed) return;
    const chunk = Buffer.concat([
      Buffer.from(`${piece.length.toString(16)}\r\n`),
      piece,
      Buffer.from('\r\n'),
    ]);
    if (!socket.write(chunk)) await Promise.race([once(socket, 'drain'), once(socket, 'close')]);
    if (pauseMs !== undefined) await pause(pauseMs);
  }
  socket.write(`0${END}`);
}

function answerTo(host: string, path: string): Answer {
  const kind = kindOf(host);
  const trap = KINDS.get(kind);
  if (trap === undefined || (path === '/robots.txt' && !KINDS_WITH_RULES.has(kind))) return NOT_FOUND;
  if (path !== '/robots.txt') asked.add(kind);
  return trap({ host, path });
}

const server = createServer((socket) => {
  socket.setNoDelay(true);
  socket.on('error', () => socket.destroy());
  // Requests come one at a time and in one piece: a crawler does not send the next before the answer.
  socket.on('data', (chunk) => {
    const head = chunk.toString('latin1');
    if (!head.endsWith(END)) return;
    const path = head.slice(4, head.indexOf(' ', 4));
    const host = /\r\nhost: ([^\r]+)/i.exec(head)?.[1] ?? '';
    send(socket, answerTo(host, path)).catch(() => socket.destroy());
  });
});
server.listen(0, '127.0.0.1', 4096, () => process.send?.((server.address() as AddressInfo).port));
process.on('message', () => {
  process.send?.([...asked]);
  asked.clear();
});
process.on('disconnect', () => process.exit());
