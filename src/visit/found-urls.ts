/**
 * What a visit led to: the links of a page, the target of a redirect, the URLs of a sitemap. All go to the check for
 * scope and uniqueness but sitemaps that are named too deep.
 */

import { RecentlySeen } from '../drum/recently-seen.js';
import type { KeyPlaces } from '../model/key-hash.js';
import {
  isSitemapRecord,
  RECORD_HEADER,
  recordDepth,
  recordRedirects,
  recordSiteDepth,
  recordSiteHigh,
  recordSiteLow,
} from '../model/record.js';
import type { UrlList } from '../model/url-list.js';
import type { PageUrlChecker } from '../shard/page-url-checker.js';
import type { AgentBooks } from './agent-books.js';
import type { PageReader } from './page-reader.js';
import { MOST_DEPTH } from './sitemap-budget.js';
import type { FoundOn, Visit } from './visit.js';

/** Called for a URL of another site than its page's; true if it is to be checked and followed. */
export type InterSiteRule = (urls: UrlList, i: number, depth: number) => boolean;

export interface FoundUrlParts {
  /** Of tables in memory. */
  readonly hash?: KeyPlaces;
  readonly checker: PageUrlChecker;
  readonly reader: PageReader;
  readonly books: AgentBooks;
  readonly limits: {
    readonly maxDepth: number;
    readonly maxRedirects: number;
  };
  readonly interSite: InterSiteRule;
}

/** Sitemaps near the bound name the same ones again and again: most are written down once. */
const TOO_DEEP_BYTES = 32 * 1024;

export class FoundUrls {
  readonly #parts: FoundUrlParts;
  readonly #tooDeep: RecentlySeen;

  constructor(parts: FoundUrlParts) {
    this.#parts = parts;
    this.#tooDeep = new RecentlySeen(TOO_DEEP_BYTES, parts.hash);
  }

  /** The links of the visit's page. REQUIRES: the reader read it last. */
  takeLinks(visit: Visit): void {
    const { books, reader } = this.#parts;
    const depth = recordDepth(visit.record, 0) + 1;
    const siteDepth = recordSiteDepth(visit.record, 0) + 1;
    do {
      for (let i = 0; i < reader.urls.count; i++) this.#take(visit, i, depth, siteDepth, 0, false);
    } while (reader.more());
    if (reader.nofollow > 0) books.error('NOFOLLOW', reader.nofollow);
  }

  /** A redirect's target is found like a link, at the depth of the URL that led to it. Returns '' or what is wrong. */
  takeRedirect(visit: Visit, location: string): string {
    const { limits, reader } = this.#parts;
    const { record, urlEnd } = visit;
    reader.resolve(location, record, RECORD_HEADER, urlEnd);
    const redirects = recordRedirects(record, 0) + 1;
    if (reader.urls.count === 0) return 'REDIRECT_TARGET';
    if (redirects > limits.maxRedirects) {
      this.#note(visit, 0, recordDepth(record, 0), 'REDIRECTS');
      return 'REDIRECTS';
    }
    const isSitemap = isSitemapRecord(record, 0);
    this.#take(visit, 0, recordDepth(record, 0), recordSiteDepth(record, 0), redirects, isSitemap);
    return '';
  }

  /** What a sitemap names, or the sitemap that robots.txt names, is one hop away from there. */
  takeFromSitemap(from: FoundOn, url: string, isSitemap: boolean): void {
    const { reader } = this.#parts;
    const { record, urlEnd } = from;
    reader.resolve(url, record, RECORD_HEADER, urlEnd);
    if (reader.urls.count === 0) return;
    const level = isSitemapRecord(record, 0) ? recordSiteDepth(record, 0) + 1 : 1;
    this.#take(from, 0, recordDepth(record, 0) + 1, isSitemap ? level : 0, 0, isSitemap);
  }

  /** URL `i` of the reader was found there. The depth of a sitemap inside its site is how deep sitemaps name it. */
  #take(
    from: FoundOn,
    i: number,
    depth: number,
    siteDepth: number,
    redirects: number,
    isSitemap: boolean,
  ): void {
    const { checker, interSite, limits, reader } = this.#parts;
    const { record, urlEnd } = from;
    const { urls } = reader;
    const isInside =
      urls.siteKeys[2 * i] === recordSiteLow(record, 0) &&
      urls.siteKeys[2 * i + 1] === recordSiteHigh(record, 0);
    const newSiteDepth = isInside || isSitemap ? siteDepth : 0;
    if (isSitemap && siteDepth > MOST_DEPTH) this.#leaveOut(from, i, depth, 'SITEMAP_DEPTH');
    else if (isInside || depth > limits.maxDepth || interSite(urls, i, depth))
      checker.offer(urls, i, depth, newSiteDepth, redirects, isSitemap, record, RECORD_HEADER, urlEnd);
  }

  #leaveOut(from: FoundOn, i: number, depth: number, code: string): void {
    const { books, reader } = this.#parts;
    const { urls } = reader;
    if (this.#tooDeep.testAndAdd(urls.keys[2 * i]!, urls.keys[2 * i + 1]!)) return;
    books.error(code);
    this.#note(from, i, depth, code);
  }

  #note(from: FoundOn, i: number, depth: number, code: string): void {
    const { books, reader } = this.#parts;
    const { urls } = reader;
    books.foundLeftOut(urls.bytes, urls.start(i), urls.ends[i]!, depth, from, code);
  }
}
