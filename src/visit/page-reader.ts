/** From a fetched page to the URLs it leads to: extract the links, leave out what must not be followed, canonicalise, hash. */
import type { AgentCounters } from '../model/counters.js';
import { DrumlineError } from '../model/errors.js';
import { UrlList } from '../model/url-list.js';
import type { FetchedPage } from '../model/web.js';
import type { LinkExtractor } from '../parse/link-extractor.js';
import { LinkList } from '../parse/link-list.js';
import { UrlCanonicaliser } from '../parse/url-canonicaliser.js';

const encoder = new TextEncoder();
/** Short links may be long URLs: a page of a few megabytes could lead to some hundred. */
const URLS_AT_ONCE = 256;

export class PageReader {
  readonly #extractor: LinkExtractor;
  readonly #counters: AgentCounters;
  readonly #list: LinkList;
  readonly #canonicaliser = new UrlCanonicaliser();
  /** The next of its links to resolve. */
  #next = 0;
  /** Some of what the page read last leads to, most of it once. */
  readonly urls: UrlList;
  /** Links in it, whatever becomes of them. */
  links = 0;
  /** Links of it that say they must not be followed. */
  nofollow = 0;

  /** `maxLinks` are taken from a page at most. */
  constructor(extractor: LinkExtractor, counters: AgentCounters, maxLinks: number) {
    this.#extractor = extractor;
    this.#counters = counters;
    this.#list = new LinkList(maxLinks, false);
    this.urls = new UrlList(Math.min(maxLinks, URLS_AT_ONCE));
  }

  /**
   * Fills `urls` with links of the page at `url[start, end)`, the first of them: the others come with `more`. Returns '' or
   * the code of what went wrong.
   */
  read(page: FetchedPage, url: Uint8Array, start: number, end: number): string {
    const counters = this.#counters;
    const links = this.#list;
    this.urls.clear();
    this.nofollow = 0;
    this.links = 0;
    try {
      this.#extractor.extract(page.body, page.bodyLength, page.contentType, links, page);
    } catch (error) {
      if (error instanceof DrumlineError && error.disposition === 'drop-url') return error.code;
      throw error;
    }
    this.links = links.count + links.repeated;
    counters.add('linksExtracted', this.links);
    counters.add('linksDropped', links.dropped);
    counters.lap('extract');
    if (links.nofollow) {
      this.nofollow = this.links;
      return '';
    }
    const canonicaliser = this.#canonicaliser;
    canonicaliser.setBase(url, start, end);
    this.#next = 0;
    if (links.headerCount === 0) this.#enterBody();
    this.more();
    return '';
  }

  /**
   * Fills `urls` with the next links of the page; false if there were no more. REQUIRES: the page was read, and nothing
   * was resolved since.
   */
  more(): boolean {
    const links = this.#list;
    this.urls.clear();
    if (links.nofollow || this.#next === links.count) return false;
    if (this.#next < links.headerCount) {
      this.#resolve(links.headerCount);
      if (this.#next === links.headerCount) this.#enterBody();
    }
    if (this.#next >= links.headerCount) this.#resolve(links.count);
    this.#counters.lap('canonicalise');
    return true;
  }

  /** From now on links are those of the markup. */
  #enterBody(): void {
    const links = this.#list;
    if (links.baseLength >= 0) this.#canonicaliser.setBaseHref(links.base, 0, links.baseLength);
    this.#canonicaliser.setEncoding(links.encoding);
  }

  /** Fills `urls` with where `href` leads from the page at `url[start, end)`: nothing, if that can't be crawled. */
  resolve(href: string, url: Uint8Array, start: number, end: number): void {
    this.urls.clear();
    this.#canonicaliser.setBase(url, start, end);
    const bytes = encoder.encode(href);
    this.#canonicaliser.resolve(bytes, 0, bytes.length, this.urls);
  }

  /** The next links before link `last`, as many as `urls` has room for, against the base set now. */
  #resolve(last: number): void {
    const first = this.#next;
    this.#next = Math.min(last, first + this.urls.capacity - this.urls.count);
    this.nofollow += this.#canonicaliser.resolveAll(this.#list, first, this.#next, this.urls);
  }
}
