/**
 * Canonical URLs: exactly the URL standard's serialisation of a link resolved against its base, without fragment,
 * credentials and dots at the end of the host, http and https only, at most MAX_URL_BYTES. What most links are (ASCII without odd characters)
 * is resolved over bytes; for all else the `URL` class decides, so that the answer is always the same.
 */
import { ByteResolver, hostEnd, NOT_CRAWLABLE, UNDECIDED } from './canonical-url-bytes.js';
import { encodeQuery } from './canonical-url-query.js';
import { writeKey } from './key.js';
import { MAX_URL_BYTES, type UrlList } from './url-list.js';

const SPACE = 0x20;
const COLON = 0x3a;
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const encoder = new TextEncoder();

/** The slow, obviously right way, for seeds and as the oracle of the fast one; null if not crawlable. */
export function canonicalUrl(href: string, base?: string): string | null {
  const url = parseUrl(href, base);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return null;
  url.hash = '';
  url.username = '';
  url.password = '';
  // The name with the dot is the same host, which would be asked twice as often.
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.replace(/\.+$/, '');
  return url.href.length > MAX_URL_BYTES ? null : url.href;
}

/** `URL.canParse` would spare the exception, but in Node 20 misreads some strings that are not ASCII. */
function parseUrl(href: string, base?: string): URL | null {
  try {
    return new URL(href, base);
  } catch {
    return null;
  }
}

export class UrlCanonicaliser {
  readonly #resolver = new ByteResolver();
  #encoding = 'utf-8';
  /** A base that is no canonical URL, against which the `URL` class resolves everything; else null. */
  #otherBase: string | null = null;
  /** The host hashed last, and its key. */
  readonly #host = new Uint8Array(MAX_URL_BYTES);
  #hostLength = -1;
  readonly #siteKey = new Uint32Array(2);

  /** The page's URL, in UTF-8 until `setEncoding` says otherwise. REQUIRES: it is canonical. */
  setBase(url: Uint8Array, start: number, end: number): void {
    this.#resolver.setBase(url, start, end);
    this.#otherBase = null;
    this.#encoding = 'utf-8';
  }

  /** The page's `<base href>`, resolved against the page's URL. */
  setBaseHref(href: Uint8Array, start: number, end: number): void {
    const page = decoder.decode(this.#resolver.base());
    const text = decoder.decode(href.subarray(start, end));
    const base = parseUrl(text, page);
    if (base === null || base.protocol === 'data:' || base.protocol === 'javascript:') return;
    const canonical = canonicalUrl(base.href);
    if (canonical === null) {
      this.#otherBase = base.href;
      return;
    }
    const bytes = encoder.encode(canonical);
    this.#resolver.setBase(bytes, 0, bytes.length);
  }

  /** The page's encoding by its name in the Encoding standard: queries are encoded in it. */
  setEncoding(encoding: string): void {
    this.#encoding = encoding;
  }

  /**
   * Resolves `href[start, end)`, UTF-8, against the base. Appends its canonical form, host range and keys to `out`,
   * or returns false if it is no crawlable URL. REQUIRES: `out` has room for one more URL.
   */
  resolve(href: Uint8Array, start: number, end: number, out: UrlList): boolean {
    while (start < end && href[start]! <= SPACE) start++;
    while (start < end && href[end - 1]! <= SPACE) end--;
    out.reserve();
    const first = out.length;
    const resolver = this.#resolver;
    let after = this.#otherBase === null ? resolver.resolve(href, start, end, out.bytes, first) : UNDECIDED;
    if (after === NOT_CRAWLABLE) return false;
    let hostFrom = first + resolver.hostStart;
    let hostTo = first + resolver.hostEnd;
    if (after === UNDECIDED) {
      after = this.#resolveSlowly(href, start, end, out.bytes, first);
      if (after < 0) return false;
      hostFrom = first + (out.bytes[first + 4] === COLON ? 7 : 8);
      hostTo = hostEnd(out.bytes, hostFrom);
    }
    const at = out.count++;
    out.ends[at] = after;
    out.hostStarts[at] = hostFrom;
    out.hostEnds[at] = hostTo;
    writeKey(out.bytes.subarray(first, after), out.keys, 2 * at);
    this.#writeSiteKey(out.bytes, hostFrom, hostTo, out.siteKeys, 2 * at);
    return true;
  }

  #resolveSlowly(href: Uint8Array, start: number, end: number, to: Uint8Array, at: number): number {
    const text = encodeQuery(decoder.decode(href.subarray(start, end)), this.#encoding);
    const url = canonicalUrl(text, this.#otherBase ?? decoder.decode(this.#resolver.base()));
    if (url === null) return NOT_CRAWLABLE;
    return at + encoder.encodeInto(url, to.subarray(at)).written;
  }

  /** Links of a page mostly share a host, so its key is computed when it changes. */
  #writeSiteKey(bytes: Uint8Array, start: number, end: number, keys: Uint32Array, at: number): void {
    const host = this.#host;
    let isSame = end - start === this.#hostLength;
    for (let i = 0; isSame && start + i < end; i++) isSame = host[i] === bytes[start + i];
    if (!isSame) {
      this.#hostLength = end - start;
      for (let i = 0; i < this.#hostLength; i++) host[i] = bytes[start + i]!;
      writeKey(bytes.subarray(start, end), this.#siteKey, 0);
    }
    keys[at] = this.#siteKey[0]!;
    keys[at + 1] = this.#siteKey[1]!;
  }
}
