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
 * robots-parser takes the path through a URL parser, which drops an empty query and encodes a query by rules of its own.
 * So nothing may look like a query or, in what was one, like a dot segment: `?` and `.` are written otherwise, with two
 * characters that are always escaped themselves: `!` and `'` equal `%21` and `%27`.
 */
import { MAX_URL_BYTES } from '../model/url-list.js';

const PERCENT = 0x25;
const STAR = 0x2a;
const DOLLAR = 0x24;
const ESCAPE_LENGTH = 3;
const HEX = Buffer.from('0123456789ABCDEF');

/** How an octet is written that stands plain, and one that stood escaped; 0: as an escape. */
const PLAIN = new Uint8Array(256);
const ESCAPED = new Uint8Array(256);
for (let octet = 0; octet < 128; octet++) {
  const character = String.fromCharCode(octet);
  const isUnreserved = /[A-Za-z0-9\-_~]/.test(character);
  if (isUnreserved || /[/:@&=+,;()]/.test(character)) PLAIN[octet] = octet;
  if (isUnreserved) ESCAPED[octet] = octet;
}
PLAIN[0x2e] = 0x27;
ESCAPED[0x2e] = 0x27;
PLAIN[0x3f] = 0x21;

const scratch = Buffer.allocUnsafeSlow(ESCAPE_LENGTH * MAX_URL_BYTES);

/** The value of two hexadecimal digits, or -1. */
function escapeValue(high: number, low: number): number {
  const upper = digit(high);
  const lower = digit(low);
  return upper < 0 || lower < 0 ? -1 : 16 * upper + lower;
}

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
  const most = ESCAPE_LENGTH * (end - start);
  const to = most <= scratch.length ? scratch : Buffer.allocUnsafe(most);
  let used = 0;
  for (let at = start; at < end; at++) {
    let octet = octets[at]!;
    let code = PLAIN[octet]!;
    if (octet === PERCENT && at + 2 < end) {
      const value = escapeValue(octets[at + 1]!, octets[at + 2]!);
      if (value >= 0) {
        octet = value;
        code = ESCAPED[value]!;
        at += 2;
      }
    } else if (isPattern && octet === STAR) {
      if (octets[at - 1] === STAR) continue;
      code = STAR;
    }
    if (code !== 0) {
      to[used++] = code;
    } else {
      to[used++] = PERCENT;
      to[used++] = HEX[octet >>> 4]!;
      to[used++] = HEX[octet & 15]!;
    }
  }
  return to.toString('latin1', 0, used);
}
