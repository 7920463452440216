/** WARC files for tests: records and gzip members as bytes. */
import { gzipSync } from 'node:zlib';

const CRLF = '\r\n';

export function httpBytes(status: string, headers: string[], body: Uint8Array | string): Buffer {
  const head = [`HTTP/1.1 ${status}`, ...headers, '', ''].join(CRLF);
  return Buffer.concat([Buffer.from(head, 'latin1'), Buffer.from(body as Uint8Array)]);
}

export function warcBytes(type: string, url: string, block: Uint8Array | string, version = '1.0'): Buffer {
  const content = Buffer.from(block as Uint8Array);
  const lines = [`WARC/${version}`, `WARC-Type: ${type}`, `WARC-Target-URI: ${url}`];
  lines.push(`Content-Length: ${content.length}`, '', '');
  return Buffer.concat([Buffer.from(lines.join(CRLF), 'latin1'), content, Buffer.from(CRLF + CRLF)]);
}

export function responseBytes(
  url: string,
  body: string,
  headers: string[] = ['Content-Type: text/html'],
): Buffer {
  return warcBytes('response', url, httpBytes('200 OK', headers, body));
}

export function gzipMembers(records: readonly Buffer[]): Buffer {
  return Buffer.concat(records.map((record) => gzipSync(record)));
}
