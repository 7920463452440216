/** An HTTP response as it stands in a WARC record: what the live fetcher would have read in it. */
import { lineEnd, readHeaderPairs } from '../store/header-lines.js';
import { codingsOf, decodeStored } from './http/content-coding.js';
import { ResponseHead } from './http/response-head.js';

export interface HttpResponse {
  readonly status: number;
  readonly contentType: string;
  readonly location: string;
  /** Several X-Robots-Tag or Link headers are joined by ', '. */
  readonly robotsTag: string;
  readonly link: string;
  /** Its codings are undone. */
  readonly body: Uint8Array;
}

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
/** No body may grow beyond this when its coding is undone. */
const LARGEST_BODY = 256 * 1024 * 1024;
const CHUNKED = /^transfer-encoding: .*\bchunked\b/i;
const NOTHING = new Uint8Array(0);

/** Returns the response, or what is wrong with it. `isCut` says that the end of the body is missing. */
export function readHttpResponse(bytes: Uint8Array, isCut = false): HttpResponse | string {
  const statusEnd = lineEnd(bytes, 0);
  const statusLine = Buffer.from(bytes.subarray(0, Math.min(64, Math.max(0, statusEnd)))).toString('latin1');
  const status = Number(/^HTTP\/\d(?:\.\d)? +(\d{3})(?!\d)/.exec(statusLine)?.[1] ?? 0);
  if (status === 0) return 'no HTTP status line';
  const lines = readHeaderPairs(bytes, statusEnd);
  if (lines === null) return 'the HTTP headers do not end';
  const { contentEncoding, contentType, location, robotsTag, link } = new ResponseHead(lines.pairs);
  let body: Uint8Array | null = bytes.subarray(lines.end);
  // Some crawlers store the body without its chunks and keep the header.
  if (isChunked(lines.pairs)) body = joinChunks(body) ?? body;
  for (const coding of codingsOf(contentEncoding) ?? []) body = body && undoCoding(body, coding, isCut);
  // A redirect needs no body.
  if (body === null && status >= 300 && status < 400 && location !== '') body = NOTHING;
  if (body === null) return `the body is not ${contentEncoding}, or more than 256 MB without that`;
  return { status, contentType, location, robotsTag, link, body };
}

function isChunked(pairs: readonly Buffer[]): boolean {
  for (let i = 0; i < pairs.length; i += 2) {
    const name = pairs[i]!;
    if (name.length === 17 && CHUNKED.test(`${name.toString('latin1')}: ${pairs[i + 1]!.toString('latin1')}`))
      return true;
  }
  return false;
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

/** Null if the body begins like one in this coding, but can't be decoded. */
function undoCoding(body: Uint8Array, coding: string, isCut: boolean): Uint8Array | null {
  // Stored decoded already, with the header kept.
  const isPlain = coding === 'gzip' && (body[0] !== 0x1f || body[1] !== 0x8b);
  return body.length === 0 || isPlain ? body : decodeStored(coding, body, isCut, LARGEST_BODY);
}
