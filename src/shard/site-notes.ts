/** What visits note of a site of the frontier that `next` handed out, and find again at the next visit. */
import { assert } from '../model/assert.js';
import type { ResidentSites } from './resident-sites.js';
import type { SiteStates } from './site-states.js';

export class SiteNotes {
  readonly #states: SiteStates;
  readonly #resident: ResidentSites;

  constructor(states: SiteStates, resident: ResidentSites) {
    this.#states = states;
    this.#resident = resident;
  }

  /** Pages fetched so far. */
  pagesOf(site: number): number {
    return this.#states.pages[site]!;
  }

  countPage(site: number): void {
    this.#states.pages[site]!++;
  }

  /** How much of its sitemaps' budget a site used. */
  sitemapUse(site: number): number {
    return this.#states.sitemapUse[site]!;
  }

  /** The site may be on disk. REQUIRES: its use stays below 2^16. */
  addSitemapUse(low: number, high: number, use: number): void {
    const site = this.#resident.stateOf(low, high);
    const used = this.#states.sitemapUse[site]! + use;
    assert(used < 2 ** 16, "a site's use of its budget for sitemaps fits its column");
    this.#states.sitemapUse[site] = used;
    this.#resident.keep(site);
  }

  /** As whoever sets them counts. */
  failuresOf(site: number): number {
    return this.#states.failures[site]!;
  }

  setFailures(site: number, failures: number): void {
    this.#states.failures[site] = failures;
  }

  /** robots.txt lets the oldest URL of a site through, and asks for this delay in ms: that holds until it is dropped. */
  permit(site: number, crawlDelay: number): void {
    this.#states.permit[site] = 1 + crawlDelay;
  }

  /** The delay given with a permit; -1 if there is none. */
  permittedDelay(site: number): number {
    return this.#states.permit[site]! - 1;
  }
}
