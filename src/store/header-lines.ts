/** Header lines as WARC records and HTTP messages have them. */
const LINE_FEED = 10;

/** Where the line that begins at `at` ends, its line feed included; -1 if it does not end. */
export function lineEnd(bytes: Uint8Array, at: number): number {
  return bytes.indexOf(LINE_FEED, at) + 1 || -1;
}

/**
 * Header lines from `at` up to an empty line: names in lower case, the first of each name counts.
 * Returns null if the empty line is missing.
 */
export function readHeaders(
  bytes: Uint8Array,
  at: number,
): { headers: Map<string, string>; end: number } | null {
  const headers = new Map<string, string>();
  for (let start = at; ; ) {
    const end = lineEnd(bytes, start);
    if (end < 0) return null;
    const line = Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start)
      .toString('latin1')
      .trim();
    if (line === '') return { headers, end };
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(0, colon)).trim().toLowerCase();
    if (colon > 0 && !headers.has(name)) headers.set(name, line.slice(colon + 1).trim());
    start = end;
  }
}
