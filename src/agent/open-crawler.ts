/** Opens the crawler of an assembled thread: its frontier, its check for uniqueness, and its manners. */

import type { RecordVisitor } from '../model/record.js';
import { RECORD_HEADER } from '../model/record.js';
import type { CrawlOptions } from '../options/options.js';
import { RobotsRules } from '../robots/robots-rules.js';
import { RulesFile } from '../robots/rules-file.js';
import { Frontier } from '../shard/frontier.js';
import { type LeftOutVisitor, PageUrlChecker } from '../shard/page-url-checker.js';
import { BandwidthPacer } from '../throttle/bandwidth-pacer.js';
import type { AddressAsker } from '../visit/address-asker.js';
import type { CrawlLimits } from '../visit/crawl-limits.js';
import type { InterSiteRule } from '../visit/found-urls.js';
import { PageCrawler } from '../visit/page-crawler.js';
import { PageReader } from '../visit/page-reader.js';
import { SitemapBodies } from '../visit/sitemap-bodies.js';
import type { Assembly } from './assemble.js';
import { httpVisits } from './http-options.js';
import { openPoliteness } from './open-politeness.js';

/** What becomes of URLs behind the crawler: the agent's business, and the single machine's. */
export interface CrawlerOwner {
  readonly onUnique: RecordVisitor;
  /** Takes what is out of scope; null if all of it is this thread's to write down. */
  readonly onLeftOut: LeftOutVisitor | null;
  readonly interSite: InterSiteRule;
  readonly wake: () => void;
  /** Null if nobody can be asked for addresses. */
  readonly asker: AddressAsker | null;
}

/** Links of a page that are looked at if no bound was asked for. */
const MOST_LINKS = 100_000;

export function openCrawler(parts: Assembly, owner: CrawlerOwner): PageCrawler {
  const { activity, books, counters, directory, extractor, fetcher, hash, scope, stop, task, world } = parts;
  const { agent, options, plan } = task;
  return new PageCrawler({
    ...{ books, counters, fetcher, hash, scope, stop, world },
    frontier: openFrontier(parts),
    checker: openChecker(parts, owner),
    reader: new PageReader(extractor, counters, Math.min(MOST_LINKS, options['trap-links'])),
    robots: new RobotsRules(
      options['user-agent'],
      plan.agent.robots,
      new RulesFile(world.disk, directory.robotsRules(agent), plan.agent.robotsFile),
      world.clock,
    ),
    politeness: openPoliteness(task, world, directory, counters),
    pacer: new BandwidthPacer(options.bandwidth, world.clock),
    limits: limitsOf(options, plan.agent.bodies),
    interSite: owner.interSite,
    wake: owner.wake,
    asker: hasAddresses(options) ? owner.asker : null,
    redirectBytes: plan.agent.robotsRedirects,
    sitemapBodies: new SitemapBodies(world.disk, directory.sitemaps(agent)),
    onReading: (record, urlEnd) => {
      activity.postHand(record);
      if (record !== null) world.beforeRead?.(record, RECORD_HEADER, urlEnd);
    },
    quarantined: new Set(task.quarantined),
  });
}

/** A proxy looks names up itself, and an emulated web has none. */
const hasAddresses = ({ proxy, web }: CrawlOptions): boolean => web === 'http' && proxy === '';

function openFrontier({ directory, hash, saved, task, world }: Assembly): Frontier {
  const { agent, options, plan, start } = task;
  return new Frontier(world.disk, directory.frontier(agent), {
    memoryBytes: plan.agent.frontier,
    needsAddress: hasAddresses(options),
    clock: world.clock,
    hash,
    // A checkpoint that the crawl goes on from stands until there is another one.
    isSaved: start > 0 || Number.isFinite(options['checkpoint-interval']),
    state: saved?.state.frontier,
  });
}

function openChecker(parts: Assembly, { onLeftOut, onUnique }: CrawlerOwner): PageUrlChecker {
  const { activity, books, directory, hash, saved, scope, store, task, world } = parts;
  const { agent, options, plan } = task;
  return new PageUrlChecker(
    {
      ...{ hash, scope, disk: world.disk },
      directory: directory.pageUrlDrum(agent),
      manifest: saved?.files.pageUrlDrum(agent),
      drumBytes: plan.agent.pageUrlDrum,
      recentlySeenBytes: plan.agent.recentlySeen,
      remembersVia: options.log === 'on' || store !== null,
      alive: () => activity.alive(),
      onLeftOut: onLeftOut ?? ((bytes, start, end, reason) => books.leftOut(bytes, start, end, reason, '')),
    },
    onUnique,
  );
}

function limitsOf(options: CrawlOptions, bodyBytes: number): CrawlLimits {
  const isHttp = options.web === 'http';
  return {
    pagesPerSite: options['pages-per-site'],
    maxDepth: options['max-depth'],
    maxRedirects: options['max-redirects'],
    retries: options.retries,
    takesSitemaps: options.sitemaps === 'on',
    sitemapsPerSite: options['sitemaps-per-site'],
    mindsPorts: isHttp,
    visits: isHttp ? httpVisits(bodyBytes) : 1,
  };
}
