/**
 * Ports on which no web server is asked for: the bad ports of the Fetch standard (https://fetch.spec.whatwg.org/#bad-port).
 * What listens there speaks other protocols, some of which obey lines of a request as if they were their own.
 */
const BAD = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104,
  109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515,
  526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049,
  3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
]);

const COLON = 0x3a;
const ZERO = 0x30;

/** The port that a canonical origin, `url[start, end)`, names; -1 if it is the scheme's own. */
export function namedPort(url: Uint8Array, start: number, end: number): number {
  let port = 0;
  let unit = 1;
  for (let at = end - 1; at > start; at--) {
    const digit = url[at]! - ZERO;
    if (url[at] === COLON && unit > 1) return port;
    if (digit < 0 || digit > 9) return -1;
    port += unit * digit;
    unit *= 10;
  }
  return -1;
}

export const isBadPort = (port: number): boolean => BAD.has(port);
