/** A name server on loopback that answers from a table, for tests. */
import { createSocket } from 'node:dgram';
import type { TestContext } from 'node:test';
import { parseIpv4, parseIpv6 } from '#drumline/web/http/address.js';

/** Addresses of a name, [] if it has none of that kind, or what goes wrong. */
export type Zone = (name: string, family: 4 | 6) => readonly string[] | 'NXDOMAIN' | 'SERVFAIL' | 'silence';

const CODES = { SERVFAIL: 2, NXDOMAIN: 3 };
const AAAA = 28;

/** Returns where it listens, as `NameResolver` takes it. */
export async function nameServer(t: TestContext, zone: Zone, ttl = 300): Promise<string> {
  const socket = createSocket('udp4');
  socket.on('message', (query, from) => {
    let at = 12;
    const labels: string[] = [];
    for (; query[at] !== 0; at += query[at]! + 1)
      labels.push(query.toString('latin1', at + 1, at + 1 + query[at]!));
    const questionEnd = at + 5;
    const found = zone(labels.join('.').toLowerCase(), query.readUInt16BE(at + 1) === AAAA ? 6 : 4);
    if (found === 'silence') return;
    const records = typeof found === 'string' ? [] : found.map((address) => record(address, ttl));
    const head = Buffer.from(query.subarray(0, 12));
    head.writeUInt16BE(0x8180 | (typeof found === 'string' ? CODES[found] : 0), 2);
    head.writeUInt16BE(1, 4);
    head.writeUInt16BE(records.length, 6);
    head.writeUInt32BE(0, 8);
    socket.send(Buffer.concat([head, query.subarray(12, questionEnd), ...records]), from.port, from.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  t.after(() => socket.close());
  return `127.0.0.1:${socket.address().port}`;
}

/** A or AAAA, for the name that the question names. */
function record(address: string, ttl: number): Buffer {
  const groups = parseIpv6(address);
  const bytes = Buffer.alloc(groups === null ? 4 : 16);
  if (groups === null) bytes.writeUInt32BE(parseIpv4(address));
  else for (const [i, group] of groups.entries()) bytes.writeUInt16BE(group, 2 * i);
  const head = Buffer.from([0xc0, 12, 0, groups === null ? 1 : AAAA, 0, 1, 0, 0, 0, 0, 0, bytes.length]);
  head.writeUInt32BE(ttl, 6);
  return Buffer.concat([head, bytes]);
}
