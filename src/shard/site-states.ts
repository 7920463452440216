/**
 * What a frontier knows of each site it holds in memory: columns of typed arrays, a number for each site, found by the
 * site's key through an open-addressing index. All are made for as many sites as fit at once: what is not touched costs
 * nothing, and nothing ever has to be copied or hashed again.
 *
 * Invariants
 * 1. Numbers 1 to `size` are in use, or FREE and in the list of free ones; number 0 is a guest (see `frontier.ts`) and in
 *    no index.
 * 2. At most three quarters of the index are taken, so a probe always ends.
 */
import { assert } from '../model/assert.js';
import type { KeyHash } from '../model/key-hash.js';

/** Of one site: its columns and its place in `SiteHeap`. */
const COLUMN_BYTES = 4 + 4 + 8 + 8 + 8 + 4 + 4 + 2 + 2 + 2 + 1 + 4 + 4 + 4 + 4;
const HEAP_BYTES = 12;
const SITE_BYTES = COLUMN_BYTES + HEAP_BYTES;
const SLOT_BYTES = 4;
const LEAST_SITES = 16;

/** The phase of a number that stands for no site; the frontier has the others. */
export const FREE = 255;

/** The most sites that fit so many bytes, and the places of their index: a power of two. */
function sizesFor(memoryBytes: number): { sites: number; slots: number } {
  let best = { sites: LEAST_SITES, slots: 32 };
  for (let slots = 32; SLOT_BYTES * slots < memoryBytes; slots *= 2) {
    const fitting = Math.floor((memoryBytes - SLOT_BYTES * slots) / SITE_BYTES);
    const sites = Math.min(fitting, (slots / 4) * 3);
    if (sites > best.sites) best = { sites, slots };
  }
  return best;
}

export class SiteStates {
  readonly keyLow: Uint32Array;
  readonly keyHigh: Uint32Array;
  /** Places of the first and the last record in the log, -1 for none. */
  readonly head: Float64Array;
  readonly tail: Float64Array;
  /** When the next request may start. */
  readonly readyAt: Float64Array;
  /** URLs that wait. */
  readonly count: Uint32Array;
  /** Pages fetched so far. */
  readonly pages: Uint32Array;
  /** Failures in a row. */
  readonly failures: Uint16Array;
  /** robots.txt lets the oldest URL through: 1 and the crawl delay it asks for, in ms; 0 if that is not known. */
  readonly permit: Uint16Array;
  /** Of the budget for its sitemaps, what it used. */
  readonly sitemapUse: Uint16Array;
  readonly phase: Uint8Array;
  /** An IPv4 address as a number; 0 for none or for one that `longAddresses` holds. */
  readonly address: Uint32Array;
  /** When the address was vetted: seconds of crawling, from 1; 0 for one that is doubted. */
  readonly vetted: Uint32Array;
  /** Neighbours in the `SiteList` that a site is in; `next` of a free number is the next free one. */
  readonly next: Int32Array;
  readonly previous: Int32Array;
  /** Other addresses by site, or why it has none any more: at most as many as there are sites. */
  readonly longAddresses = new Map<number, string>();
  /** Sites that there is room for. */
  readonly most: number;
  readonly #hash: KeyHash;
  readonly #index: Int32Array;
  #size = 0;
  #firstFree = 0;

  constructor(memoryBytes: number, hash: KeyHash) {
    const { sites, slots } = sizesFor(memoryBytes);
    const numbers = sites + 1;
    this.most = sites;
    this.#hash = hash;
    this.#index = new Int32Array(slots);
    this.keyLow = new Uint32Array(numbers);
    this.keyHigh = new Uint32Array(numbers);
    this.head = new Float64Array(numbers);
    this.tail = new Float64Array(numbers);
    this.readyAt = new Float64Array(numbers);
    this.count = new Uint32Array(numbers);
    this.pages = new Uint32Array(numbers);
    this.failures = new Uint16Array(numbers);
    this.permit = new Uint16Array(numbers);
    this.sitemapUse = new Uint16Array(numbers);
    this.phase = new Uint8Array(numbers);
    this.address = new Uint32Array(numbers);
    this.vetted = new Uint32Array(numbers);
    this.next = new Int32Array(numbers);
    this.previous = new Int32Array(numbers);
  }

  /** The largest number given so far. */
  get size(): number {
    return this.#size;
  }

  get isFull(): boolean {
    return this.#firstFree === 0 && this.#size === this.most;
  }

  /** Does this number stand for a site now? REQUIRES: 1 to `size`. */
  isUsed(site: number): boolean {
    assert(site > 0 && site <= this.#size, 'a number that is asked for was given');
    return this.phase[site] !== FREE;
  }

  /** The number of a site, or 0 if it is not in memory. */
  find(low: number, high: number): number {
    return this.#index[this.#probe(low, high)]!;
  }

  /** A number for a site that has none, all its columns cleared. REQUIRES: not full. */
  add(low: number, high: number): number {
    assert(!this.isFull, 'there is room in memory for one more site');
    let site = this.#firstFree;
    if (site !== 0) this.#firstFree = this.next[site]!;
    else site = ++this.#size;
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
    if (this.longAddresses.size > 0) this.longAddresses.delete(site);
  }

  remove(site: number): void {
    assert(this.phase[site] !== FREE, 'a number that is taken back stands for a site');
    const index = this.#index;
    let hole = this.#probe(this.keyLow[site]!, this.keyHigh[site]!);
    const mask = index.length - 1;
    // Later entries of the same run move up, so that probes for them do not end at the hole.
    for (let at = (hole + 1) & mask; index[at] !== 0; at = (at + 1) & mask) {
      const other = index[at]!;
      const home = this.#hash.of(this.keyLow[other]!, this.keyHigh[other]!) & mask;
      if (((at - home) & mask) < ((at - hole) & mask)) continue;
      index[hole] = other;
      hole = at;
    }
    index[hole] = 0;
    this.longAddresses.delete(site);
    this.phase[site] = FREE;
    this.next[site] = this.#firstFree;
    this.#firstFree = site;
  }

  #probe(low: number, high: number): number {
    const mask = this.#index.length - 1;
    for (let at = this.#hash.of(low, high) & mask; ; at = (at + 1) & mask) {
      const site = this.#index[at]!;
      if (site === 0 || (this.keyLow[site] === low && this.keyHigh[site] === high)) return at;
    }
  }
}
