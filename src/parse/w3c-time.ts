/** The W3C's profile of ISO 8601, in which sitemaps tell times. */

const PATTERN = /^\d{4}(?:-\d\d(?:-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.(\d+))?)?(Z|[+-]\d\d:\d\d)?)?)?)?$/;
const LONGEST = 64;

/** `bytes[0, length)` in milliseconds since 1970; NaN if it is no such time. Without a zone it is taken as UTC. */
export function w3cTime(bytes: Uint8Array, length: number): number {
  if (length > LONGEST) return Number.NaN;
  const text = String.fromCharCode(...bytes.subarray(0, length));
  const found = PATTERN.exec(text);
  if (found === null) return Number.NaN;
  return Date.parse(text.includes('T') && found[2] === undefined ? `${text}Z` : text);
}
