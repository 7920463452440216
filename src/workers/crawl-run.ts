/**
 * One crawl from start to end: shared memory, the pool of agents, the coordinator in this thread, stop conditions and
 * signals, and the report.
 */
import { performance } from 'node:perf_hooks';
import { Piscina } from 'piscina';
import { CrawlLog } from '../log/crawl-log.js';
import { agentThreadFile } from '../model/assets.js';
import { AgentCounters, allocateCounters, total } from '../model/counters.js';
import type { CrawlDirectory } from '../model/crawl-directory.js';
import { freeBytes, nodeDisk } from '../model/disk.js';
import { oneLine } from '../model/errors.js';
import { type MemoryPlan, planMemory } from '../model/memory-plan.js';
import type { CrawlOptions } from '../model/options.js';
import type { Web } from '../model/web.js';
import { ASSIGNMENTS } from '../partition/assignment.js';
import { allocateSiteTable, SiteTableWriter } from '../partition/site-table.js';
import { allocateMesh, MeshEnd } from '../ring/mesh.js';
import { SpillQueue } from '../spill/spill-queue.js';
import { allocateIpTable } from '../throttle/ip-table.js';
import { sharedClock } from '../throttle/shared-clock.js';
import { ActivityBoard, allocateActivityBoard } from './activity-board.js';
import { Coordinator } from './coordinator.js';
import type { AgentResult, AgentTask, SharedMemory } from './crawl-task.js';
import { DiskWatch } from './disk-watch.js';
import { makeReport, type Report } from './report.js';
import { SeedRecords } from './seed-records.js';
import { siteNames } from './site-names.js';
import { allocateStopMemory, type Outcome, StopConditions } from './stop-conditions.js';
import { allocateVisitedPages, VisitedPages } from './visited-pages.js';

/** Milliseconds between two looks at the room on the disk. */
const DISK_LOOKS = 1000;

export class CrawlRun {
  readonly #options: CrawlOptions;
  readonly #web: Web;
  readonly #directory: CrawlDirectory;
  readonly #plan: MemoryPlan;
  readonly #threads: number;
  readonly #shared: SharedMemory;
  readonly #stop: StopConditions;
  readonly #mesh: MeshEnd;
  /** One for each thread that crawls. */
  readonly counters: readonly AgentCounters[];
  readonly #clockOrigin = Date.now() - sharedClock();
  readonly #say: (message: string) => void;
  /** The coordinator's part of crawl.log. */
  #log: CrawlLog | null = null;
  #failure: string | null = null;

  /** REQUIRES: the directory exists and holds the seeds. `say` tells people what they should know meanwhile. */
  constructor(
    options: CrawlOptions,
    web: Web,
    directory: CrawlDirectory,
    say: (message: string) => void = () => {},
  ) {
    this.#say = say;
    this.#options = options;
    this.#web = web;
    this.#directory = directory;
    this.#threads = Math.max(1, options.agents);
    this.#plan = planMemory(options.memory, options.agents, options['ring-bytes']);
    this.#shared = {
      counters: allocateCounters(this.#threads),
      stop: allocateStopMemory(),
      visited: web.truth === null ? null : allocateVisitedPages(web.truth.pages),
      activity: allocateActivityBoard(this.#threads),
      siteTable: allocateSiteTable(options.agents === 0 ? 0 : this.#plan.siteTable),
      ipTable: allocateIpTable(options.web === 'http' ? this.#plan.ipTable : 0, sharedClock()),
      mesh: allocateMesh(options.agents === 0 ? 1 : options.agents + 1, this.#plan.ringBytes),
    };
    this.counters = Array.from(
      { length: this.#threads },
      (_, i) => new AgentCounters(this.#shared.counters, i),
    );
    this.#stop = new StopConditions(this.#shared.stop, {
      targetPages: options['target-pages'],
      maxBytes: options['max-bytes'],
    });
    this.#mesh = new MeshEnd(this.#shared.mesh, this.#shared.mesh.threads - 1, {
      disk: nodeDisk,
      path: (to) => directory.outbox(this.#shared.mesh.threads - 1, to),
      memoryBytes: this.#plan.coordinatorOutboxes,
    });
  }

  /** Asks the crawl to end; it does so within a turn of every thread. */
  requestStop(outcome: Outcome): void {
    this.#stop.request(outcome);
    this.#mesh.wakeAll();
  }

  async run(): Promise<Report> {
    const startedAt = performance.now();
    const cpuBefore = process.cpuUsage();
    const timer = this.#startTimer();
    const watch = this.#watchDisk();
    const pool = new Piscina({
      filename: agentThreadFile(),
      minThreads: this.#threads,
      maxThreads: this.#threads,
      concurrentTasksPerWorker: 1,
      // The pool's own measurements cost a histogram per task and are not read.
      recordTiming: false,
    });
    try {
      const agents = Array.from({ length: this.#threads }, (_, agent) => this.#runAgent(pool, agent));
      const coordinator = this.#options.agents === 0 ? null : await this.#runCoordinator();
      const results = await Promise.all(agents);
      const cpu = process.cpuUsage(cpuBefore);
      const seconds = (performance.now() - startedAt) / 1000;
      return makeReport({
        outcome: this.#failure === null ? (this.#stop.outcome ?? 'failed') : 'failed',
        reason: this.#failure,
        web: this.#web.spec,
        options: this.#options,
        seconds,
        cpuSeconds: (cpu.user + cpu.system) / 1e6,
        peakRssBytes: process.resourceUsage().maxRSS * 1024,
        counters: this.counters,
        results: results.filter((result) => result !== null),
        siteUrlDrum: coordinator?.statistics ?? null,
        sites: coordinator?.sites ?? total(this.counters, 'sites'),
        refusedSites: coordinator?.refusedSites ?? {},
        reachablePages: await this.#reachablePages(pool),
      });
    } finally {
      clearTimeout(timer);
      clearInterval(watch);
      await pool.destroy();
    }
  }

  #startTimer(): NodeJS.Timeout | undefined {
    const limit = this.#options['max-duration'];
    if (limit === Number.POSITIVE_INFINITY) return undefined;
    // A longer delay would overflow the timer and fire at once.
    return setTimeout(() => this.requestStop('duration'), Math.min(limit, 2 ** 31 - 1));
  }

  #watchDisk(): NodeJS.Timeout | undefined {
    if (this.#options.store === 'none') return undefined;
    const watch = new DiskWatch({
      minFree: this.#options['min-free'],
      freeBytes: () => freeBytes(this.#directory.path),
      stop: this.#stop,
      wake: () => this.#mesh.wakeAll(),
      say: this.#say,
    });
    watch.check();
    return setInterval(() => watch.check(), DISK_LOOKS);
  }

  /** An agent's result, or null if it died: then the crawl ends, and says why. */
  async #runAgent(pool: Piscina, agent: number): Promise<AgentResult | null> {
    const task: AgentTask = {
      agent,
      options: this.#options,
      webSpec: this.#web.spec,
      directory: this.#directory.path,
      plan: this.#plan,
      clockOrigin: this.#clockOrigin,
      shared: this.#shared,
    };
    try {
      return await pool.run(task);
    } catch (error) {
      this.#fail(`agent ${agent}`, error);
      return null;
    }
  }

  /** The coordinator after its work, or null if it could not begin; if it fails, the crawl ends, and says why. */
  async #runCoordinator(): Promise<Coordinator | null> {
    let coordinator: Coordinator | null = null;
    try {
      coordinator = await this.#coordinator();
      await coordinator.run();
    } catch (error) {
      this.#fail('coordinator', error);
    }
    try {
      coordinator?.close();
      this.#log?.close();
    } catch (error) {
      this.#fail('coordinator', error);
    }
    return coordinator;
  }

  /** The first failure is the one that is told. */
  #fail(thread: string, error: unknown): void {
    this.#failure ??= `${thread} failed: ${oneLine(error)}`;
    this.requestStop('failed');
  }

  async #coordinator(): Promise<Coordinator> {
    const { agents, assign, log } = this.#options;
    if (log === 'on')
      this.#log = new CrawlLog(nodeDisk, this.#directory.crawlLogPart(agents), agents, this.#clockOrigin);
    return new Coordinator({
      agents,
      mesh: this.#mesh,
      siteTable: new SiteTableWriter(this.#shared.siteTable),
      siteUrlDrum: { directory: this.#directory.siteUrlDrum, memoryBytes: this.#plan.siteUrlDrum },
      siteUrlList: new SpillQueue(nodeDisk, this.#directory.siteUrlList, this.#plan.siteUrlList),
      assignment: ASSIGNMENTS[assign]!(agents),
      activity: new ActivityBoard(this.#shared.activity, agents),
      stop: this.#stop,
      nextSeed: new SeedRecords(this.#directory.seeds).next,
      names: await siteNames(this.#web, this.#options, this.#plan),
      onRefused: (url, start, end, reason) => this.#log?.siteGivenUp(url, start, end, sharedClock(), reason),
    });
  }

  /** Null where the web can't tell. */
  async #reachablePages(pool: Piscina): Promise<number | null> {
    if (this.#web.truth === null) return null;
    return pool.run(
      { webSpec: this.#web.spec, seeds: this.#directory.seeds },
      { name: 'countReachablePages' },
    );
  }

  /** Was the page with this number downloaded? */
  hasVisited(page: number): boolean {
    return this.#shared.visited !== null && new VisitedPages(this.#shared.visited).has(page);
  }
}
