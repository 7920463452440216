/** From a fetched page to the URLs it leads to: extract the links, leave out what must not be followed, canonicalise, hash. */
import { UrlCanonicaliser } from '../model/canonical-url.js';
import type { AgentCounters } from '../model/counters.js';
import { DrumlineError } from '../model/errors.js';
import { UrlList } from '../model/url-list.js';
import type { FetchedPage } from '../model/web.js';
import type { LinkExtractor } from '../parse/link-extractor.js';
import { LINK_NOFOLLOW, LinkList } from '../parse/link-list.js';

const encoder = new TextEncoder();

export class PageReader {
  readonly #extractor: LinkExtractor;
  readonly #counters: AgentCounters;
  readonly #list: LinkList;
  readonly #canonicaliser = new UrlCanonicaliser();
  /** What the page read last leads to, most of it once. */
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
    this.urls = new UrlList(maxLinks);
  }

  /** Fills `urls` with the links of the page at `url[start, end)`; returns '' or the code of what went wrong. */
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
    this.#resolve(0, links.headerCount);
    if (links.baseLength >= 0) canonicaliser.setBaseHref(links.base, 0, links.baseLength);
    canonicaliser.setEncoding(links.encoding);
    this.#resolve(links.headerCount, links.count);
    counters.lap('canonicalise');
    return '';
  }

  /** Fills `urls` with where `href` leads from the page at `url[start, end)`: nothing, if that can't be crawled. */
  resolve(href: string, url: Uint8Array, start: number, end: number): void {
    this.urls.clear();
    this.#canonicaliser.setBase(url, start, end);
    const bytes = encoder.encode(href);
    this.#canonicaliser.resolve(bytes, 0, bytes.length, this.urls);
  }

  /** Links `first` to `last - 1` against the base set now. */
  #resolve(first: number, last: number): void {
    if (first === last) return;
    const links = this.#list;
    const { bytes } = links;
    let start = links.start(first);
    for (let i = first; i < last; i++) {
      const end = links.ends[i]!;
      if ((links.kinds[i]! & LINK_NOFOLLOW) !== 0) this.nofollow++;
      else this.#canonicaliser.resolve(bytes, start, end, this.urls);
      start = end;
    }
  }
}
