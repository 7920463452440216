/**
 * The synthetic web: pages made from their URL, so that a crawl of any size needs no disk and no network, and
 * what can be reached is known. A page is a pure function of the spec and its number.
 */
import type { Fetcher, Truth, Web, WebSummary } from '../model/web.js';
import { SyntheticFetcher } from './synthetic-fetcher.js';
import { SyntheticFiller } from './synthetic-filler.js';
import { LinkPlan } from './synthetic-links.js';
import { PageMaker } from './synthetic-page.js';
import { SyntheticRobots } from './synthetic-robots.js';
import { SyntheticSites } from './synthetic-sites.js';
import { formatSyntheticSpec, type SyntheticSpec } from './synthetic-spec.js';
import { SyntheticTruth } from './synthetic-truth.js';
import { SyntheticUrls } from './synthetic-urls.js';

export class SyntheticWeb implements Web {
  readonly spec: string;
  readonly truth: Truth;
  readonly #spec: SyntheticSpec;
  readonly #sites: SyntheticSites;
  readonly #urls: SyntheticUrls;
  #filler: SyntheticFiller | undefined;

  constructor(spec: SyntheticSpec) {
    this.spec = formatSyntheticSpec(spec);
    this.#spec = spec;
    this.#sites = new SyntheticSites(spec);
    this.#urls = new SyntheticUrls(spec, this.#sites);
    const robots = new SyntheticRobots(spec, this.#urls);
    this.truth = new SyntheticTruth(this.#sites, this.#urls, robots, new LinkPlan(spec, this.#sites));
  }

  *seeds(): Generator<string> {
    for (const site of this.#sites.seedSites()) yield this.#urls.urlOf(this.#sites.root(site));
  }

  hasSite(host: string): boolean {
    return this.#urls.siteOfHost(host) >= 0;
  }

  /** Readers of URLs and plans hold the last answer, so every fetcher has its own. */
  fetcher(): Fetcher {
    const urls = new SyntheticUrls(this.#spec, this.#sites);
    const robots = new SyntheticRobots(this.#spec, urls);
    const maker = this.#maker(urls, new LinkPlan(this.#spec, this.#sites));
    return new SyntheticFetcher(this.#sites, urls, robots, maker);
  }

  summarise(): WebSummary {
    const plan = new LinkPlan(this.#spec, this.#sites);
    const maker = this.#maker(this.#urls, plan);
    let links = 0;
    let bytes = 0;
    for (let site = 0; site < this.#sites.count; site++) {
      for (let local = 0; local < this.#sites.size(site); local++) {
        bytes += maker.lengthOf(site, local);
        links += plan.count;
      }
    }
    return { pages: this.#spec.pages, sites: this.#spec.sites, links, bytes };
  }

  close(): void {}

  #maker(urls: SyntheticUrls, plan: LinkPlan): PageMaker {
    this.#filler ??= new SyntheticFiller(this.#spec);
    return new PageMaker(this.#spec, this.#sites, urls, plan, this.#filler);
  }
}
