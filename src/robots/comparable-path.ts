/**
 * Paths and patterns in the one form that they are compared in (RFC 9309, section 2.2.2): percent-encoded unreserved
 * characters stand for themselves, other escapes are upper case, and whatever a URI can't hold is escaped.
 *
 * | octet                                | written as                                                  |
 * |--------------------------------------|-------------------------------------------------------------|
 * | unreserved, plain or escaped         | itself; `.` as `'`                                          |
 * | `/ : @ & = + , ; ( )`, plain         | itself                                                      |
 * | `?`, plain                           | `!`                                                         |
 * | `*` in a pattern                     | itself: any octets                                          |
 * | `$` at the end of a pattern          | itself: the end of the path                                 |
 * | all else, and what is escaped        | `%XX`                                                       |
 *
 * `.` and `?` are written otherwise because robots-parser takes the path through a URL parser, which would resolve dots
 * in a query written as a path, and drop an empty query. So `!` and `'` are always escaped: they equal `%21` and `%27`.
 */
const PERCENT = 0x25;
const STAR = 0x2a;
const DOLLAR = 0x24;

function escaped(octet: number): string {
  return `%${octet.toString(16).toUpperCase().padStart(2, '0')}`;
}

/** How an octet is written that stands plain, and one that stood escaped. */
const PLAIN: string[] = [];
const ESCAPED: string[] = [];
for (let octet = 0; octet < 256; octet++) {
  const character = String.fromCharCode(octet);
  const isUnreserved = /[A-Za-z0-9\-_~]/.test(character);
  PLAIN.push(isUnreserved || /[/:@&=+,;()]/.test(character) ? character : escaped(octet));
  ESCAPED.push(isUnreserved ? character : escaped(octet));
}
PLAIN[0x2e] = "'";
ESCAPED[0x2e] = "'";
PLAIN[0x3f] = '!';

/** The value of a hexadecimal digit, or -1. */
function digit(octet: number): number {
  if (octet >= 0x30 && octet <= 0x39) return octet - 0x30;
  const folded = octet | 0x20;
  return folded >= 0x61 && folded <= 0x66 ? folded - 0x57 : -1;
}

/** Path and query of a canonical URL, `url[start, end)`, from their first slash on. */
export function comparablePath(url: Uint8Array, start: number, end: number): string {
  return write(url, start, end, false);
}

/** The value of an Allow or Disallow line. Wildcards in a row are one. */
export function comparablePattern(value: Uint8Array): string {
  const isAnchored = value.at(-1) === DOLLAR;
  const written = write(value, 0, isAnchored ? value.length - 1 : value.length, true);
  return isAnchored ? `${written}$` : written;
}

function write(octets: Uint8Array, start: number, end: number, isPattern: boolean): string {
  let written = '';
  for (let at = start; at < end; at++) {
    const octet = octets[at]!;
    if (octet === PERCENT && at + 2 < end) {
      const value = digit(octets[at + 1]!) * 16 + digit(octets[at + 2]!);
      if (value >= 0 && digit(octets[at + 2]!) >= 0) {
        written += ESCAPED[value];
        at += 2;
        continue;
      }
    }
    if (isPattern && octet === STAR) {
      if (at === start || octets[at - 1] !== STAR) written += '*';
    } else {
      written += PLAIN[octet];
    }
  }
  return written;
}
