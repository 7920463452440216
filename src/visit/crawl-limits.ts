/** How far a crawl goes, as one thread has to know it. */
export interface CrawlLimits {
  readonly pagesPerSite: number;
  /** Hops from a seed. */
  readonly maxDepth: number;
  readonly maxRedirects: number;
  readonly retries: number;
  readonly takesSitemaps: boolean;
  readonly sitemapsPerSite: number;
  /** Ports matter: those that no web server is asked for on are left out, and origins that can't be reached count. */
  readonly mindsPorts: boolean;
  /** Fetches under way at once. */
  readonly visits: number;
}
