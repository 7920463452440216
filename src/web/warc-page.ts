/** The page in a WARC record: a response, or a revisit, which has the headers of one and the body of another. */
import type { WarcRecord } from '../store/warc-reader.js';
import { DECODED_LENGTH } from '../store/warc-record.js';
import type { PageRecord } from './disk-format.js';
import { readHttpResponse } from './http-response.js';

export interface StoredPage extends PageRecord {
  /** The canonical URL of the page that has the body; null if it is here. */
  readonly bodyOf: Uint8Array | null;
}

const LONGEST_PART = 0xffff;

/** Null if the record holds no page, a string if it is damaged. */
export function readPage({ headers, block }: WarcRecord): StoredPage | string | null {
  const type = headers.get('warc-type');
  if (type !== 'response' && type !== 'revisit') return null;
  const target = headers.get('warc-target-uri') ?? '';
  if (!/^<?https?:/i.test(target)) return null;
  const url = canonical(target);
  if (url === null) return `the URL '${target}' is none`;
  const isRevisit = type === 'revisit';
  const bodyOf = isRevisit ? canonical(headers.get('warc-refers-to-target-uri') ?? '') : null;
  // Others' revisits need not say which page has the body, nor repeat the headers.
  if (isRevisit && (bodyOf === null || block.length === 0)) return null;
  const response = readHttpResponse(block, headers.has('warc-truncated'));
  if (typeof response === 'string') return response;
  const { status } = response;
  const cutAt = headers.get(DECODED_LENGTH.toLowerCase());
  const body = cutAt === undefined ? response.body : response.body.subarray(0, Number(cutAt) || 0);
  const contentType = Buffer.from(response.contentType);
  const location = Buffer.from(response.location);
  const robotsTag = Buffer.from(response.robotsTag);
  const link = Buffer.from(response.link);
  const longest = Math.max(...[url, contentType, location, robotsTag, link].map(({ length }) => length));
  return longest > LONGEST_PART
    ? 'a header is too long'
    : { url, status, contentType, location, robotsTag, link, body, bodyOf };
}

/** WARC 1.0 allows angle brackets around a URL. */
function canonical(target: string): Buffer | null {
  const text = target.replace(/^<(.*)>$/, '$1');
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  url.hash = '';
  return Buffer.from(url.href, 'latin1');
}
