/**
 * What a frontier knows of each site it holds in memory: columns of typed arrays, a number for each site, found by the
 * site's key through an open-addressing index. Grows by doubling up to a bound.
 *
 * Invariants
 * 1. Numbers 1 to `size` are in use or in the free list; number 0 is a guest (see `frontier.ts`) and in no index.
 * 2. The index has at least twice as many places as sites, so a probe always ends.
 */

/** In memory for one site: the columns, its two places in the index, and its places in the queues of the frontier. */
export const STATE_BYTES = 4 + 4 + 8 + 8 + 8 + 4 + 4 + 2 + 2 + 2 + 1 + 4 + 4 + 2 * 4 + 3 * 4;
const FIRST_CAPACITY = 64;

export class SiteStates {
  keyLow = new Uint32Array(0);
  keyHigh = new Uint32Array(0);
  /** Places of the first and the last record in the log, -1 for none. */
  head = new Float64Array(0);
  tail = new Float64Array(0);
  /** When the next request may start. */
  readyAt = new Float64Array(0);
  /** URLs that wait. */
  count = new Uint32Array(0);
  /** Pages fetched so far. */
  pages = new Uint32Array(0);
  /** Failures in a row. */
  failures = new Uint16Array(0);
  /** robots.txt lets the oldest URL through: 1 and the crawl delay it asks for, in ms; 0 if that is not known. */
  permit = new Uint16Array(0);
  /** Of the budget for its sitemaps, what it used. */
  sitemapUse = new Uint16Array(0);
  phase = new Uint8Array(0);
  /** An IPv4 address as a number; 0 for none or for one that `longAddresses` holds. */
  address = new Uint32Array(0);
  /** When the address was vetted: seconds of crawling, from 1; 0 for one that is doubted. */
  vetted = new Uint32Array(0);
  /** Other addresses by site, or why it has none any more: at most as many as there are sites. */
  readonly longAddresses = new Map<number, string>();
  #index = new Int32Array(0);
  #size = 0;
  #free: number[] = [];
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
    this.#grow(FIRST_CAPACITY);
  }

  get capacity(): number {
    return this.count.length;
  }

  get isFull(): boolean {
    return this.#free.length === 0 && this.#size >= this.#most;
  }

  /** Does this number stand for a site now? */
  isUsed(site: number): boolean {
    return site <= this.#size && this.#index[this.#probe(this.keyLow[site]!, this.keyHigh[site]!)] === site;
  }

  /** The number of a site, or 0 if it is not in memory. */
  find(low: number, high: number): number {
    return this.#index[this.#probe(low, high)]!;
  }

  /** A number for a site that has none, all its columns cleared. REQUIRES: not full. */
  add(low: number, high: number): number {
    if (this.#free.length === 0 && this.#size + 1 === this.capacity) this.#grow(2 * this.capacity);
    const site = this.#free.pop() ?? ++this.#size;
    this.clear(site, low, high);
    this.#index[this.#probe(low, high)] = site;
    return site;
  }

  clear(site: number, low: number, high: number): void {
    this.keyLow[site] = low;
    this.keyHigh[site] = high;
    this.head[site] = -1;
    this.tail[site] = -1;
    this.readyAt[site] = 0;
    this.count[site] = 0;
    this.pages[site] = 0;
    this.failures[site] = 0;
    this.permit[site] = 0;
    this.sitemapUse[site] = 0;
    this.phase[site] = 0;
    this.address[site] = 0;
    this.vetted[site] = 0;
    this.longAddresses.delete(site);
  }

  remove(site: number): void {
    let hole = this.#probe(this.keyLow[site]!, this.keyHigh[site]!);
    const mask = this.#index.length - 1;
    // Later entries of the same run move up, so that probes for them do not end at the hole.
    for (let at = (hole + 1) & mask; this.#index[at] !== 0; at = (at + 1) & mask) {
      const home = this.keyLow[this.#index[at]!]! & mask;
      if (((at - home) & mask) < ((at - hole) & mask)) continue;
      this.#index[hole] = this.#index[at]!;
      hole = at;
    }
    this.#index[hole] = 0;
    this.longAddresses.delete(site);
    this.#free.push(site);
  }

  #probe(low: number, high: number): number {
    const mask = this.#index.length - 1;
    for (let at = low & mask; ; at = (at + 1) & mask) {
      const site = this.#index[at]!;
      if (site === 0 || (this.keyLow[site] === low && this.keyHigh[site] === high)) return at;
    }
  }

  #grow(capacity: number): void {
    const grown = <T extends Float64Array | Uint32Array | Uint16Array | Uint8Array>(old: T, larger: T): T => {
      larger.set(old);
      return larger;
    };
    this.keyLow = grown(this.keyLow, new Uint32Array(capacity));
    this.keyHigh = grown(this.keyHigh, new Uint32Array(capacity));
    this.head = grown(this.head, new Float64Array(capacity));
    this.tail = grown(this.tail, new Float64Array(capacity));
    this.readyAt = grown(this.readyAt, new Float64Array(capacity));
    this.count = grown(this.count, new Uint32Array(capacity));
    this.pages = grown(this.pages, new Uint32Array(capacity));
    this.failures = grown(this.failures, new Uint16Array(capacity));
    this.permit = grown(this.permit, new Uint16Array(capacity));
    this.sitemapUse = grown(this.sitemapUse, new Uint16Array(capacity));
    this.phase = grown(this.phase, new Uint8Array(capacity));
    this.address = grown(this.address, new Uint32Array(capacity));
    this.vetted = grown(this.vetted, new Uint32Array(capacity));
    this.#index = new Int32Array(2 * capacity);
    for (let site = 1; site <= this.#size; site++)
      this.#index[this.#probe(this.keyLow[site]!, this.keyHigh[site]!)] = site;
  }
}
