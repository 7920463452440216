/** Responses that are the trap: what is small in its coding, what says a wrong length, what never ends, and large heads. */
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { HTML, once, page, type Trap } from './answer.js';

const BOMB_BYTES = 100_000_000;
const MEMBERS = 300_000;
const HEAD_BYTES = 15_000;
const PIECE = Buffer.from('<a href="/x">x</a> '.repeat(3000));
const DRIP_MS = 300;

function* endless(piece: Uint8Array): Iterable<Uint8Array> {
  for (;;) yield piece;
}

function coded(coding: string, make: () => Uint8Array): Trap {
  return once(() => ({ head: `${HTML}content-encoding: ${coding}\r\n`, body: make() }));
}

const bomb = (): Buffer => gzipSync(Buffer.alloc(BOMB_BYTES, '<b>'));

function fastBrotli(body: Uint8Array): Buffer {
  return brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } });
}

/** Header lines of one name, `bytes` in all. */
function headers(name: string, value: string, bytes = HEAD_BYTES): Trap {
  const line = `${name}: ${value}\r\n`;
  return () => page('<a href=/x>', HTML + line.repeat(Math.floor(bytes / line.length)));
}

export const RESPONSES: Readonly<Record<string, Trap>> = {
  'gzip-bomb': coded('gzip', bomb),
  'gzip-members': coded('gzip', () => Buffer.alloc(20 * MEMBERS, gzipSync(''))),
  'gzip-nested': coded('gzip, gzip, gzip', () => gzipSync(gzipSync(bomb()))),
  'gzip-garbage': coded('gzip', () => Buffer.concat([bomb(), Buffer.alloc(5_000_000, 'garbage')])),
  'brotli-bomb': coded('br', () => fastBrotli(Buffer.alloc(BOMB_BYTES, '<b>'))),
  'short-length': once(() => ({ head: HTML, body: Buffer.alloc(1_000_000, PIECE), saidLength: 1000 })),
  'long-length': once(() => ({ head: HTML, body: Buffer.alloc(1_000_000, PIECE), saidLength: 2 ** 53 })),
  'chunked-without-end': () => ({ head: HTML, body: endless(PIECE) }),
  dripping: () => ({ head: HTML, body: endless(Buffer.from('x')), pauseMs: DRIP_MS }),
  'largest-link-header': headers('link', `<${'/x'.repeat(700)}>; rel=next`),
  'largest-cookies': headers('set-cookie', `a=${'x'.repeat(4000)}`),
  'largest-robots-tag': headers('x-robots-tag', 'otherbot: noindex, '.repeat(200)),
  'many-headers': headers('x', 'y'),
};
