/** The page in a WARC record: a response, or a revisit, which has the headers of one and the body of another. */
import type { WarcRecord } from '../store/warc-reader.js';
import { DECODED_LENGTH } from '../store/warc-record.js';
import type { PageRecord } from './disk-format.js';
import { readHttpResponse } from './http-response.js';
import { type BodyReference, digestName, referenceOf, targetUrl } from './record-names.js';

export interface StoredPage extends PageRecord {
  /** The name of the payload's digest, '' if the record does not say it. */
  readonly digest: string;
  /** The record that has the body; null if it is here. */
  readonly bodyOf: BodyReference | null;
}

const LONGEST_PART = 0xffff;

/** Null if the record holds no page, a string if it is damaged. */
export function readPage({ headers, block }: WarcRecord): StoredPage | string | null {
  const type = headers.get('warc-type');
  if (type !== 'response' && type !== 'revisit') return null;
  const target = headers.get('warc-target-uri') ?? '';
  if (!/^<?https?:/i.test(target)) return null;
  const url = targetUrl(target);
  if (url === null) return `the URL '${target}' is none that can be crawled`;
  const bodyOf = type === 'revisit' ? referenceOf(headers) : null;
  // Others' revisits need not say which record has the body, nor repeat the headers.
  if (type === 'revisit' && bodyOf === null) return 'the revisit does not say which record has its body';
  if (type === 'revisit' && block.length === 0) return 'the revisit has no HTTP headers';
  const response = readHttpResponse(block, headers.has('warc-truncated'));
  if (typeof response === 'string') return response;
  const { status } = response;
  const cutAt = headers.get(DECODED_LENGTH.toLowerCase()) ?? '';
  const body = /^\d+$/.test(cutAt) ? response.body.subarray(0, Number(cutAt)) : response.body;
  const contentType = Buffer.from(response.contentType);
  const location = Buffer.from(response.location);
  const robotsTag = Buffer.from(response.robotsTag);
  const link = Buffer.from(response.link);
  const longest = Math.max(...[url, contentType, location, robotsTag, link].map(({ length }) => length));
  return longest > LONGEST_PART
    ? 'a header is too long'
    : { url, status, contentType, location, robotsTag, link, body, digest: digestName(headers), bodyOf };
}
