/** Reads the headers of a record that is in a file already, without its block. */
import { constants, gunzipSync } from 'node:zlib';
import { readHeaders } from './header-lines.js';

/** What a revisit says of the record that has the body. */
export interface RecordReference {
  readonly id: string;
  readonly url: string;
  readonly date: string;
  /** Of the payload, with the name of its algorithm. */
  readonly digest: string;
}

/** Bytes of a member that hold the headers in any case: they are a few hundred, and a URL. */
export const HEAD_BYTES = 8192;

/** `bytes` is the beginning of the record's gzip member. Null if it is not that of a response. */
export function readReference(bytes: Uint8Array): RecordReference | null {
  let text: Buffer;
  try {
    // The member is cut, which is no error with this.
    text = gunzipSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH });
  } catch {
    return null;
  }
  const { headers } = readHeaders(text, 0) ?? { headers: new Map<string, string>() };
  const id = headers.get('warc-record-id');
  const url = headers.get('warc-target-uri');
  const date = headers.get('warc-date');
  const digest = headers.get('warc-payload-digest');
  if (headers.get('warc-type') !== 'response') return null;
  if (id === undefined || url === undefined || date === undefined || digest === undefined) return null;
  return { id, url, date, digest };
}
