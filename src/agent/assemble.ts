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
import type { Fetcher } from '../model/web.js';
import type { World } from '../model/world.js';
import { LinkExtractor } from '../parse/link-extractor.js';
import { RecordScope } from '../route/record-scope.js';
import { Scope } from '../scope/scope.js';
import { seedStrings } from '../seeds/seed-file.js';
import type { ScopeRule } from '../shard/page-url-checker.js';
import type { PageStore, StoreState } from '../store/page-store.js';
import { AgentBooks, type BooksParts, type BooksState } from '../visit/agent-books.js';
import { AGENT_STATE, type AgentCheckpoint, type AgentState } from './agent-checkpoint.js';
import type { AgentResult, AgentTask } from './crawl-task.js';

/** What agents and the single-machine crawler are made of; the crawler is opened last (`open-crawler.ts`). */
export interface Assembly {
  readonly task: AgentTask;
  /** The thread's, with a disk whose use counts as a sign of life. */
  readonly world: World;
  readonly directory: CrawlDirectory;
  readonly activity: ActivityPoster;
  readonly counters: AgentCounters;
  readonly stop: StopConditions;
  /** Null where pages are not numbered. */
  readonly visited: VisitedPages | null;
  /** What the agent goes on from; null if it begins. */
  readonly saved: { readonly files: CheckpointFiles; readonly state: AgentState } | null;
  readonly extractor: LinkExtractor;
  readonly fetcher: Fetcher;
  /** Null if nothing is to be stored. */
  readonly store: PageStore | null;
  readonly books: AgentBooks;
  readonly scope: ScopeRule;
  readonly hash: KeyHash;
}

export async function assemble(task: AgentTask, threadWorld: World): Promise<Assembly> {
  const { agent, options, shared } = task;
  const activity = new ActivityPoster(shared.activity, agent);
  const world = { ...threadWorld, disk: new WatchedDisk(threadWorld.disk, activity) };
  const { clock, disk } = world;
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
  const store = await loadStore(task, world, directory, fetcher, storeState, activity);
  const books = openBooks(task, disk, directory, { clock, counters, visited, store }, saved?.state.books);
  return {
    ...{ activity, books, counters, directory, extractor, fetcher, saved, stop, store, task, visited, world },
    scope: openScope(task, disk, directory),
    hash: new KeyHash(shared.tableSeed),
  };
}

/** What a thread hands back that came to its end. */
export function resultOf({ books, store, task }: Assembly, checkpoint: AgentCheckpoint): AgentResult {
  return {
    agent: task.agent,
    failure: '',
    answers: books.answers,
    errors: books.errors,
    firsts: books.firsts,
    pageUrlDrum: checkpoint.pageUrlStatistics,
    sitePartitionDrum: checkpoint.sitePartitionStatistics,
    store: store?.counts ?? null,
  };
}

function openScope({ options }: AgentTask, disk: Disk, { seeds }: CrawlDirectory): ScopeRule {
  const scope = new RecordScope(new Scope(options, seedStrings(seeds, disk)), options['depth-per-site']);
  return (bytes, start, end) => scope.check(bytes, start, end);
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
  return { files, state: loadJson(disk, files.agent(agent), AGENT_STATE) };
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
