/** An HTTP response as it stands in a WARC record: status, a few headers, and the body with its codings undone. */
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';
import { lineEnd, readHeaders } from '../store/header-lines.js';

export interface HttpResponse {
  readonly status: number;
  readonly contentType: string;
  readonly location: string;
  readonly body: Uint8Array;
}

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
/** No body may grow beyond this when its coding is undone. */
const LARGEST_BODY = 256 * 1024 * 1024;

/** Returns the response, or what is wrong with it. */
export function readHttpResponse(bytes: Uint8Array): HttpResponse | string {
  const statusEnd = lineEnd(bytes, 0);
  const statusLine = Buffer.from(bytes.subarray(0, Math.min(64, Math.max(0, statusEnd)))).toString('latin1');
  const status = Number(/^HTTP\/\d(?:\.\d)? +(\d{3})(?!\d)/.exec(statusLine)?.[1] ?? 0);
  if (status === 0) return 'no HTTP status line';
  const head = readHeaders(bytes, statusEnd);
  if (head === null) return 'the HTTP headers do not end';
  const { headers, end } = head;
  let body = bytes.subarray(end);
  // Some crawlers store the body without its chunks and keep the header.
  if (/\bchunked\b/i.test(headers.get('transfer-encoding') ?? '')) body = joinChunks(body) ?? body;
  const decoded = undoCoding(body, (headers.get('content-encoding') ?? '').toLowerCase());
  if (decoded === null) return `the body is not ${headers.get('content-encoding')}`;
  const contentType = headers.get('content-type') ?? '';
  return { status, contentType, location: headers.get('location') ?? '', body: decoded };
}

/** The data of a chunked body; null if it does not begin with a chunk. A body that is cut off keeps what came. */
function joinChunks(bytes: Uint8Array): Uint8Array | null {
  const joined = new Uint8Array(bytes.length);
  let length = 0;
  for (let at = 0; ; ) {
    const end = lineEnd(bytes, at);
    const line = Buffer.from(bytes.subarray(at, Math.min(end, at + 64))).toString('latin1');
    const hex = end < 0 ? undefined : /^([0-9a-f]{1,8})\s*(?:;|\r?\n)/i.exec(line)?.[1];
    if (hex === undefined) return at === 0 ? null : joined.subarray(0, length);
    const size = Number.parseInt(hex, 16);
    if (size === 0) return joined.subarray(0, length);
    joined.set(bytes.subarray(end, end + size), length);
    length += Math.min(size, bytes.length - end);
    at = end + size;
    if (bytes[at] === CARRIAGE_RETURN) at++;
    if (bytes[at] === LINE_FEED) at++;
  }
}

/** Null if the body says it is coded and begins so, but can't be decoded. */
function undoCoding(body: Uint8Array, coding: string): Uint8Array | null {
  if (body.length === 0) return body;
  const options = { maxOutputLength: LARGEST_BODY };
  try {
    if (coding === 'gzip' || coding === 'x-gzip') {
      // Stored decoded already, with the header kept.
      return body[0] === 0x1f && body[1] === 0x8b ? gunzipSync(body, options) : body;
    }
    if (coding === 'br') return brotliDecompressSync(body, options);
    if (coding === 'deflate') {
      // Servers send zlib streams and bare ones under this name.
      return (body[0]! & 0x0f) === 8 ? inflateSync(body, options) : inflateRawSync(body, options);
    }
    return body;
  } catch {
    return null;
  }
}
