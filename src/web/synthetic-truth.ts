/** Which pages of a synthetic web can be reached: a breadth-first walk over the link plan, no page made. */
import type { LinkRule, Truth } from '../model/web.js';
import { DEAD, type LinkPlan } from './synthetic-links.js';
import type { SyntheticRobots } from './synthetic-robots.js';
import type { SyntheticSites } from './synthetic-sites.js';
import type { SyntheticUrls } from './synthetic-urls.js';

const encoder = new TextEncoder();

export class SyntheticTruth implements Truth {
  readonly pages: number;
  readonly #sites: SyntheticSites;
  readonly #urls: SyntheticUrls;
  readonly #robots: SyntheticRobots;
  readonly #plan: LinkPlan;

  constructor(sites: SyntheticSites, urls: SyntheticUrls, robots: SyntheticRobots, plan: LinkPlan) {
    this.pages = sites.pages;
    this.#sites = sites;
    this.#urls = urls;
    this.#robots = robots;
    this.#plan = plan;
  }

  urlOf(pageNumber: number): string {
    return this.#urls.urlOf(pageNumber);
  }

  reachable(seeds: Iterable<string>, links: LinkRule): Uint8Array {
    const sites = this.#sites;
    const plan = this.#plan;
    const reached = new Uint8Array((this.pages + 7) >>> 3);
    const queue = new Uint32Array(this.pages);
    let queued = 0;
    const reach = (site: number, local: number): void => {
      const page = sites.root(site) + local;
      const bit = 1 << (page & 7);
      if ((reached[page >>> 3]! & bit) !== 0 || this.#robots.forbids(site, local)) return;
      reached[page >>> 3]! |= bit;
      queue[queued++] = page;
    };

    for (const seed of seeds) {
      const kind = this.#readSeed(seed);
      if (this.#urls.site >= 0) reach(this.#urls.site, 0);
      if (kind === 'page' || kind === 'redirect') reach(this.#urls.site, this.#urls.local);
    }
    for (let done = 0; done < queued; done++) {
      const page = queue[done]!;
      const site = sites.siteOf(page);
      plan.plan(site, page - sites.root(site));
      for (let i = 0; i < plan.count; i++) {
        const target = plan.sites[i]!;
        if (target < 0) continue;
        if (target !== site) reach(target, 0);
        if (plan.ways[i] !== DEAD && (target === site || links === 'full-coverage')) {
          reach(target, plan.locals[i]!);
        }
      }
    }
    return reached;
  }

  /** REQUIRES: `#urls` is read before the next seed. A seed may be any spelling of a URL. */
  #readSeed(seed: string): string {
    const url = URL.canParse(seed) ? new URL(seed) : null;
    if (url !== null) url.hash = '';
    const bytes = encoder.encode(url?.href ?? '');
    return this.#urls.read(bytes, 0, bytes.length);
  }
}
