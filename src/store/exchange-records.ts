/** An exchange as records of a WARC file: a response, or a revisit of a body stored before, its request, and metadata. */
import type { FetchedPage } from '../model/web.js';
import { isCoded, requestHead, responseHead } from './http-head.js';
import type { Exchange } from './page-store.js';
import type { RecordReference } from './warc-head.js';
import { DECODED_LENGTH, newRecordId, RecordEncoder } from './warc-record.js';

export interface ExchangeRecordOptions {
  /** zlib's. */
  readonly level: number;
  /** Fields of the record that every file begins with. */
  readonly info: Readonly<Record<string, string>>;
  /** What is sent behind host and connection: name, value, name, value... */
  readonly requestHeaders: readonly string[];
}

const PROFILE = 'http://netpreserve.org/warc/1.1/revisit/identical-payload-digest';
const REQUEST_TYPE = 'application/http; msgtype=request';
const RESPONSE_TYPE = 'application/http; msgtype=response';
const FIELDS_TYPE = 'application/warc-fields';

/** What was received of a body, as it is stored. */
export function payloadOf({ body, bodyLength, received }: FetchedPage): Uint8Array {
  return (received?.bytes ?? body).subarray(0, received?.length ?? bodyLength);
}

export class ExchangeRecords {
  readonly #options: ExchangeRecordOptions;
  readonly #encoder: RecordEncoder;

  constructor(options: ExchangeRecordOptions) {
    this.#options = options;
    this.#encoder = new RecordEncoder(options.level);
  }

  /** What the file with this name begins with. */
  firstRecord(name: string): Buffer {
    const fields = Object.entries(this.#options.info).map(([field, value]) => `${field}: ${value}\r\n`);
    return this.#encoder.encode({
      type: 'warcinfo',
      id: newRecordId(),
      date: new Date().toISOString(),
      contentType: FIELDS_TYPE,
      headers: `WARC-Filename: ${name}\r\n`,
      block: [Buffer.from(fields.join(''))],
    });
  }

  /** The response `of.id` with this payload, or a revisit that refers to the response that has it already. */
  response(
    exchange: Exchange,
    of: RecordReference,
    payload: Uint8Array,
    stored: RecordReference | null,
  ): Buffer {
    const { page } = exchange;
    let headers = `${common(exchange)}WARC-Payload-Digest: ${of.digest}\r\n`;
    // A redirect whose body did not come whole is stored without it.
    if (page.received?.isTruncated)
      headers += `WARC-Truncated: ${payload.length === 0 ? 'unspecified' : 'length'}\r\n`;
    // The bound on the size holds for what was received and for what became of it.
    if (page.isTruncated && payload.length > 0 && isCoded(page))
      headers += `${DECODED_LENGTH}: ${page.bodyLength}\r\n`;
    if (stored !== null) headers += refersTo(stored);
    const head = responseHead(page, payload.length);
    return this.#encoder.encode({
      type: stored === null ? 'response' : 'revisit',
      id: of.id,
      date: of.date,
      contentType: RESPONSE_TYPE,
      headers,
      block: stored === null ? [head, payload] : [head],
      isCoded: stored === null && isCoded(page),
    });
  }

  /** The request of the response `of.id`, and what the crawl knows. */
  companions(exchange: Exchange, { id, date }: RecordReference): Buffer[] {
    const { url, via, hops, fetchTime, outlinks } = exchange;
    const headers = `${common(exchange)}WARC-Concurrent-To: ${id}\r\n`;
    const request = [requestHead(url, this.#options.requestHeaders)];
    const fields =
      `${via === '' ? '' : `via: ${via}\r\n`}hops: ${hops}\r\n` +
      `fetchTimeMs: ${Math.round(fetchTime)}\r\noutlinks: ${outlinks}\r\n`;
    const block = [Buffer.from(fields)];
    const encoder = this.#encoder;
    return [
      encoder.encode({
        type: 'request',
        id: newRecordId(),
        date,
        contentType: REQUEST_TYPE,
        headers,
        block: request,
      }),
      encoder.encode({ type: 'metadata', id: newRecordId(), date, contentType: FIELDS_TYPE, headers, block }),
    ];
  }
}

/** Headers of all records of an exchange. */
function common({ url, ip }: Exchange): string {
  return `WARC-Target-URI: ${url}\r\n${ip === '' ? '' : `WARC-IP-Address: ${ip}\r\n`}`;
}

/** Headers that say which record has the body. */
function refersTo({ id, url, date }: RecordReference): string {
  return (
    `WARC-Profile: ${PROFILE}\r\nWARC-Refers-To: ${id}\r\n` +
    `WARC-Refers-To-Target-URI: ${url}\r\nWARC-Refers-To-Date: ${date}\r\n`
  );
}
