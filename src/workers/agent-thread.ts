/**
 * The entry file of an agent's thread: puts an agent, or the single-machine crawler, together from its task and runs it
 * to the end.
 */
import { CheckpointFiles } from '../checkpoint/checkpoint-files.js';
import { Generations } from '../checkpoint/generations.js';
import { Frontier } from '../frontier/frontier.js';
import { CrawlLog } from '../log/crawl-log.js';
import { markRepeated } from '../log/mark-repeated.js';
import { monotonicClock } from '../model/clock.js';
import { AgentCounters, SampledTime } from '../model/counters.js';
import { CrawlDirectory } from '../model/crawl-directory.js';
import type { Disk } from '../model/disk.js';
import { isLasting, oneLine } from '../model/errors.js';
import { LineFile } from '../model/line-file.js';
import { version } from '../model/version.js';
import { countReachable } from '../model/web.js';
import { LinkExtractor } from '../parse/link-extractor.js';
import { Doorbell } from '../ring/doorbell.js';
import { MeshEnd } from '../ring/mesh.js';
import {
  originEnd,
  PAGE_URL,
  RECORD_HEADER,
  recordSiteHigh,
  recordSiteLow,
  recordUrlEnd,
  SITE_URL,
} from '../ring/record.js';
import type { RecordVisitor } from '../ring/spsc-ring.js';
import { RobotsRules } from '../robots/robots-rules.js';
import { Scope } from '../scope/scope.js';
import { seedStrings } from '../seeds/seed-file.js';
import { SpillQueue } from '../spill/spill-queue.js';
import { BandwidthPacer } from '../throttle/bandwidth-pacer.js';
import { sharedClock } from '../throttle/shared-clock.js';
import { openCrawlWeb, openWeb } from '../web/open-web.js';
import { ActivityPoster } from './activity-board.js';
import { Agent } from './agent.js';
import { AgentBooks, type BooksState } from './agent-books.js';
import { AgentCheckpoint, type AgentState, loadJson } from './agent-checkpoint.js';
import { CheckpointPoster } from './checkpoint-board.js';
import type { AgentResult, AgentTask } from './crawl-task.js';
import { openFaults } from './faults.js';
import type { InterSiteRule } from './found-urls.js';
import { httpOptions, MOST_HTTP_VISITS } from './http-options.js';
import { Journal } from './journal.js';
import { FOLLOW, LINK_MODES } from './link-mode.js';
import { PageCrawler } from './page-crawler.js';
import { PageReader } from './page-reader.js';
import { PageUrlChecker } from './page-url-checker.js';
import { HostPoliteness, NO_WAITING } from './politeness.js';
import { RecordScope } from './record-scope.js';
import { RunCheckpoint } from './run-checkpoint.js';
import { SeedRecords } from './seed-records.js';
import { SingleMachine } from './single-machine.js';
import { SitePartition } from './site-partition.js';
import { SiteReporter } from './site-reporter.js';
import { StopConditions } from './stop-conditions.js';
import { VisitedPages } from './visited-pages.js';

/** Links of a page that are looked at if no bound was asked for. */
const MOST_LINKS = 100_000;

/** Throws if the agent died of something that may not happen again. */
export default async function runThread(task: AgentTask): Promise<AgentResult> {
  try {
    return await (task.options.agents === 0 ? runSingleMachine(task) : runAgent(task));
  } catch (error) {
    // A full disk, a damaged file: starting again would not help.
    if (!isLasting(error)) throw error;
    return {
      agent: task.agent,
      failure: oneLine(error),
      errors: {},
      pageUrlDrum: null,
      sitePartitionDrum: null,
    };
  }
}

/** What both kinds of crawler are made of. */
async function assemble(task: AgentTask) {
  const { agent, options, plan, shared } = task;
  const isHttp = options.web === 'http';
  const faults = await openFaults(task.faults, agent);
  const { disk } = faults;
  const directory = new CrawlDirectory(task.directory);
  // An agent that died before there was a checkpoint begins anew.
  if (task.isRestart && task.start === 0) disk.remove(directory.agentWork(agent));
  const counters = new AgentCounters(shared.counters, agent);
  const web = await openCrawlWeb(task.webSpec, httpOptions(options, version(), plan.agent.bodies));
  const extractor = await LinkExtractor.load(options['user-agent']);
  const stop = new StopConditions(
    shared.stop,
    {
      targetPages: options['target-pages'],
      maxBytes: options['max-bytes'],
    },
    agent,
  );
  const visited = shared.visited === null ? null : new VisitedPages(shared.visited, agent, task.threads);
  const saved = savedState(task, disk, directory);
  const books = openBooks(task, disk, directory, counters, visited, saved?.state.books);
  const scope = new RecordScope(new Scope(options, seedStrings(directory.seeds)));
  const activity = new ActivityPoster(shared.activity, agent);
  const crawler = (onUnique: RecordVisitor, interSite: InterSiteRule, wake: () => void): PageCrawler =>
    new PageCrawler({
      frontier: new Frontier(disk, directory.frontier(agent), {
        memoryBytes: plan.agent.frontier,
        needsAddress: isHttp && options.proxy === '',
        clock: sharedClock,
        isSaved: Number.isFinite(options['checkpoint-interval']),
        state: saved?.state.frontier,
      }),
      checker: new PageUrlChecker(
        {
          disk,
          directory: directory.pageUrlDrum(agent),
          manifest: saved?.files.pageUrlDrum(agent),
          drumBytes: plan.agent.pageUrlDrum,
          recentlySeenBytes: plan.agent.recentlySeen,
          remembersVia: options.log === 'on',
        },
        onUnique,
      ),
      fetcher: web.fetcher(),
      reader: new PageReader(extractor, counters, Math.min(MOST_LINKS, options['trap-links'])),
      robots: new RobotsRules(options['user-agent'], plan.agent.robots),
      politeness: isHttp
        ? new HostPoliteness(
            {
              hostDelay: options['host-delay'],
              retryDelay: options['retry-delay'],
              maxRetryAfter: options['max-retry-after'],
            },
            options['ip-delay'],
            shared.ipTable,
            task.isRestart || task.start > 0 ? sharedClock() + options['host-delay'] : 0,
          )
        : NO_WAITING,
      pacer: new BandwidthPacer(options.bandwidth, monotonicClock),
      stop,
      counters,
      books,
      limits: {
        pagesPerSite: options['pages-per-site'],
        depthPerSite: options['depth-per-site'],
        maxDepth: options['max-depth'],
        maxRedirects: options['max-redirects'],
        retries: options.retries,
        takesSitemaps: options.sitemaps === 'on',
        visits: isHttp ? MOST_HTTP_VISITS : 1,
      },
      interSite,
      wake,
      onReading: (record, urlEnd) => {
        activity.postHand(record);
        if (record !== null) faults.beforeRead?.(record, RECORD_HEADER, urlEnd);
      },
      quarantined: new Set(task.quarantined),
    });
  return { disk, directory, counters, stop, visited, books, saved, scope, activity, crawler };
}

/** How many pages a crawler can reach: some seconds of work for a large web, so not for the coordinator's thread. */
export function countReachablePages({ webSpec, seeds }: { webSpec: string; seeds: string }): number | null {
  const { truth } = openWeb(webSpec);
  return truth === null ? null : countReachable(truth, seedStrings(seeds), 'full-coverage');
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
  counters: AgentCounters,
  visited: VisitedPages | null,
  saved: BooksState | undefined,
): AgentBooks {
  const list = directory.pageListPart(agent, runStart);
  const log = directory.crawlLogPart(agent, runStart);
  // A checkpoint of this run knows how long the parts were; they did not exist at the one that the run went on from.
  const kept = start > runStart ? saved : undefined;
  if (isRestart && options.log === 'on' && disk.exists(log)) markRepeated(disk, log, kept?.log ?? 0);
  return new AgentBooks(
    counters,
    visited,
    options['list-pages'] ? new LineFile(disk, list, kept?.list ?? 0) : null,
    options.log === 'on' ? new CrawlLog(disk, log, agent, clockOrigin) : null,
  );
}

async function runAgent(task: AgentTask): Promise<AgentResult> {
  const { agent: self, plan, shared } = task;
  const { disk, directory, counters, stop, visited, books, saved, scope, activity, crawler } =
    await assemble(task);
  const coordinator = shared.mesh.threads - 1;
  counters.lap('setUp');
  const mesh = new MeshEnd(shared.mesh, self, {
    disk,
    path: (to) => directory.outbox(self, to),
    memoryBytes: plan.agent.outboxes,
  });
  counters.lap('agentSetUp');
  const reporter = new SiteReporter(plan.agent.recentlyReported, SITE_URL, (bytes, start, end) => {
    const begun = performance.now();
    mesh.send(coordinator, bytes, start, end);
    counters.add('siteUrlsSent', 1);
    counters.add('exchangedBytes', end - start);
    counters.book('siteUrlSending', performance.now() - begun);
  });
  const partition = new SitePartition(
    shared.siteTable,
    disk,
    directory.sitePartitionDrum(self),
    plan.agent.sitePartitionDrum,
    saved?.files.sitePartitionDrum(self),
    (owner, bytes, start, end) => agent.onOwner(owner, bytes, start, end),
    new SampledTime(counters, 'sitePartition'),
  );
  counters.lap('coordinatorSetUp');
  const mode = LINK_MODES[task.options.links];
  const pages = crawler(
    (bytes, start, end) => agent.onUnique(bytes, start, end),
    (urls, i, depth) => {
      if (mode.interSite === FOLLOW) return true;
      const low = urls.siteKeys[2 * i]!;
      const high = urls.siteKeys[2 * i + 1]!;
      if (!partition.isKnown(low, high))
        reporter.report(low, high, urls.bytes, urls.start(i), urls.ends[i]!, depth);
      return false;
    },
    () => mesh.bell.ring(),
  );
  counters.lap('setUp');
  const unassigned = new SpillQueue(disk, directory.unassigned(self), plan.agent.unassigned);
  const inbox = new SpillQueue(disk, directory.inbox(self), plan.agent.inbox);
  const checkpoint = new AgentCheckpoint(disk, {
    agent: self,
    crawler: pages,
    books,
    counters,
    stop,
    visited,
    partition,
    unassigned,
    inbox,
  });
  if (saved !== null) checkpoint.restore(saved.files, saved.state);
  else if (task.isRestart) checkpoint.reset();
  const isSaved = Number.isFinite(task.options['checkpoint-interval']);
  const journal = !isSaved
    ? null
    : task.isRestart
      ? Journal.recover(disk, directory.journal(self), task.start, (bytes, start, end) =>
          inbox.push(bytes, start, end),
        )
      : Journal.begin(disk, directory.journal(self), task.start);
  const agent: Agent = new Agent({
    agent: self,
    coordinator,
    crawler: pages,
    scope,
    partition,
    unassigned,
    inbox,
    checkpoint,
    journal,
    board: isSaved ? new CheckpointPoster(shared.checkpoints, self) : null,
    start: task.start,
    files: (generation) => new CheckpointFiles(directory, generation),
    reporter,
    mesh,
    activity,
    stop,
    books,
    counters,
  });
  await runAndClose(agent);
  return {
    agent: self,
    failure: '',
    errors: books.errors,
    pageUrlDrum: checkpoint.pageUrlStatistics,
    sitePartitionDrum: checkpoint.sitePartitionStatistics,
  };
}

/** What broke it is told, not what can't be closed then. */
async function runAndClose(crawler: { run(): Promise<void>; close(): void }): Promise<void> {
  try {
    await crawler.run();
  } catch (error) {
    try {
      crawler.close();
    } catch {}
    throw error;
  }
  crawler.close();
}

async function runSingleMachine(task: AgentTask): Promise<AgentResult> {
  const { plan, shared } = task;
  const {
    disk,
    directory,
    counters,
    stop,
    visited,
    books,
    saved,
    scope,
    crawler: makeCrawler,
  } = await assemble(task);
  const bell = new Doorbell(shared.mesh.bells, 0);
  const sites = new SiteReporter(plan.agent.recentlyReported, PAGE_URL, (bytes, start, end) => {
    crawler.checker.offerRecord(bytes, start, end);
  });
  const mode = LINK_MODES[task.options.links];
  const crawler: PageCrawler = makeCrawler(
    (bytes, start, end) => {
      const reason = scope.check(bytes, start, end);
      if (reason !== '') {
        books.leftOut(bytes, start, end, reason, '');
        return;
      }
      const urlEnd = recordUrlEnd(bytes, start, end);
      if (originEnd(bytes, start + RECORD_HEADER, urlEnd) === urlEnd - 1) counters.add('sites', 1);
      crawler.frontier.push(recordSiteLow(bytes, start), recordSiteHigh(bytes, start), bytes, start, end);
    },
    (urls, i, depth) => {
      sites.report(
        urls.siteKeys[2 * i]!,
        urls.siteKeys[2 * i + 1]!,
        urls.bytes,
        urls.start(i),
        urls.ends[i]!,
        depth,
      );
      return mode.interSite === FOLLOW;
    },
    () => bell.ring(),
  );
  const seeds = new SeedRecords(directory.seeds);
  const checkpoint = new AgentCheckpoint(disk, {
    agent: 0,
    crawler,
    books,
    counters,
    stop,
    visited,
    partition: null,
    unassigned: null,
    inbox: null,
  });
  const machine = new SingleMachine({
    disk,
    crawler,
    stop,
    counters,
    bell,
    seeds,
    sites,
    checkpoint,
    run: new RunCheckpoint(disk, task.start, task.before),
    generations: new Generations(disk, directory),
    interval: task.options['checkpoint-interval'],
    start: task.start,
  });
  if (saved !== null) machine.restore(saved.files, saved.state);
  await runAndClose(machine);
  return {
    agent: 0,
    failure: '',
    errors: books.errors,
    pageUrlDrum: checkpoint.pageUrlStatistics,
    sitePartitionDrum: null,
  };
}
