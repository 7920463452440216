/** Puts together what agents and the single-machine crawler have in common. */

import { ActivityPoster } from '../boards/activity-board.js';
import { StopConditions } from '../boards/stop-conditions.js';
import { VisitedPages } from '../boards/visited-pages.js';
import { CheckpointFiles } from '../checkpoint/checkpoint-files.js';
import { CrawlLog } from '../log/crawl-log.js';
import { markRepeated } from '../log/mark-repeated.js';
import { AgentCounters } from '../model/counters.js';
import { CrawlDirectory } from '../model/crawl-directory.js';
import type { Disk } from '../model/disk.js';
import { loadJson } from '../model/json-file.js';
import { KeyHash } from '../model/key-hash.js';
import { type LifeSigns, WatchedDisk } from '../model/life-signs.js';
import { LineFile } from '../model/line-file.js';
import type { RecordVisitor } from '../model/record.js';
import { RECORD_HEADER } from '../model/record.js';
import type { Fetcher } from '../model/web.js';
import type { World } from '../model/world.js';
import { LinkExtractor } from '../parse/link-extractor.js';
import { RobotsRules } from '../robots/robots-rules.js';
import { RulesFile } from '../robots/rules-file.js';
import { RecordScope } from '../route/record-scope.js';
import { Scope } from '../scope/scope.js';
import { seedStrings } from '../seeds/seed-file.js';
import { Frontier } from '../shard/frontier.js';
import { PageUrlChecker, type ScopeRule } from '../shard/page-url-checker.js';
import type { StoreState } from '../store/page-store.js';
import { BandwidthPacer } from '../throttle/bandwidth-pacer.js';
import type { AddressAsker } from '../visit/address-asker.js';
import { AgentBooks, type BooksParts, type BooksState } from '../visit/agent-books.js';
import type { InterSiteRule } from '../visit/found-urls.js';
import { PageCrawler } from '../visit/page-crawler.js';
import { PageReader } from '../visit/page-reader.js';
import { SitemapBodies } from '../visit/sitemap-bodies.js';
import type { AgentState } from './agent-checkpoint.js';
import type { AgentTask } from './crawl-task.js';
import { httpVisits } from './http-options.js';
import { openPoliteness } from './open-politeness.js';

/** Links of a page that are looked at if no bound was asked for. */
const MOST_LINKS = 100_000;

export async function assemble(task: AgentTask, world: World) {
  const { agent, options, plan, shared } = task;
  const isHttp = options.web === 'http';
  const activity = new ActivityPoster(shared.activity, agent);
  const disk = new WatchedDisk(world.disk, activity);
  const directory = new CrawlDirectory(task.directory);
  // An agent that died before there was a checkpoint begins anew.
  if (task.isRestart && task.start === 0) disk.remove(directory.agentWork(agent));
  const counters = new AgentCounters(shared.counters, agent);
  const web = await world.openWeb();
  const extractor = await LinkExtractor.load(options['user-agent']);
  const stop = new StopConditions(shared.stop, options, agent);
  const visited = shared.visited === null ? null : new VisitedPages(shared.visited, agent, task.threads);
  const saved = savedState(task, disk, directory);
  const fetcher = web.fetcher();
  const storeState = saved?.state.books.store ?? undefined;
  const store = await loadStore(task, { ...world, disk }, directory, fetcher, storeState, activity);
  const books = openBooks(
    task,
    disk,
    directory,
    { clock: world.clock, counters, visited, store },
    saved?.state.books,
  );
  const scope = new RecordScope(
    new Scope(options, seedStrings(directory.seeds, disk)),
    options['depth-per-site'],
  );
  const inScope: ScopeRule = (bytes, start, end) => scope.check(bytes, start, end);
  const hash = new KeyHash(shared.tableSeed);
  const hasAddresses = isHttp && options.proxy === '';
  const crawler = (
    onUnique: RecordVisitor,
    interSite: InterSiteRule,
    wake: () => void,
    asker: AddressAsker | null,
  ): PageCrawler =>
    new PageCrawler({
      world,
      hash,
      frontier: new Frontier(disk, directory.frontier(agent), {
        memoryBytes: plan.agent.frontier,
        needsAddress: hasAddresses,
        clock: world.clock,
        hash,
        // A checkpoint that the crawl goes on from stands until there is another one.
        isSaved: task.start > 0 || Number.isFinite(options['checkpoint-interval']),
        state: saved?.state.frontier,
      }),
      checker: new PageUrlChecker(
        {
          disk,
          directory: directory.pageUrlDrum(agent),
          manifest: saved?.files.pageUrlDrum(agent),
          drumBytes: plan.agent.pageUrlDrum,
          recentlySeenBytes: plan.agent.recentlySeen,
          remembersVia: options.log === 'on' || store !== null,
          hash,
          alive: () => activity.alive(),
          scope: inScope,
          onLeftOut: (bytes, start, end, reason) => books.leftOut(bytes, start, end, reason, ''),
        },
        onUnique,
      ),
      fetcher,
      reader: new PageReader(extractor, counters, Math.min(MOST_LINKS, options['trap-links'])),
      robots: new RobotsRules(
        options['user-agent'],
        plan.agent.robots,
        new RulesFile(disk, directory.robotsRules(agent), plan.agent.robotsFile),
        world.clock,
      ),
      politeness: openPoliteness(task, { ...world, disk }, directory, counters),
      scope: inScope,
      pacer: new BandwidthPacer(options.bandwidth, world.clock),
      stop,
      counters,
      books,
      limits: {
        pagesPerSite: options['pages-per-site'],
        maxDepth: options['max-depth'],
        maxRedirects: options['max-redirects'],
        retries: options.retries,
        takesSitemaps: options.sitemaps === 'on',
        sitemapsPerSite: options['sitemaps-per-site'],
        mindsPorts: isHttp,
        visits: isHttp ? httpVisits(plan.agent.bodies) : 1,
      },
      interSite,
      wake,
      asker: hasAddresses ? asker : null,
      redirectBytes: plan.agent.robotsRedirects,
      sitemapBodies: new SitemapBodies(disk, directory.sitemaps(agent)),
      onReading: (record, urlEnd) => {
        activity.postHand(record);
        if (record !== null) world.beforeRead?.(record, RECORD_HEADER, urlEnd);
      },
      quarantined: new Set(task.quarantined),
    });
  return { disk, directory, counters, stop, visited, books, store, saved, activity, hash, crawler };
}

/** Null if nothing is to be stored: then its code is not loaded. */
async function loadStore(
  task: AgentTask,
  ...how: [Pick<World, 'disk' | 'wallClock'>, CrawlDirectory, Fetcher, StoreState | undefined, LifeSigns]
) {
  if (task.options.store === 'none') return null;
  const { openStore } = await import('../archive/open-store.js');
  return openStore(task, ...how);
}

/** What the agent goes on from; null if it begins. */
function savedState({ agent, start }: AgentTask, disk: Disk, directory: CrawlDirectory) {
  if (start === 0) return null;
  const files = new CheckpointFiles(directory, start);
  return { files, state: loadJson<AgentState>(disk, files.agent(agent)) };
}

/** An agent that died goes on in its parts of log and list: what they have after the checkpoint is done again. */
function openBooks(
  { agent, clockOrigin, isRestart, options, runStart, start }: AgentTask,
  disk: Disk,
  directory: CrawlDirectory,
  parts: Pick<BooksParts, 'clock' | 'counters' | 'visited' | 'store'>,
  saved: BooksState | undefined,
): AgentBooks {
  const list = directory.pageListPart(agent, runStart);
  const log = directory.crawlLogPart(agent, runStart);
  // A checkpoint of this run knows how long the parts were; they did not exist at the one that the run went on from.
  const kept = start > runStart ? saved : undefined;
  if (isRestart && options.log === 'on' && disk.exists(log)) markRepeated(disk, log, kept?.log ?? 0);
  return new AgentBooks({
    ...parts,
    list: options['list-pages'] ? new LineFile(disk, list, kept?.list ?? 0) : null,
    log: options.log === 'on' ? new CrawlLog(disk, log, agent, clockOrigin) : null,
    clockOrigin,
  });
}
