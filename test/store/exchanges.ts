/** Exchanges for tests: ordinary ones and those that trip up readers. */
import { gzipSync } from 'node:zlib';
import { MAX_URL_BYTES } from '#drumline/model/url-list.js';
import { type FetchedPage, WHOLE_ANSWER } from '#drumline/model/web.js';
import {
  type Exchange,
  isSamePlace,
  type StoredDigests,
  type StoredPlace,
} from '#drumline/store/page-store.js';

/** A page of the live Web; headers are name, value, name, value... */
export function livePage(
  status: number,
  headers: readonly string[],
  body: Uint8Array | string,
  isTruncated = false,
): FetchedPage {
  const bytes = Buffer.from(body as Uint8Array);
  const at = headers.findIndex((name) => name.toLowerCase() === 'content-type');
  return {
    ...WHOLE_ANSWER,
    status,
    statusLine: `HTTP/1.1 ${status} As it was`,
    rawHeaders: headers.map((text) => Buffer.from(text, 'latin1')),
    body: bytes,
    bodyLength: bytes.length,
    contentType: at < 0 ? '' : headers[at + 1]!,
    location: '',
    pageNumber: -1,
    received: {
      bytes: Buffer.concat([bytes, Buffer.from('not of the body')]),
      length: bytes.length,
      isTruncated,
    },
  };
}

export function exchange(url: string, page: FetchedPage, more: Partial<Exchange> = {}): Exchange {
  const date = Date.UTC(2030, 0, 2, 3, 4, 5, 678);
  return {
    url,
    page,
    date,
    fetchTime: 12.3,
    ip: '192.0.2.7',
    via: '',
    hops: 0,
    outlinks: 0,
    isRepeated: false,
    ...more,
  };
}

const HTML = ['Content-Type', 'text/html'];

/** By name: what must come back byte for byte. */
export function oddExchanges(): Map<string, Exchange> {
  const cases = new Map<string, FetchedPage>();
  cases.set('plain', livePage(200, [...HTML, 'Content-Length', '5'], 'hello'));
  cases.set('odd-bytes', livePage(200, [...HTML, 'X-Odd', '\x01caf\xe9\xff\x80 :;=', 'x', ''], 'body'));
  cases.set(
    'many-headers',
    livePage(
      200,
      Array.from({ length: 400 }, (_, i) => `x-${i}`),
      'many',
    ),
  );
  cases.set('empty', livePage(200, [...HTML, 'Content-Length', '0'], ''));
  cases.set('304', livePage(304, ['Content-Length', '77', 'ETag', '"x"'], ''));
  cases.set('204', livePage(204, [], ''));
  cases.set('chunked', livePage(200, [...HTML, 'Transfer-Encoding', 'chunked'], 'it had chunks'));
  cases.set('gzip', livePage(200, [...HTML, 'Content-Encoding', 'gzip'], gzipSync('it is coded')));
  cases.set('truncated', livePage(200, [...HTML, 'Content-Length', '9000'], 'the first', true));
  cases.set('headers-in-body', livePage(200, HTML, 'a\r\n\r\nb\r\n\r\nWARC/1.1\r\nWARC-Type: response\r\n'));
  cases.set(
    'record-in-body',
    livePage(200, HTML, 'WARC/1.1\r\nContent-Length: 3\r\n\r\nabc\r\n\r\nWARC/1.1\r\n'),
  );
  cases.set(
    'members-in-body',
    livePage(200, HTML, Buffer.concat([gzipSync('WARC/1.1\r\n'), Buffer.alloc(9)])),
  );
  const large = Buffer.alloc(10_000_000);
  for (let i = 0, state = 7; i < large.length; i++) {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    large[i] = i % 3 === 0 ? state >>> 24 : i >>> 10;
  }
  cases.set('10-mb', livePage(200, HTML, large));
  const noise = Buffer.from(large.subarray(0, 2_000_000));
  for (let i = 0, state = 9; i < noise.length; i++) {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    noise[i] = state >>> 24;
  }
  cases.set('noise', livePage(200, HTML, noise));
  cases.set('coded-noise', livePage(200, [...HTML, 'content-encoding', 'br'], noise.subarray(0, 65535 * 2)));
  cases.set('coded-empty', livePage(200, [...HTML, 'Content-Encoding', 'gzip'], ''));
  const odd = new Map<string, Exchange>();
  for (const [name, page] of cases) odd.set(name, exchange(`http://odd.example/${name}`, page));
  const longest = `http://odd.example/${'u'.repeat(MAX_URL_BYTES)}`.slice(0, MAX_URL_BYTES);
  const more = { via: longest, hops: 65535, outlinks: 6000 };
  odd.set('longest', exchange(longest, livePage(200, HTML, 'at the limit'), more));
  return odd;
}

/** What a DRUM does, in a Map. */
export class DigestMap implements StoredDigests {
  readonly #places = new Map<string, StoredPlace>();

  announce(): void {}

  find(digest: Uint8Array, place: StoredPlace, wrong: StoredPlace | null): StoredPlace | null {
    const key = Buffer.from(digest).toString('hex');
    const found = this.#places.get(key);
    if (found !== undefined && (wrong === null || !isSamePlace(found, wrong))) return found;
    this.#places.set(key, place);
    return null;
  }

  note(digest: Uint8Array, place: StoredPlace): void {
    this.find(digest, place, null);
  }

  save(): void {}

  confirm(): void {}

  close(): void {}
}
