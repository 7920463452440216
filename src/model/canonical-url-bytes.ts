/** The host of a canonical URL, found in its bytes. */

const SLASH = 0x2f;
const COLON = 0x3a;

/** Where the host of a canonical URL ends. */
export function hostEnd(url: Uint8Array, hostStart: number): number {
  let at = hostStart;
  if (url[at] === 0x5b) while (url[at] !== 0x5d) at++;
  while (url[at] !== SLASH && url[at] !== COLON) at++;
  return at;
}

/**
 * The host of the canonical URL at `start`, without port: its site. Not by the URL class: the URL may be one of another
 * version's, under which the crawl began.
 */
export function hostText(url: Uint8Array, start: number): string {
  const from = url.indexOf(SLASH, start) + 2;
  return Buffer.from(url.buffer, url.byteOffset + from, hostEnd(url, from) - from).toString('latin1');
}
