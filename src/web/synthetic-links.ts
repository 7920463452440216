/**
 * The link plan: where the links of a page lead, in the order of the markup, as a pure function of the spec
 * and the page's number. The page maker writes it down, the truth walks through it.
 *
 *  - navigation: the first pages of the site, the same on every page of the site;
 *  - structure: page j of a site links to pages 4j+1 .. 4j+4, the root page of site s to the root pages of
 *    sites 8s+1 .. 8s+8, and every hidden page has its linker in another site. Every page but the very first
 *    has exactly one such link, so structure makes `pages - 1` links and reaches every page;
 *  - chance: the rest, mostly to the first (popular) pages and sites. Only these can be dead.
 */
import { Draws, mix, threshold } from './synthetic-hash.js';
import type { SyntheticSites } from './synthetic-sites.js';
import type { SyntheticSpec } from './synthetic-spec.js';

/** How a link gets to its page: straight, through one or two redirects, or not at all. */
export const STRAIGHT = 0;
export const ONE_REDIRECT = 1;
export const TWO_REDIRECTS = 2;
export const DEAD = 3;

const PAGE_CHILDREN = 4;
const SITE_CHILDREN = 8;
const MOST_NAVIGATION = 8;
const SITE_SALT = 31;
const PAGE_SALT = 32;

export class LinkPlan {
  count = 0;
  /** How many of the links, from the first, are navigation. */
  navigation = 0;
  /** The site that a link names, or -1 for a host that does not exist. */
  sites: Int32Array;
  /** The page in its site; for a dead link a number that its URL is made of. */
  locals: Int32Array;
  ways: Uint8Array;
  readonly #table: SyntheticSites;
  readonly #draws = new Draws();
  readonly #siteSalt: number;
  readonly #pageSalt: number;
  readonly #chanceLinks: number;
  readonly #swing: number;
  readonly #navigation: number;
  readonly #staysBelow: number;
  readonly #deadBelow: number;
  readonly #redirectBelow: number;
  readonly #addHidden = (page: number, site: number): void => this.#add(site, page - this.#table.root(site));

  constructor(spec: SyntheticSpec, sites: SyntheticSites) {
    this.#table = sites;
    this.#siteSalt = mix(SITE_SALT, spec.seed);
    this.#pageSalt = mix(PAGE_SALT, spec.seed);
    this.#chanceLinks = spec.links - 1;
    this.#swing = Math.floor(this.#chanceLinks / 2);
    this.#navigation = Math.min(MOST_NAVIGATION, Math.floor((this.#chanceLinks - this.#swing) / 3));
    this.#redirectBelow = threshold(spec.redirects);
    let navigation = 0;
    for (let site = 0; site < sites.count; site++) {
      navigation += this.#navigationOf(site) * sites.size(site);
    }
    // Structure and navigation are given, so chance makes up for what they lack of the shares asked for.
    const free = Math.max(1, this.#chanceLinks * spec.pages - navigation);
    const inside = spec.pages - sites.count - sites.hiddenPages + navigation;
    const stays = sites.count === 1 ? 1 : (spec.intra * spec.links * spec.pages - inside) / free;
    this.#staysBelow = threshold(Math.min(1, Math.max(0, stays)));
    this.#deadBelow = threshold(Math.min(1, (spec.dead * spec.links * spec.pages) / free));
    const room = 2 * spec.links + PAGE_CHILDREN + SITE_CHILDREN + MOST_NAVIGATION;
    this.sites = new Int32Array(room);
    this.locals = new Int32Array(room);
    this.ways = new Uint8Array(room);
  }

  /** Plans the links of page `local` of a site; the fields hold the answer until the next call. */
  plan(site: number, local: number): void {
    const table = this.#table;
    const draws = this.#draws;
    const page = table.root(site) + local;
    const regular = table.regularCount(site);
    this.count = 0;
    draws.begin(this.#siteSalt, site);
    const navigation = this.#navigationOf(site);
    for (let target = 0; target < navigation; target++) this.#add(site, target);
    this.navigation = this.count;

    draws.begin(this.#pageSalt, page);
    const swung = Math.floor(draws.draw() * (2 * this.#swing + 1)) - this.#swing;
    if (local < regular) {
      const lastChild = Math.min(PAGE_CHILDREN * (local + 1), regular - 1);
      for (let child = PAGE_CHILDREN * local + 1; child <= lastChild; child++) this.#add(site, child);
      table.hiddenLinkedFrom(site, page, this.#addHidden);
    }
    if (local === 0) {
      const lastChild = Math.min(SITE_CHILDREN * (site + 1), table.count - 1);
      for (let child = SITE_CHILDREN * site + 1; child <= lastChild; child++) this.#add(child, 0);
    }
    const chance = this.#chanceLinks + swung - navigation;
    for (let i = 0; i < chance; i++) {
      if (draws.draw32() < this.#staysBelow) this.#addInside(site, regular);
      else this.#addOutside(site);
    }
  }

  #navigationOf(site: number): number {
    return Math.min(this.#navigation, this.#table.regularCount(site));
  }

  #addInside(site: number, regular: number): void {
    const draw = this.#draws.draw();
    if (this.#isDead()) this.#put(site, Math.floor(draw * 4 * regular), DEAD);
    else this.#add(site, Math.floor(draw * draw * draw * regular));
  }

  /** Half of the links to another site lead to its root page, the others to any page, hidden ones included. */
  #addOutside(site: number): void {
    const table = this.#table;
    const draw = this.#draws.draw();
    let target = Math.floor(draw * draw * table.count);
    if (target === site) target = target + 1 === table.count ? 0 : target + 1;
    const place = 2 * this.#draws.draw() - 1;
    if (this.#isDead()) {
      const isHostMissing = place > 0.75;
      this.#put(isHostMissing ? -1 : target, isHostMissing ? target : Math.floor(draw * 4e6), DEAD);
    } else {
      this.#add(target, place < 0 ? 0 : Math.floor(place * place * table.size(target)));
    }
  }

  #isDead(): boolean {
    return this.#deadBelow > 0 && this.#draws.draw32() < this.#deadBelow;
  }

  #add(site: number, local: number): void {
    const draw = this.#redirectBelow > 0 ? this.#draws.draw32() : 0;
    if (draw >= this.#redirectBelow) this.#put(site, local, STRAIGHT);
    else this.#put(site, local, draw < this.#redirectBelow / 4 ? TWO_REDIRECTS : ONE_REDIRECT);
  }

  #put(site: number, local: number, way: number): void {
    if (this.count === this.sites.length) this.#grow();
    this.sites[this.count] = site;
    this.locals[this.count] = local;
    this.ways[this.count++] = way;
  }

  #grow(): void {
    const room = 2 * this.count;
    const grown = <T extends Int32Array | Uint8Array>(larger: T, old: T): T => {
      larger.set(old);
      return larger;
    };
    this.sites = grown(new Int32Array(room), this.sites);
    this.locals = grown(new Int32Array(room), this.locals);
    this.ways = grown(new Uint8Array(room), this.ways);
  }
}
