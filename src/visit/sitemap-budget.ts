/**
 * How much of the sitemaps of one site is taken. Requests, URLs and bytes are bounded as one sum: each sitemap uses up the
 * largest of its three shares, so none of the bounds is ever passed, and the frontier keeps one small number for a site.
 */
import { assert } from '../model/assert.js';

/** For each sitemap that a site may have: what it may name, and bytes of it, unpacked, on average. */
const URLS_EACH = 2000;
const BYTES_EACH = 2 << 20;
/** The number that is kept for a site has 16 bits. */
const LARGEST_BUDGET = 60_000;

/** A sitemap that robots.txt names is 1 deep, one named there 2. By the protocol there is nothing deeper. */
export const MOST_DEPTH = 3;

export class SitemapBudget {
  /** What one sitemap uses up at least, and all that a site may use up. */
  readonly #unit: number;
  readonly #whole: number;

  /** So many sitemaps of a site are read at most. REQUIRES: 60,000 or less. */
  constructor(sitemaps: number) {
    assert(sitemaps <= LARGEST_BUDGET, 'a budget for sitemaps fits its column');
    this.#unit = Math.floor(LARGEST_BUDGET / sitemaps);
    this.#whole = this.#unit * sitemaps;
  }

  /** What a sitemap with so many URLs and bytes uses up: no more than there is, if it kept to what `left` said. */
  cost(urls: number, bytes: number): number {
    return Math.ceil(this.#unit * Math.max(1, urls / URLS_EACH, bytes / BYTES_EACH));
  }

  /** May one more be fetched by a site that used so much? */
  allowsOneMore(used: number): boolean {
    return used + this.#unit <= this.#whole;
  }

  /** What the next sitemap of a site that used so much may have. */
  left(used: number): { readonly entries: number; readonly bytes: number } {
    const sitemaps = Math.max(0, this.#whole - used) / this.#unit;
    return { entries: Math.floor(sitemaps * URLS_EACH), bytes: Math.floor(sitemaps * BYTES_EACH) };
  }
}
