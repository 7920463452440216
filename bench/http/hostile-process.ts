/**
 * A child process that is a web of honest and hostile hosts, told apart by the letters of their names:
 *
 * | host            | what it does                                                                             |
 * |-----------------|------------------------------------------------------------------------------------------|
 * | `honest-N`      | a tree of ordinary pages without end, and a sitemap                                      |
 * | `drip-N`        | its robots.txt names a sitemap, and that and all pages come an octet at a time            |
 * | `pause-N`       | its robots.txt is redirected, with an hour asked for before the next request             |
 * | `rules-N`       | its robots.txt is as slow to match as one can be, its pages are full of the longest links |
 *
 * It sends its port, and on any message the number of honest pages that it served since the last one.
 */
import { type AddressInfo, createServer, type Socket } from 'node:net';

const END = '\r\n\r\n';
const DRIP_MS = 300;
const LINKS = 3000;
const FILLER = '<p>Some words of an ordinary page.</p>\n'.repeat(200);
const WORST_RULES = `user-agent: *\n${`disallow: /${'*['.repeat(200)}x\n`.repeat(1200)}`;
let honestPages = 0;

function answer(body: string, headers = 'content-type: text/html', status = '200 OK'): string {
  return `HTTP/1.1 ${status}\r\n${headers}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

const text = (body: string): string => answer(body, 'content-type: text/plain');

function drip(socket: Socket): void {
  socket.write('HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 1000000\r\n\r\n');
  const timer = setInterval(() => socket.write('x'), DRIP_MS);
  socket.on('close', () => clearInterval(timer));
}

function honest(host: string, path: string): string {
  if (path === '/robots.txt')
    return text(`user-agent: *\ndisallow: /private\nsitemap: http://${host}/map.xml\n`);
  if (path === '/map.xml') {
    const urls = Array.from({ length: 20 }, (_, i) => `<url><loc>http://${host}/s${i}</loc></url>`);
    return answer(`<urlset>${urls.join('')}</urlset>`, 'content-type: application/xml');
  }
  honestPages++;
  const links = Array.from({ length: 10 }, (_, i) => `<a href="${path === '/' ? '/p' : path}${i}">${i}</a>`);
  return answer(`<!doctype html><title>${path}</title>${links.join('')}${FILLER}`);
}

function slowRules(path: string): string {
  if (path === '/robots.txt') return text(WORST_RULES);
  const links = Array.from({ length: LINKS }, (_, i) => `<a href="/${'['.repeat(600)}${i}">${i}</a>`);
  return answer(`<!doctype html><title>${path}</title>${links.join('\n')}`);
}

function respond(socket: Socket, host: string, path: string): void {
  const kind = host.slice(0, host.indexOf('-'));
  if (kind === 'honest') socket.write(honest(host, path));
  else if (kind === 'rules') socket.write(slowRules(path));
  else if (kind === 'pause') socket.write(answer('', 'location: /r\r\nretry-after: 3600', '302 Found'));
  else if (path === '/robots.txt') socket.write(text(`sitemap: http://${host}/map.xml\n`));
  else drip(socket);
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
    respond(socket, host, path);
  });
});
server.listen(0, '127.0.0.1', 4096, () => process.send?.((server.address() as AddressInfo).port));
process.on('message', () => {
  process.send?.(honestPages);
  honestPages = 0;
});
process.on('disconnect', () => process.exit());
