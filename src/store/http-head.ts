/**
 * The heads of HTTP messages as they are stored. A body is stored without its chunks, with its content coding, and
 * perhaps cut; headers that would then say something else about it are kept under another name.
 */
import { STATUS_CODES } from 'node:http';
import type { FetchedPage } from '../model/web.js';

/** What was received under the name behind this, and does not hold for the stored body. */
const ORIGINAL = 'X-Crawler-';

const CONTENT_ENCODING = 'content-encoding';

/** The request for a canonical URL as the fetcher sends it; `headers` is name, value, name, value... */
export function requestHead(url: string, headers: readonly string[]): Buffer {
  const host = url.indexOf('//') + 2;
  const path = url.indexOf('/', host);
  let head = `GET ${url.slice(path)} HTTP/1.1\r\nhost: ${url.slice(host, path)}\r\nconnection: keep-alive\r\n`;
  for (let i = 0; i + 1 < headers.length; i += 2) head += `${headers[i]}: ${headers[i + 1]}\r\n`;
  return Buffer.from(`${head}\r\n`, 'latin1');
}

/** Status line and headers of a page whose stored body has `length` bytes. */
export function responseHead(page: FetchedPage, length: number): Buffer {
  const statusLine = page.statusLine || `HTTP/1.1 ${page.status} ${STATUS_CODES[page.status] ?? ''}`;
  const parts: Uint8Array[] = [Buffer.from(`${statusLine}\r\n`, 'latin1')];
  if (page.received === null) parts.push(madeUpHeaders(page, length));
  else addReceivedHeaders(page, length, parts);
  parts.push(Buffer.from('\r\n'));
  return Buffer.concat(parts);
}

/** An emulated web has no headers but those that the crawler reads. */
function madeUpHeaders(page: FetchedPage, length: number): Buffer {
  let headers = '';
  if (page.contentType !== '') headers += `Content-Type: ${page.contentType}\r\n`;
  if (page.location !== '') headers += `Location: ${page.location}\r\n`;
  if (page.robotsTag !== '')
    headers += `X-Robots-Tag: ${page.robotsTag.replaceAll('\n', '\r\nX-Robots-Tag: ')}\r\n`;
  if (page.link !== '') headers += `Link: ${page.link}\r\n`;
  return Buffer.from(`${headers}Content-Length: ${length}\r\n`);
}

/** Did the body come in a content coding? */
export function isCoded({ rawHeaders }: FetchedPage): boolean {
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!;
    if (name.length !== CONTENT_ENCODING.length) continue;
    if (name.toString('latin1').toLowerCase() !== CONTENT_ENCODING) continue;
    return rawHeaders[i + 1]!.toString('latin1').trim().toLowerCase() !== 'identity';
  }
  return false;
}

function addReceivedHeaders({ rawHeaders, status }: FetchedPage, length: number, parts: Uint8Array[]): void {
  let isRenamed = false;
  let isLengthTold = false;
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!;
    const value = rawHeaders[i + 1]!;
    const verdict = holds(name, value, length);
    if (verdict === 'no') {
      parts.push(Buffer.from(ORIGINAL));
      isRenamed = true;
    } else if (verdict === 'length') isLengthTold = true;
    parts.push(name, Buffer.from(': '), value, Buffer.from('\r\n'));
  }
  const hasBody = status !== 204 && status !== 304;
  if (isRenamed && !isLengthTold && hasBody) parts.push(Buffer.from(`Content-Length: ${length}\r\n`));
}

/** Does a header hold for the stored body? `length` if it tells its length. */
function holds(name: Buffer, value: Buffer, length: number): 'yes' | 'no' | 'length' {
  if (name.length !== 14 && name.length !== 17) return 'yes';
  const lower = name.toString('latin1').toLowerCase();
  if (lower === 'transfer-encoding') return 'no';
  if (lower !== 'content-length') return 'yes';
  return value.toString('latin1').trim() === String(length) ? 'length' : 'no';
}
