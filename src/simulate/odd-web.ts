/**
 * A small odd web with a truth: cycles, links to nowhere and to hosts that don't exist, redirects and chains of them,
 * rules of robots.txt, sitemaps, one page under several names of its site. Everything follows from the seed.
 */
import type { LinkRule, Truth, Web } from '../model/web.js';
import type { Random } from './random.js';

export interface OddPage {
  readonly number: number;
  readonly url: string;
  readonly site: number;
  /** Numbers of pages, and addresses that lead nowhere. */
  readonly links: readonly number[];
  readonly deadLinks: readonly string[];
  /** The page that it redirects to; -1 if it is one. */
  readonly target: number;
  /** robots.txt keeps crawlers away from it. */
  readonly isClosed: boolean;
}

export interface OddSite {
  readonly host: string;
  /** Null where there is no robots.txt. */
  readonly robots: string | null;
  /** What each of its sitemaps names. */
  readonly sitemaps: readonly (readonly number[])[];
}

const CLOSED = '/closed/';
/** A chain of redirects is shorter than what a crawl follows. */
const LONGEST_CHAIN = 3;
/** Of the pages of a site with sitemaps, this share is named by them alone. */
const HIDDEN = 0.3;
/** Of all webs, this share is little more than one long chain: there is seldom more than one page to go on with. */
const CHAINS = 0.25;

export const sitemapPath = (i: number): string => `/map${i}.xml`;

export class OddWeb implements Omit<Web, 'fetcher'> {
  readonly spec: string;
  readonly pages: OddPage[] = [];
  readonly sites: OddSite[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #hosts = new Map<string, number>();
  readonly #seeds: string[];

  constructor(random: Random, pageCount: number) {
    this.spec = `odd:pages=${pageCount}`;
    const siteCount = 1 + random.below(Math.max(1, Math.min(24, Math.floor(pageCount / 3))));
    const siteOf = Array.from({ length: pageCount }, (_, i) => (i < siteCount ? i : random.below(siteCount)));
    const hasRules = Array.from({ length: siteCount }, () => random.chance(0.4));
    const hasSitemaps = hasRules.map((has) => has && random.chance(0.6));
    const isHidden = siteOf.map((site, i) => i >= siteCount && hasSitemaps[site]! && random.chance(HIDDEN));
    const chain = new Int8Array(pageCount);
    const isChain = random.chance(CHAINS);
    const linksOf = (number: number): number[] =>
      isChain ? nextInChain(random, pageCount, number) : drawLinks(random, siteOf, number);
    for (let number = 0; number < pageCount; number++) {
      const site = siteOf[number]!;
      const isRoot = number < siteCount;
      const isClosed = !isRoot && hasRules[site]! && random.chance(0.3);
      // Redirects lead to pages made before, and not in circles: the longest chain is known.
      const to = random.below(Math.max(1, number));
      const redirects = number > 0 && !isHidden[to]! && random.chance(0.08) && chain[to]! < LONGEST_CHAIN;
      if (redirects) chain[number] = chain[to]! + 1;
      this.pages.push({
        number,
        url: `http://s${site}.test${isRoot ? '/' : `${isClosed ? CLOSED : '/'}p${number}`}`,
        site,
        links: redirects ? [] : linksOf(number).filter((link) => !isHidden[link]),
        deadLinks: redirects ? [] : drawDeadLinks(random, site),
        target: redirects ? to : -1,
        isClosed,
      });
    }
    for (let site = 0; site < siteCount; site++)
      this.sites.push(this.#makeSite(random, site, hasRules[site]!, hasSitemaps[site]!));
    for (const { number, url } of this.pages) this.#numbers.set(url, number);
    for (const [site, { host }] of this.sites.entries()) this.#hosts.set(host, site);
    this.#seeds = Array.from({ length: 1 + random.below(3) }, () => this.pages[random.below(pageCount)]!.url);
  }

  #makeSite(random: Random, site: number, hasRules: boolean, hasSitemaps: boolean): OddSite {
    const host = `s${site}.test`;
    const sitemaps: number[][] = Array.from({ length: hasSitemaps ? 1 + random.below(3) : 0 }, () => []);
    for (const page of this.pages)
      if (hasSitemaps && page.site === site && !page.isClosed) random.pick(sitemaps).push(page.number);
    const lines = sitemaps.map((_, i) => `Sitemap: http://${host}${sitemapPath(i)}\n`);
    const rules = `User-agent: *\nDisallow: ${CLOSED}\n`;
    return { host, robots: hasRules ? rules + lines.join('') : null, sitemaps };
  }

  *seeds(): Iterable<string> {
    yield* this.#seeds;
  }

  hasSite(host: string): boolean {
    return this.#hosts.has(host);
  }

  pageOf(url: string): OddPage | null {
    const number = this.#numbers.get(url);
    return number === undefined ? null : this.pages[number]!;
  }

  siteOf(host: string): OddSite | null {
    const site = this.#hosts.get(host);
    return site === undefined ? null : this.sites[site]!;
  }

  get truth(): Truth {
    return {
      pages: this.pages.length,
      reachable: (seeds, links) => this.#reachable(seeds, links),
      urlOf: (number) => this.pages[number]!.url,
    };
  }

  /** A walk over the links, as the definition of what can be reached says it; no code of a crawl is used. */
  #reachable(seeds: Iterable<string>, rule: LinkRule): Uint8Array {
    const found = new Set<number>();
    const visited = new Set<number>();
    const open: number[] = [];
    const find = (number: number): void => {
      if (!found.has(number)) {
        found.add(number);
        open.push(number);
      }
    };
    /** A site's visit begins at its root, and at its rules with the sitemap. */
    const visit = (site: number): void => {
      if (visited.has(site)) return;
      visited.add(site);
      find(site);
      for (const sitemap of this.sites[site]!.sitemaps) for (const number of sitemap) find(number);
    };
    const follow = (number: number, from: number): void => {
      const { site } = this.pages[number]!;
      visit(site);
      if (site === from || rule === 'full-coverage') find(number);
    };
    for (const seed of seeds) {
      const page = this.pageOf(seed)!;
      visit(page.site);
      find(page.number);
    }
    const bits = new Uint8Array(Math.ceil(this.pages.length / 8));
    for (let number = open.pop(); number !== undefined; number = open.pop()) {
      const page = this.pages[number]!;
      if (page.isClosed) continue;
      if (page.target >= 0) follow(page.target, page.site);
      else {
        bits[number >> 3]! |= 1 << (number & 7);
        for (const link of page.links) follow(link, page.site);
      }
    }
    return bits;
  }

  close(): void {}
}

/** The next page, or the two next, as one of them may be closed. */
function nextInChain(random: Random, pageCount: number, from: number): number[] {
  const next = [from + 1, from + 2].slice(0, 1 + random.below(2));
  return next.filter((number) => number < pageCount);
}

/** Most links stay in their site, as in the Web; some pages have none, some name a page twice. */
function drawLinks(random: Random, siteOf: readonly number[], from: number): number[] {
  const count = random.chance(0.2) ? 0 : random.below(9);
  return Array.from({ length: count }, () => {
    const to = random.below(siteOf.length);
    if (siteOf[to] === siteOf[from] || random.chance(0.4)) return to;
    const inside = siteOf.indexOf(siteOf[from]!, random.below(siteOf.length));
    return inside < 0 ? to : inside;
  });
}

function drawDeadLinks(random: Random, site: number): string[] {
  if (!random.chance(0.2)) return [];
  return [
    random.chance(0.5)
      ? `http://s${site}.test/gone${random.below(5)}`
      : `http://none${random.below(4)}.test/x`,
  ];
}
