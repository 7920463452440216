/**
 * What a WARC record is known by. A revisit refers by one name to the record that has its body: the digest of the
 * payload, which holds wherever the same bytes are, else the record's id, its URL and time, or its URL alone.
 */
import { canonicalUrl } from '../model/canonical-url.js';
import { base32, sha1 } from '../store/digest.js';
import { lineEnd, readHeaderPairs } from '../store/header-lines.js';
import type { WarcRecord } from '../store/warc-reader.js';

type Headers = WarcRecord['headers'];

export interface BodyReference {
  readonly name: string;
  /** The canonical URL of the record that has the body; null if the revisit does not say it. */
  readonly url: Uint8Array | null;
}

/** The canonical URL of a record's target, which WARC 1.0 allows angle brackets around; null if it is none. */
export function targetUrl(target: string): Buffer | null {
  const url = canonicalUrl(target.replace(/^<(.*)>$/, '$1'));
  return url === null ? null : Buffer.from(url);
}

/** Of the payload as a name; '' if the record does not say. SHA-1 is written in base 32 or in hexadecimal digits. */
export function digestName(headers: Headers): string {
  const digest = headers.get('warc-payload-digest') ?? '';
  const hex = /^sha-?1:([0-9a-f]{40})$/i.exec(digest)?.[1];
  const name = hex === undefined ? digest : `sha1:${base32(Buffer.from(hex, 'hex'))}`;
  return name.toLowerCase();
}

/** All names of a response. */
export function namesOf({ headers, block }: WarcRecord, url: Uint8Array): string[] {
  const digest = digestName(headers) || payloadDigest(block);
  const names = [digest, urlName(url), timeName(url, headers.get('warc-date') ?? '')];
  const id = headers.get('warc-record-id');
  if (id !== undefined) names.push(idName(id));
  return names;
}

/** The record that has a revisit's body; null if the revisit does not say. */
export function referenceOf(headers: Headers): BodyReference | null {
  const url = targetUrl(headers.get('warc-refers-to-target-uri') ?? '');
  // What a server did not send again was not digested.
  const isDigested = !headers.get('warc-profile')?.includes('server-not-modified');
  const digest = isDigested ? digestName(headers) : '';
  if (digest !== '') return { name: digest, url };
  const id = headers.get('warc-refers-to');
  if (id !== undefined) return { name: idName(id), url };
  if (url === null) return null;
  const date = headers.get('warc-refers-to-date');
  return { name: date === undefined ? urlName(url) : timeName(url, date), url };
}

export function urlName(url: Uint8Array): string {
  return `url ${Buffer.from(url).toString('latin1')}`;
}

/** Not all that write WARC files tell fractions of a second. */
function timeName(url: Uint8Array, date: string): string {
  return `${urlName(url)} ${date.slice(0, 'YYYY-MM-DDThh:mm:ss'.length)}`;
}

function idName(id: string): string {
  return `id ${id.replace(/^<(.*)>$/, '$1')}`;
}

function payloadDigest(block: Uint8Array): string {
  const start = readHeaderPairs(block, lineEnd(block, 0))?.end ?? 0;
  return `sha1:${base32(sha1(block.subarray(start)))}`.toLowerCase();
}
