/**
 * A child process that is a whole web: a name server that knows every host `hN.example` for N below the number given, and
 * a server that answers any of them. The page of host i leads to a page of its own and to hosts 2i + 1 and 2i + 2.
 */
import { createSocket } from 'node:dgram';
import { type AddressInfo, createServer } from 'node:net';

const hosts = Number(process.argv[2]);
const END = Buffer.from('\r\n\r\n');
const NOT_FOUND = Buffer.from('HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n');
const FILLER = '<p>Some words of an ordinary page.</p>\n'.repeat(40);

function page(host: string, port: number): Buffer {
  const i = Number(host.slice(1, host.indexOf('.')));
  const next = [2 * i + 1, 2 * i + 2].filter((k) => k < hosts);
  const links = next.map((k) => `<a href="http://h${k}.example:${port}/">host ${k}</a>`);
  const body = `<!doctype html><title>${host}</title><a href="/page">a page</a>${links.join('')}${FILLER}`;
  const head = 'HTTP/1.1 200 OK\r\ncontent-type: text/html; charset=utf-8\r\ncontent-length: ';
  return Buffer.from(`${head}${body.length}\r\n\r\n${body}`);
}

const web = createServer((socket) => {
  socket.setNoDelay(true);
  socket.on('error', () => socket.destroy());
  // Requests come one at a time and in one piece: a crawler does not send the next before the answer.
  socket.on('data', (chunk) => {
    if (!chunk.subarray(-4).equals(END)) return;
    const head = chunk.toString('latin1');
    const path = head.slice(4, head.indexOf(' ', 4));
    const host = /\r\nhost: ([^:\r]+)/i.exec(head)?.[1] ?? '';
    socket.write(path === '/robots.txt' ? NOT_FOUND : page(host, (web.address() as AddressInfo).port));
  });
});

const names = createSocket('udp4');
/** Every name has the one address: the answer is the question with a record behind it. */
names.on('message', (query, from) => {
  let at = 12;
  while (query[at] !== 0) at += query[at]! + 1;
  const isIpv4 = query.readUInt16BE(at + 1) === 1;
  const record = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 14, 16, 0, 4, 127, 0, 0, 1]);
  const head = Buffer.from(query.subarray(0, 12));
  head.writeUInt16BE(0x8180, 2);
  head.writeUInt16BE(isIpv4 ? 1 : 0, 6);
  head.writeUInt32BE(0, 8);
  const parts = [head, query.subarray(12, at + 5), ...(isIpv4 ? [record] : [])];
  names.send(Buffer.concat(parts), from.port, from.address);
});

names.bind(0, '127.0.0.1', () => {
  web.listen(0, '127.0.0.1', 4096, () => {
    process.send?.({ web: (web.address() as AddressInfo).port, names: names.address().port });
  });
});
process.on('disconnect', () => process.exit());
