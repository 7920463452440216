/** Header lines as WARC records and HTTP messages have them. */
import { isAscii, isUtf8 } from 'node:buffer';

const TAB = 9;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const SPACE = 32;
const COLON = 58;

/** Where the line that begins at `at` ends, its line feed included; -1 if it does not end. */
export function lineEnd(bytes: Uint8Array, at: number): number {
  return bytes.indexOf(LINE_FEED, at) + 1 || -1;
}

/** Header values are Latin-1 by the standard, UTF-8 in practice where they are not ASCII. */
export function headerText(value: Buffer): string {
  return (!isAscii(value) && isUtf8(value) ? value.toString() : value.toString('latin1')).trim();
}

/**
 * Header lines from `at` up to an empty line, as name, value, name, value... in views of `bytes`. Returns null if the
 * empty line is missing.
 */
export function readHeaderPairs(bytes: Uint8Array, at: number): { pairs: Buffer[]; end: number } | null {
  const pairs: Buffer[] = [];
  for (let start = at; ; ) {
    const end = lineEnd(bytes, start);
    if (end < 0) return null;
    const line = trimmed(Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start));
    if (line.length === 0) return { pairs, end };
    const colon = line.indexOf(COLON);
    if (colon > 0) pairs.push(trimmed(line.subarray(0, colon)), trimmed(line.subarray(colon + 1)));
    start = end;
  }
}

/** The same with names in lower case, the first of each name. */
export function readHeaders(
  bytes: Uint8Array,
  at: number,
): { headers: Map<string, string>; end: number } | null {
  const lines = readHeaderPairs(bytes, at);
  if (lines === null) return null;
  const headers = new Map<string, string>();
  for (let i = 0; i < lines.pairs.length; i += 2) {
    const name = lines.pairs[i]!.toString('latin1').toLowerCase();
    if (!headers.has(name)) headers.set(name, headerText(lines.pairs[i + 1]!));
  }
  return { headers, end: lines.end };
}

function trimmed(line: Buffer): Buffer {
  let start = 0;
  let end = line.length;
  while (start < end && isSpace(line[start]!)) start++;
  while (end > start && isSpace(line[end - 1]!)) end--;
  return line.subarray(start, end);
}

function isSpace(byte: number): boolean {
  return byte === SPACE || byte === TAB || byte === CARRIAGE_RETURN || byte === LINE_FEED;
}
