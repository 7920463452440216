/** A site's record: a site is known by its key, and visited from the root page of the origin it was found by. */
import { writeKey } from './key.js';
import { originEnd, RECORD_HEADER, writeHeader } from './record.js';

const SLASH = 0x2f;

/** Writes a record with the root page of a URL's origin to `record[0, length)`; returns the length. */
export function writeRootRecord(
  record: Uint8Array,
  type: number,
  siteLow: number,
  siteHigh: number,
  url: Uint8Array,
  start: number,
  end: number,
  key: Uint32Array,
): number {
  const origin = originEnd(url, start, end);
  record.set(url.subarray(start, origin), RECORD_HEADER);
  const length = RECORD_HEADER + origin - start + 1;
  record[length - 1] = SLASH;
  writeKey(record.subarray(RECORD_HEADER, length), key, 0);
  writeHeader(record, 0, type, siteLow, siteHigh, key[0]!, key[1]!);
  return length;
}
