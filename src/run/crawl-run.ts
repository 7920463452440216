/**
 * One crawl from start to end: shared memory, the pool of agents, the coordinator in this thread, stop conditions and
 * signals, and the report.
 */

import type { AgentState } from '../agent/agent-checkpoint.js';
import type { AgentTask } from '../agent/crawl-task.js';
import { DiskWatch } from '../archive/disk-watch.js';
import { StoreThreads } from '../archive/store-threads.js';
import { ActivityBoard } from '../boards/activity-board.js';
import { CheckpointBoard } from '../boards/checkpoint-board.js';
import { allocateShared, type SharedMemory } from '../boards/shared-memory.js';
import { type Outcome, StopConditions } from '../boards/stop-conditions.js';
import { lastCounts, StoreBoard } from '../boards/store-board.js';
import { hasVisited, visitedByOthers } from '../boards/visited-pages.js';
import { CheckpointFiles } from '../checkpoint/checkpoint-files.js';
import type { CheckpointMakerParts } from '../checkpoint/checkpoint-maker.js';
import { Generations } from '../checkpoint/generations.js';
import type { NeededFile } from '../checkpoint/needed-file.js';
import { loadRunState, NEW_RUN, RunCheckpoint, type RunState } from '../checkpoint/run-checkpoint.js';
import type { Coordinator } from '../coordinator/coordinator.js';
import { CoordinatorLog } from '../coordinator/coordinator-log.js';
import type { SiteNames } from '../coordinator/name-questions.js';
import { openCoordinator } from '../coordinator/open-coordinator.js';
import { siteNames } from '../coordinator/site-names.js';
import { CrawlLog } from '../log/crawl-log.js';
import { AgentCounters, total } from '../model/counters.js';
import type { CrawlDirectory } from '../model/crawl-directory.js';
import { type Disk, freeBytes } from '../model/disk.js';
import { oneLine } from '../model/errors.js';
import type { FaultSpec } from '../model/faults.js';
import { type FirstCauses, keepFirst } from '../model/first-causes.js';
import { loadJson } from '../model/json-file.js';
import { type MemoryPlan, planMemory } from '../model/memory-plan.js';
import type { CrawlOptions } from '../model/options.js';
import type { Web } from '../model/web.js';
import type { Cancel, MainWorld, Threads } from '../model/world.js';
import { SiteTableWriter } from '../partition/site-table.js';
import { MeshEnd } from '../ring/mesh.js';
import { gatherPauses, longPause } from '../throttle/earlier-pauses.js';
import { publicDelay } from '../visit/politeness.js';
import { AgentDeaths } from '../workers/agent-deaths.js';
import { AgentSupervisor, DeliberateKill, LOOKS } from '../workers/agent-supervisor.js';
import { mainWorld } from '../workers/main-world.js';
import { makeReport, type Report } from './report.js';

/** Milliseconds between two looks at the room on the disk. */
const DISK_LOOKS = 1000;
/** Longer than the longest page, or any step of a merge, takes. */
const HANG_TIMEOUT = 120_000;

export interface Surroundings {
  /** Tells people what they should know meanwhile. */
  readonly say?: (message: string) => void;
  /** Room on the disk that the crawl directory is on. */
  readonly freeBytes?: () => number;
  /** The coordinator's disk. */
  readonly disk?: Disk;
  /** Of log and list, by the runs before: checkpoints need them, too. */
  readonly earlierParts?: readonly NeededFile[];
  /** Another world than the real one, and who knows its hosts. */
  readonly world?: MainWorld;
  readonly names?: SiteNames;
  /** What tests put in the agents' way. */
  readonly faults?: FaultSpec;
  /** Milliseconds without a sign of life until an agent counts as dead. */
  readonly hangTimeout?: number;
}

export class CrawlRun {
  readonly #options: CrawlOptions;
  readonly #world: MainWorld;
  readonly #disk: Disk;
  readonly #web: Web;
  readonly #directory: CrawlDirectory;
  readonly #plan: MemoryPlan;
  readonly #threads: number;
  readonly #shared: SharedMemory;
  readonly #stop: StopConditions;
  readonly #mesh: MeshEnd;
  /** One for each thread that crawls. */
  readonly counters: readonly AgentCounters[];
  readonly #start: number;
  readonly #files: CheckpointFiles;
  readonly #before: RunState;
  readonly #run: RunCheckpoint;
  readonly #deaths: AgentDeaths;
  readonly #checkpoints: CheckpointBoard;
  readonly #activity: ActivityBoard;
  #supervisor: AgentSupervisor | null = null;
  readonly #clockOrigin: number;
  readonly #quietUntil: number;
  readonly #surroundings: Surroundings;
  /** The coordinator's part of crawl.log. */
  #log: CoordinatorLog | null = null;
  /** The coordinator came to its end: nothing is assigned or saved any more. */
  #isCoordinated = false;
  #failure: string | null = null;
  /** The first of the sites that were refused, by reason. */
  readonly #refused: FirstCauses = {};
  /** Why the index of what was stored is not up to date, or ''. */
  indexFailure = '';

  /**
   * Begins, or goes on from the checkpoint `start`. REQUIRES: the directory exists and holds the seeds, and the
   * checkpoint if there is one.
   */
  constructor(
    options: CrawlOptions,
    web: Web,
    directory: CrawlDirectory,
    start = 0,
    surroundings: Surroundings = {},
  ) {
    this.#surroundings = surroundings;
    this.#world = surroundings.world ?? mainWorld(surroundings.disk);
    this.#disk = this.#world.disk;
    this.#clockOrigin = this.#world.wallClock() - this.#world.clock();
    this.#options = options;
    this.#web = web;
    this.#directory = directory;
    this.#start = start;
    this.#files = new CheckpointFiles(directory, start);
    const { earlierParts: files = [] } = surroundings;
    this.#before = start === 0 ? NEW_RUN : { ...loadRunState(this.#disk, this.#files), files };
    this.#threads = Math.max(1, options.agents);
    this.#plan = planMemory(options.memory, options.agents, options['ring-bytes']);
    const { clock, tableSeed } = this.#world;
    this.#shared = allocateShared(options, this.#plan, web, start > 0, clock(), tableSeed);
    this.counters = Array.from(
      { length: this.#threads },
      (_, i) => new AgentCounters(this.#shared.counters, i),
    );
    this.#stop = new StopConditions(this.#shared.stop, options);
    this.#mesh = new MeshEnd(this.#shared.mesh, this.#shared.mesh.threads - 1, {
      disk: this.#disk,
      path: (to) => directory.outbox(this.#shared.mesh.threads - 1, to),
      memoryBytes: this.#plan.coordinatorOutboxes,
    });
    this.#run = new RunCheckpoint(this.#world, directory, start, options.agents, this.#before);
    this.#deaths = new AgentDeaths(this.#world.clock, this.#before.restarts, this.#before.quarantined);
    this.#checkpoints = new CheckpointBoard(this.#shared.checkpoints, options.agents);
    this.#checkpoints.begin(start);
    this.#activity = new ActivityBoard(this.#shared.activity, options.agents, this.#shared.mesh);
    this.#quietUntil = this.#gatherPauses();
    if (start > 0) this.#restore();
  }

  /** When hosts may be asked again that have no entry in a file of pauses; 0 if none was asked before. */
  #gatherPauses(): number {
    const { 'host-delay': hostDelay, 'ip-delay': ipDelay, web } = this.#options;
    if (web !== 'http') return 0;
    const now = this.#world.clock();
    const longest = gatherPauses(this.#disk, this.#directory.pauses, this.#clockOrigin + now);
    if (longest >= 0) return now + Math.max(longest, hostDelay, ipDelay, publicDelay(this.#options));
    return this.#start === 0 ? 0 : now + longPause(hostDelay);
  }

  /** What must be known of every agent before the first of them goes on. */
  #restore(): void {
    for (const [agent, counters] of this.counters.entries()) {
      const { books, counters: saved } = loadJson<AgentState>(this.#disk, this.#files.agent(agent));
      counters.restore(saved);
      if (books.store !== null) {
        const { serial, offset, counts } = books.store;
        new StoreBoard(this.#shared.stored, agent).post(serial, offset, counts);
      }
      this.#restoreStop(agent, saved);
    }
    this.#stop.requestIfReached();
  }

  #restoreStop(agent: number, { pages = 0, bytes = 0 }: AgentState['counters']): void {
    new StopConditions(this.#shared.stop, this.#options, agent).restore(pages, bytes);
  }

  /**
   * An agent died: what it downloaded since the checkpoint that it goes on from does not count for the limits any more. If
   * that waited for its next life, the others would stop short of them.
   */
  #setBack(agent: number, start: number): void {
    const path = new CheckpointFiles(this.#directory, start).agent(agent);
    this.#restoreStop(agent, start === 0 ? {} : loadJson<AgentState>(this.#disk, path).counters);
  }

  /** Asks the crawl to end; it does so within a turn of every thread. */
  requestStop(outcome: Outcome): void {
    this.#stop.request(outcome);
    this.#mesh.wakeAll();
  }

  async run(): Promise<Report> {
    const timers = [
      this.#world.after(this.#options['max-duration'], () => this.requestStop('duration')),
      this.#watchDisk(),
    ];
    const pool = this.#world.openThreads(this.#threads);
    const supervisor = this.#supervise(pool);
    this.#supervisor = supervisor;
    timers.push(this.#world.every(this.#hangTimeout / LOOKS, () => supervisor.look()));
    let storing: StoreThreads | null = null;
    try {
      if (this.#options.store !== 'none') storing = this.#storeThreads(pool);
      // Before the agents begin: whose the sites are that they go on with stands in the table that it restores.
      const coordinator = this.#options.agents === 0 ? null : await this.#openCoordinator();
      const agents = this.counters.map((_, agent) => supervisor.run(this.#task(agent)));
      await this.#runCoordinator(coordinator);
      this.#isCoordinated = true;
      const results = await Promise.all(agents);
      this.indexFailure =
        (await storing?.finish(this.#stop.outcome === 'exhausted' || !this.#makesCheckpoints)) ?? '';
      const { seconds, cpuSeconds, peakRssBytes } = this.#run.state;
      return makeReport({
        outcome: this.#outcome,
        reason: this.#failure,
        web: this.#web.spec,
        options: this.#options,
        seconds,
        cpuSeconds,
        peakRssBytes,
        counters: this.counters,
        results: results.filter((result) => result !== null),
        // An agent that did not come to its end says nothing but what it posted last.
        stored: results.flatMap(
          (result, agent) => result?.store ?? lastCounts(this.#shared.stored, agent) ?? [],
        ),
        siteUrlDrum: coordinator?.statistics ?? null,
        sites: coordinator?.sites ?? total(this.counters, 'sites'),
        refusedSites: coordinator?.refusedSites ?? {},
        firstRefused: this.#refused,
        reachablePages: await this.#reachablePages(pool),
        visitedByOthers:
          this.#shared.visited === null ? 0 : visitedByOthers(this.#shared.visited, this.#threads),
        restarts: this.#deaths.count,
      });
    } finally {
      for (const cancel of timers) cancel();
      storing?.close();
      await pool.close();
    }
  }

  /** Of a crawl that has ended. */
  get #outcome(): Outcome {
    if (this.#failure !== null) return 'failed';
    // An agent died when the others were done, and was saved as it was before: the rest is done after a resume.
    return this.#stop.isUndone ? 'interrupted' : (this.#stop.outcome ?? 'failed');
  }

  /** Pages and log are what a crawl can wait with until there is room for them. */
  #watchDisk(): Cancel {
    const { log, 'min-free': minFree, store } = this.#options;
    if (store === 'none' && log === 'off') return () => {};
    const { freeBytes: free = () => freeBytes(this.#directory.path), say = () => {} } = this.#surroundings;
    const watch = new DiskWatch({
      minFree: store === 'none' ? 0 : minFree,
      freeBytes: free,
      stop: this.#stop,
      wake: () => this.#mesh.wakeAll(),
      say,
    });
    watch.check();
    return this.#world.every(DISK_LOOKS, () => watch.check());
  }

  #storeThreads(pool: Threads): StoreThreads {
    const { say = () => {} } = this.#surroundings;
    return new StoreThreads({
      world: this.#world,
      pool,
      task: this.#task(this.#threads),
      threads: this.#threads,
      directory: this.#directory,
      checkpoints: this.#checkpoints,
      stop: this.#stop,
      say,
      onFailure: (thread, error) => this.#fail(thread, error),
    });
  }

  #task(agent: number): AgentTask {
    return {
      agent,
      threads: this.#threads,
      options: this.#options,
      webSpec: this.#web.spec,
      directory: this.#directory.path,
      plan: this.#plan,
      start: this.#start,
      runStart: this.#start,
      isRestart: false,
      quarantined: this.#deaths.quarantined,
      faults: this.#surroundings.faults ?? null,
      before: this.#before,
      clockOrigin: this.#clockOrigin,
      quietUntil: this.#quietUntil,
      signInterval: this.#hangTimeout / LOOKS,
      shared: this.#shared,
    };
  }

  #supervise(pool: Threads): AgentSupervisor {
    return new AgentSupervisor({
      pool,
      activity: this.#activity,
      checkpoints: this.#checkpoints,
      wake: () => this.#mesh.wakeAll(),
      deaths: this.#deaths,
      canRestart: () =>
        this.#options.agents > 0 &&
        this.#makesCheckpoints &&
        !this.#isCoordinated &&
        (!this.#stop.isRequested || this.#stop.isResumable),
      setBack: (agent, start) => this.#setBack(agent, start),
      hangTimeout: this.#hangTimeout,
      onTooManyDeaths: (reason) => {
        this.#failure ??= reason;
        this.requestStop('interrupted');
      },
      onFailure: (thread, error) => this.#fail(thread, error),
    });
  }

  get #hangTimeout(): number {
    return this.#surroundings.hangTimeout ?? HANG_TIMEOUT;
  }

  /** For tests: ends an agent's thread at once; false if it does not run now. */
  killAgent(agent: number): boolean {
    if (this.#stop.isRequested || this.#supervisor === null) return false;
    return this.#supervisor.kill(agent, new DeliberateKill('killed'));
  }

  /** Null if it could not be opened: then the crawl ends, and says why. */
  async #openCoordinator(): Promise<Coordinator | null> {
    try {
      return await this.#coordinator();
    } catch (error) {
      this.#fail('coordinator', error);
      return null;
    }
  }

  /** To its end; if it fails, the crawl ends, and says why. */
  async #runCoordinator(coordinator: Coordinator | null): Promise<void> {
    try {
      if (coordinator !== null) await this.#world.drive(coordinator, this.#mesh.bell);
    } catch (error) {
      this.#fail('coordinator', error);
    }
    try {
      coordinator?.close();
      this.#log?.close();
    } catch (error) {
      this.#fail('coordinator', error);
    }
  }

  /** The first failure is the one that is told. */
  #fail(thread: string, error: unknown): void {
    this.#failure ??= `${thread} failed: ${oneLine(error)}`;
    this.requestStop('failed');
  }

  async #coordinator(): Promise<Coordinator> {
    const { agents, log } = this.#options;
    const part = this.#directory.crawlLogPart(agents, this.#start);
    if (log === 'on')
      this.#log = new CoordinatorLog({
        world: this.#world,
        log: new CrawlLog(this.#disk, part, agents, this.#clockOrigin),
        stop: this.#stop,
        onFailure: (error) => this.#fail('coordinator', error),
      });
    return openCoordinator(this.#start, this.#options, this.#plan, this.#directory, {
      disk: this.#disk,
      mesh: this.#mesh,
      activity: this.#activity,
      stop: this.#stop,
      siteTable: new SiteTableWriter(this.#shared.siteTable),
      checkpoints: this.#checkpointParts(),
      saveMore: (files) =>
        this.#run.save(files, {
          coordinatorLog: this.#log?.save() ?? 0,
          restarts: this.#deaths.count,
          quarantined: this.#deaths.quarantined,
        }),
      clock: this.#world.clock,
      names:
        this.#surroundings.names ??
        (await siteNames(this.#web, this.#options, this.#plan, this.#world.clock)),
      say: this.#surroundings.say ?? (() => {}),
      onRefused: (url, start, end, reason) => {
        keepFirst(this.#refused, reason, url, start, end, '');
        this.#log?.siteGivenUp(url, start, end, reason);
      },
    });
  }

  #checkpointParts(): CheckpointMakerParts | null {
    if (!this.#makesCheckpoints) return null;
    return {
      generations: new Generations(this.#disk, this.#directory),
      board: this.#checkpoints,
      rings: this.#shared.mesh,
      clock: this.#world.clock,
      interval: this.#options['checkpoint-interval'],
      start: this.#start,
      hasStored: this.#options.store === 'none' ? null : () => total(this.counters, 'pages') > 0,
    };
  }

  get #makesCheckpoints(): boolean {
    return Number.isFinite(this.#options['checkpoint-interval']);
  }

  /** Null where the web can't tell. */
  async #reachablePages(pool: Threads): Promise<number | null> {
    if (this.#web.truth === null) return null;
    return pool.run(
      { webSpec: this.#web.spec, seeds: this.#directory.seeds },
      { name: 'countReachablePages' },
    );
  }

  /** Was the page with this number downloaded? */
  hasVisited(page: number): boolean {
    return this.#shared.visited !== null && hasVisited(this.#shared.visited, this.#threads, page);
  }
}
