/**
 * Links become canonical URLs and keys, exactly as `canonicalUrl` has it. What most links are (ASCII without odd characters)
 * the module resolves; for all else `canonicalUrl` decides, so that the answer is always the same.
 */
import { canonicalUrl, parseUrl } from '../model/canonical-url.js';
import { encodeQuery } from '../model/canonical-url-query.js';
import type { UrlList } from '../model/url-list.js';
import type { LinkList } from './link-list.js';
import { LinkModule } from './link-module.js';

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const encoder = new TextEncoder();

export class UrlCanonicaliser {
  readonly #module = new LinkModule({ resolveSlowly: (at, end, to) => this.#resolveSlowly(at, end, to) });
  #baseLength = 0;
  #encoding = 'utf-8';
  /** A base that is no canonical URL, against which the `URL` class resolves everything; else null. */
  #otherBase: string | null = null;

  /** The page's URL, in UTF-8 until `setEncoding` says otherwise. REQUIRES: it is canonical. */
  setBase(url: Uint8Array, start: number, end: number): void {
    this.#module.renew();
    this.#otherBase = null;
    this.#encoding = 'utf-8';
    this.#putBase(url, start, end);
  }

  /** The page's `<base href>`, resolved against the page's URL. */
  setBaseHref(href: Uint8Array, start: number, end: number): void {
    const base = parseUrl(decoder.decode(href.subarray(start, end)), this.#base());
    if (base === null || base.protocol === 'data:' || base.protocol === 'javascript:') return;
    const canonical = canonicalUrl(base.href);
    if (canonical === null) {
      this.#otherBase = base.href;
      this.#module.exports.setBase(0);
      return;
    }
    const bytes = encoder.encode(canonical);
    this.#putBase(bytes, 0, bytes.length);
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
    const module = this.#module;
    const { exports } = module;
    exports.layLinks(end - start, 1);
    const { bytes, words } = module;
    bytes.set(href.subarray(start, end), exports.linksAt());
    words[exports.linkEndsAt() / 4] = end - start;
    bytes[exports.linkKindsAt()] = 0;
    return this.#resolveLaid(1, 0, out) === 1;
  }

  /**
   * The same for links `first` to `last - 1`, but for those that must not be followed; returns how many these are.
   * REQUIRES: `out` has room for all.
   */
  resolveAll(links: LinkList, first: number, last: number, out: UrlList): number {
    const start = links.start(first);
    const end = links.start(last);
    const module = this.#module;
    const { exports } = module;
    exports.layLinks(end - start, last - first);
    const { bytes, words } = module;
    bytes.set(links.bytes.subarray(start, end), exports.linksAt());
    words.set(links.ends.subarray(first, last), exports.linkEndsAt() / 4);
    bytes.set(links.kinds.subarray(first, last), exports.linkKindsAt());
    this.#resolveLaid(last - first, start, out);
    return exports.leftOut();
  }

  /** Resolves `count` links that were laid out, whose bytes began at `start`, and returns the number of URLs. */
  #resolveLaid(count: number, start: number, out: UrlList): number {
    const module = this.#module;
    const { exports } = module;
    const found = exports.resolveLinks(count, start, out.length);
    if (found === 0) return 0;
    const length = exports.urlBytes();
    out.reserve(length);
    const { bytes, words } = module;
    const from = exports.urlsAt();
    out.bytes.set(bytes.subarray(from, from + length), out.length);
    const table = (at: number, size: number): Uint32Array => words.subarray(at / 4, at / 4 + size);
    const at = out.count;
    out.ends.set(table(exports.urlEndsAt(), found), at);
    out.hostStarts.set(table(exports.hostStartsAt(), found), at);
    out.hostEnds.set(table(exports.hostEndsAt(), found), at);
    out.keys.set(table(exports.keysAt(), 2 * found), 2 * at);
    out.siteKeys.set(table(exports.siteKeysAt(), 2 * found), 2 * at);
    out.count += found;
    return found;
  }

  #putBase(url: Uint8Array, start: number, end: number): void {
    const { bytes, exports } = this.#module;
    bytes.set(url.subarray(start, end), exports.baseAt());
    this.#baseLength = end - start;
    exports.setBase(this.#baseLength);
  }

  /** The base, as text. */
  #base(): string {
    if (this.#otherBase !== null) return this.#otherBase;
    const { bytes, exports } = this.#module;
    const at = exports.baseAt();
    return decoder.decode(bytes.subarray(at, at + this.#baseLength));
  }

  #resolveSlowly(at: number, end: number, to: number): number {
    const { bytes } = this.#module;
    const text = encodeQuery(decoder.decode(bytes.subarray(at, end)), this.#encoding);
    const url = canonicalUrl(text, this.#base());
    return url === null ? 0 : to + encoder.encodeInto(url, bytes.subarray(to)).written;
  }
}
