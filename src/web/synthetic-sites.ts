/**
 * The sites of a synthetic web: their sizes follow a power law (site 0 is the largest), and page numbers run
 * through the sites in order. A site's page 0 is its root; its last pages are hidden: no page of the site
 * leads to them, only pages of other sites do. Eight bytes a site, nothing per page.
 *
 * Invariants
 *  1. Site s has pages [starts[s], starts[s + 1]), at least one; all sites together have `spec.pages`.
 *  2. Hidden pages are numbered through the sites as well: site s has [hiddenStarts[s], hiddenStarts[s + 1]).
 *  3. Every hidden page has one linker: a page that is not hidden, of another site.
 */
import { mix } from './synthetic-hash.js';
import type { SyntheticSpec } from './synthetic-spec.js';

/** One page in this many is hidden, in sites of at least HIDING_SITE pages. */
const HIDDEN_EVERY = 20;
const HIDING_SITE = 4;
const SEED_SITES = 1;

/** The last index below `count` whose value is not above `value`. REQUIRES: ascending, the first is not above it. */
function lastNotAbove(ascending: Uint32Array, count: number, value: number): number {
  let low = 0;
  let high = count - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (ascending[middle]! <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Floor of the square root, by integers alone: Math.sqrt need not be exact. */
function integerRoot(value: number): number {
  let root = 0;
  while ((root + 1) * (root + 1) <= value) root++;
  return root;
}

export class SyntheticSites {
  readonly count: number;
  readonly pages: number;
  readonly hiddenPages: number;
  readonly #starts: Uint32Array;
  readonly #hiddenStarts: Uint32Array;
  readonly #seed: number;
  /** Hidden page x is linked by the page ranked x * stride + half (mod regular pages) among those not hidden. */
  readonly #stride: number;
  readonly #half: number;

  constructor(spec: SyntheticSpec) {
    this.count = spec.sites;
    this.pages = spec.pages;
    this.#seed = spec.seed;
    this.#starts = new Uint32Array(spec.sites + 1);
    this.#hiddenStarts = new Uint32Array(spec.sites + 1);
    this.#share();
    let hidden = 0;
    for (let site = 0; site < this.count; site++) {
      if (this.count > 1 && this.size(site) >= HIDING_SITE) {
        const before = Math.floor(this.#starts[site]! / HIDDEN_EVERY);
        hidden += Math.floor(this.#starts[site + 1]! / HIDDEN_EVERY) - before;
      }
      this.#hiddenStarts[site + 1] = hidden;
    }
    this.hiddenPages = hidden;
    const regular = this.pages - hidden;
    this.#stride = hidden === 0 ? 1 : Math.floor(regular / hidden);
    this.#half = Math.floor(regular / 2);
  }

  /** One page each, the rest by Zipf's law, flattened at its head so that no site outweighs an agent. */
  #share(): void {
    const flat = 1 + Math.floor(integerRoot(this.count) / 4);
    const rest = this.pages - this.count;
    let total = 0;
    for (let site = 0; site < this.count; site++) total += 1 / (site + flat);
    let sum = 0;
    for (let site = 0; site < this.count; site++) {
      this.#starts[site] = site + Math.floor((rest * sum) / total);
      sum += 1 / (site + flat);
    }
    this.#starts[this.count] = this.pages;
  }

  /** The number of the site's root page. */
  root(site: number): number {
    return this.#starts[site]!;
  }

  size(site: number): number {
    return this.#starts[site + 1]! - this.#starts[site]!;
  }

  siteOf(page: number): number {
    return lastNotAbove(this.#starts, this.count, page);
  }

  hiddenCount(site: number): number {
    return this.#hiddenStarts[site + 1]! - this.#hiddenStarts[site]!;
  }

  /** Pages that links inside the site lead to: the first ones of the site. */
  regularCount(site: number): number {
    return this.size(site) - this.hiddenCount(site);
  }

  /** About sqrt(sites) sites, site 0 (whose root leads to all others) among them; ascending. */
  seedSites(): number[] {
    const wanted = integerRoot(this.count);
    const chosen = [0];
    for (let i = 1; i < wanted; i++) {
      const from = Math.floor((i * this.count) / wanted);
      const to = Math.floor(((i + 1) * this.count) / wanted);
      chosen.push(from + (mix(this.#seed + SEED_SITES, i) % (to - from)));
    }
    return chosen;
  }

  /** Calls back with the hidden pages that a regular page of the site links to, and their sites. */
  hiddenLinkedFrom(site: number, page: number, found: (page: number, site: number) => void): void {
    if (this.hiddenPages === 0) return;
    const rank = page - this.#hiddenStarts[site]!;
    const regular = this.pages - this.hiddenPages;
    const spread = (rank - this.#half + regular) % regular;
    const hidden = spread / this.#stride;
    if (hidden < this.hiddenPages && Number.isInteger(hidden)) {
      const target = this.#siteOfHidden(hidden);
      if (target !== site) found(this.#pageOfHidden(hidden, target), target);
    }
    this.#neighboursHidden(site, page, found);
  }

  /** Hidden pages whose rank would put their linker into their own site are linked by the next site instead. */
  #neighboursHidden(site: number, page: number, found: (page: number, site: number) => void): void {
    const target = site === 0 ? this.count - 1 : site - 1;
    const first = this.#hiddenStarts[target]! + page - this.#starts[site]!;
    const step = this.regularCount(site);
    for (let hidden = first; hidden < this.#hiddenStarts[target + 1]!; hidden += step) {
      const rank = (hidden * this.#stride + this.#half) % (this.pages - this.hiddenPages);
      if (this.#siteOfRank(rank) === target) found(this.#pageOfHidden(hidden, target), target);
    }
  }

  /** Sites without hidden pages share their start with the next one: the last of them is the one that has it. */
  #siteOfHidden(hidden: number): number {
    return lastNotAbove(this.#hiddenStarts, this.count, hidden);
  }

  #pageOfHidden(hidden: number, site: number): number {
    return this.#starts[site + 1]! - this.#hiddenStarts[site + 1]! + hidden;
  }

  #siteOfRank(rank: number): number {
    let low = 0;
    let high = this.count - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (this.#starts[middle]! - this.#hiddenStarts[middle]! <= rank) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
