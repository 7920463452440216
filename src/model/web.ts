/**
 * The Web is an interface: the live one (`http`), a dump of crawled pages (`disk`), or pages made from
 * their URL (`synthetic`). Every thread opens its own from the same specification.
 */

/** What came back for a URL. Valid only until the callback returns: bodies live in reused buffers. */
export interface FetchedPage {
  readonly status: number;
  /** The body is `body[0, bodyLength)`. */
  readonly body: Uint8Array;
  readonly bodyLength: number;
  /** The Content-Type header's value, or ''. */
  readonly contentType: string;
  /** The Location header's value for a redirect, or ''. */
  readonly location: string;
  /** The page's number in an emulated web (see `Truth`), or -1 where pages are not numbered. */
  readonly pageNumber: number;
}

export type FetchCallback = (page: FetchedPage) => void;

export interface Fetcher {
  /**
   * Fetches `url[start, end)`, a canonical URL, and calls back once: at once for an emulated web.
   * The URL's bytes are not kept after the call returns.
   */
  fetch(url: Uint8Array, start: number, end: number, done: FetchCallback): void;
  close(): void;
}

/** Which links a crawler follows, as far as it matters for what can be reached. */
export type LinkRule = 'full-coverage' | 'two-level';

/** What an emulated web knows about itself. */
export interface Truth {
  /** Pages are numbered from 0 to `pages - 1`. */
  readonly pages: number;
  /**
   * One bit per page number, set if a crawler that obeys robots.txt reaches it from `seeds`. The root page of
   * every site that a followed link or a seed names counts as linked, as a site's visit begins there.
   */
  reachable(seeds: Iterable<string>, links: LinkRule): Uint8Array;
  /** The URL of a page, to say what was missed. */
  urlOf(pageNumber: number): string;
}

/** How many pages a crawler can reach. */
export function countReachable(truth: Truth, seeds: Iterable<string>, links: LinkRule): number {
  let count = 0;
  for (const byte of truth.reachable(seeds, links))
    for (let bits = byte; bits !== 0; bits &= bits - 1) count++;
  return count;
}

export interface WebSummary {
  readonly pages: number;
  readonly sites: number;
  /** Links in all pages, counted as they stand in the markup. */
  readonly links: number;
  /** Bytes of all bodies. */
  readonly bytes: number;
}

export interface Web {
  /** The specification that opens this web again, with every default spelled out. */
  readonly spec: string;
  /** The web's own seeds; none for the live Web. */
  seeds(): Iterable<string>;
  /** Does the host exist? Stands for the DNS check in an emulated web. */
  hasSite(host: string): boolean;
  fetcher(): Fetcher;
  /** Null where the web can't tell. */
  readonly truth: Truth | null;
  close(): void;
}
