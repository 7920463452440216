/** A server that answers with bytes of the test's choice, well-formed or not. */
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';

export interface RawServer {
  readonly port: number;
  /** Connections accepted so far. */
  connections: number;
  /** Heads of the requests so far. */
  readonly requests: string[];
}

/** Called for the head of each request. */
export type Answer = (socket: Socket, request: string, server: RawServer) => void;

export async function rawServer(t: TestContext, answer: Answer, tls?: TlsOptions): Promise<RawServer> {
  const sockets = new Set<Socket>();
  const onConnection = (socket: Socket): void => {
    state.connections++;
    sockets.add(socket);
    let head = '';
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    socket.on('data', (chunk) => {
      head += chunk.toString('latin1');
      for (let end = head.indexOf('\r\n\r\n'); end >= 0; end = head.indexOf('\r\n\r\n')) {
        const request = head.slice(0, end + 4);
        head = head.slice(end + 4);
        state.requests.push(request);
        answer(socket, request, state);
      }
    });
  };
  const server: Server =
    tls === undefined
      ? createServer(onConnection)
      : createTlsServer(tls, onConnection).on('tlsClientError', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const state: RawServer = { port: (server.address() as AddressInfo).port, connections: 0, requests: [] };
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return state;
}

/** A response with its length. */
export function response(
  body: string | Uint8Array,
  headers = 'content-type: text/html',
  status = '200 OK',
): Buffer {
  const bytes = Buffer.from(body);
  const head = `HTTP/1.1 ${status}\r\n${headers}\r\ncontent-length: ${bytes.length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head, 'latin1'), bytes]);
}

/** Sends for as long as the other side takes it. */
export function sendForever(socket: Socket, chunk: Uint8Array): void {
  const send = (): void => {
    while (!socket.destroyed && socket.write(chunk));
  };
  socket.on('drain', send);
  send();
}
