/** A child process that serves directories; see WebServer. */
import { openSync, readFileSync, writeSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { extname, join, normalize } from 'node:path';

const [port, log, ...roots] = process.argv.slice(2);
const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.htm': 'text/html; charset=utf-8',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.txt': 'text/plain',
  '.xml': 'text/xml',
};
const file = openSync(log!, 'a');

function answer(
  response: ServerResponse,
  status: number,
  type: string,
  body: Uint8Array | string,
  what: string,
): void {
  writeSync(file, `${response.req.method} ${status} ${type} ${what}\n`);
  response.writeHead(status, { 'content-type': type, 'content-length': body.length }).end(body);
}

let listening = 0;
for (const [i, root] of roots.entries()) {
  const host = `127.0.0.${i + 1}`;
  const server = createServer((request, response) => {
    const url = new URL(request.url!, `http://${host}`);
    const what = `${request.headers.host} ${request.url}`;
    let path = join(root, normalize(decodeURIComponent(url.pathname)));
    if (path.endsWith('/')) path += 'index.html';
    try {
      answer(response, 200, TYPES[extname(path)] ?? 'application/octet-stream', readFileSync(path), what);
    } catch (error) {
      const isDirectory = (error as NodeJS.ErrnoException).code === 'EISDIR';
      if (isDirectory) response.setHeader('location', `${url.pathname}/${url.search}`);
      answer(response, isDirectory ? 301 : 404, 'text/plain', 'not here', what);
    }
  });
  server.keepAliveTimeout = 60_000;
  server.listen(Number(port), host, () => {
    if (++listening === roots.length) process.send?.('listening');
  });
}
process.on('disconnect', () => process.exit());
