/** What the readers of sitemaps give: URLs of pages, or of further sitemaps, with the time of their last change. */

/** The sitemap protocol's own bounds: 50,000 URLs in 50 MB, unpacked. */
export const MAX_SITEMAP_ENTRIES = 50_000;
export const MAX_SITEMAP_BYTES = 50 * 1024 * 1024;
/** Longer than any URL that the crawler takes, with room for character references. */
export const MAX_LOC_BYTES = 8192;

export interface SitemapListener {
  /**
   * `loc[0, length)` is a URL in UTF-8 as it stands in the sitemap, valid only during the call; `lastModified` is in
   * milliseconds since 1970, NaN if not told; `isSitemap` says that the URL is a sitemap's and not a page's.
   */
  entry(loc: Uint8Array, length: number, lastModified: number, isSitemap: boolean): void;
}

/** Counts entries, and passes on as many as a sitemap may have. */
export class SitemapEntries {
  readonly #listener: SitemapListener;
  readonly #limit: number;
  count = 0;
  /** Entries over the limit, or whose URL is too long. */
  dropped = 0;

  constructor(listener: SitemapListener, limit: number) {
    this.#listener = listener;
    this.#limit = limit;
  }

  add(loc: Uint8Array, length: number, lastModified: number, isSitemap: boolean): void {
    if (length > MAX_LOC_BYTES || this.count === this.#limit) {
      this.dropped++;
      return;
    }
    this.count++;
    this.#listener.entry(loc, length, lastModified, isSitemap);
  }
}
