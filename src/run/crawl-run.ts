/** One crawl from start to end: its threads, its timers, why it stops, and the report. */

import type { AgentResult } from '../agent/crawl-task.js';
import { DiskWatch } from '../archive/disk-watch.js';
import { StoreThreads } from '../archive/store-threads.js';
import type { Outcome } from '../boards/stop-conditions.js';
import { lastCounts } from '../boards/store-board.js';
import { hasVisited, visitedByOthers } from '../boards/visited-pages.js';
import { type AgentCounters, total } from '../model/counters.js';
import type { CrawlDirectory } from '../model/crawl-directory.js';
import { freeBytes } from '../model/disk.js';
import { oneLine } from '../model/errors.js';
import type { Web } from '../model/web.js';
import type { Cancel, Threads } from '../model/world.js';
import type { CrawlOptions } from '../options/options.js';
import { AgentSupervisor, DeliberateKill, LOOKS } from '../workers/agent-supervisor.js';
import { CoordinatorRun } from './coordinator-run.js';
import { makeReport, type Report, type ReportInput } from './report.js';
import { RunSetUp } from './run-set-up.js';
import type { Surroundings } from './surroundings.js';

/** Milliseconds between two looks at the room on the disk. */
const DISK_LOOK_MS = 1000;

export class CrawlRun {
  readonly #setUp: RunSetUp;
  readonly #coordination: CoordinatorRun;
  #supervisor: AgentSupervisor | null = null;
  #failure: string | null = null;
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
    this.#setUp = new RunSetUp({ options, web, directory, start, surroundings });
    this.#coordination = new CoordinatorRun(this.#setUp, (error) => this.#fail('coordinator', error));
  }

  /** One for each thread that crawls. */
  get counters(): readonly AgentCounters[] {
    return this.#setUp.counters;
  }

  /** Asks the crawl to end; it does so within a turn of every thread. */
  requestStop(outcome: Outcome): void {
    this.#setUp.stop.request(outcome);
    this.#setUp.mesh.wakeAll();
  }

  async run(): Promise<Report> {
    const { counters, hangTimeoutMs, makesCheckpoints, options, stop, threads, world } = this.#setUp;
    const timers = [
      world.after(options['max-duration'], () => this.requestStop('duration')),
      this.#watchDisk(),
    ];
    const pool = world.openThreads(threads);
    const supervisor = this.#supervise(pool);
    this.#supervisor = supervisor;
    timers.push(world.every(hangTimeoutMs / LOOKS, () => supervisor.look()));
    let storing: StoreThreads | null = null;
    try {
      if (options.store !== 'none') storing = this.#storeThreads(pool);
      // Before the agents begin: whose the sites are that they go on with stands in the table that it restores.
      await this.#coordination.open();
      const agents = counters.map((_, agent) => supervisor.run(this.#setUp.task(agent)));
      await this.#coordination.run();
      const results = await Promise.all(agents);
      this.indexFailure = (await storing?.finish(stop.outcome === 'exhausted' || !makesCheckpoints)) ?? '';
      return makeReport(await this.#reportInput(results, pool));
    } finally {
      for (const cancel of timers) cancel();
      storing?.close();
      await pool.close();
    }
  }

  async #reportInput(results: readonly (AgentResult | null)[], pool: Threads): Promise<ReportInput> {
    const { counters, deaths, options, run, shared, threads, web } = this.#setUp;
    const { coordinator, firstRefused } = this.#coordination;
    const { seconds, cpuSeconds, peakRssBytes } = run.state;
    return {
      ...{ options, counters, seconds, cpuSeconds, peakRssBytes, firstRefused },
      outcome: this.#outcome,
      reason: this.#failure,
      web: web.spec,
      results: results.filter((result) => result !== null),
      // An agent that did not come to its end says nothing but what it posted last.
      stored: results.flatMap((result, agent) => result?.store ?? lastCounts(shared.stored, agent) ?? []),
      siteUrlDrum: coordinator?.statistics ?? null,
      sites: coordinator?.sites ?? total(counters, 'sites'),
      refusedSites: coordinator?.refusedSites ?? {},
      reachablePages: await this.#reachablePages(pool),
      visitedByOthers: shared.visited === null ? 0 : visitedByOthers(shared.visited, threads),
      restarts: deaths.count,
    };
  }

  /** Of a crawl that has ended. */
  get #outcome(): Outcome {
    if (this.#failure !== null) return 'failed';
    // An agent died when the others were done, and was saved as it was before: the rest is done after a resume.
    const { stop } = this.#setUp;
    return stop.isUndone ? 'interrupted' : (stop.outcome ?? 'failed');
  }

  /** Pages and log are what a crawl can wait with until there is room for them. */
  #watchDisk(): Cancel {
    const { directory, mesh, options, say, stop, surroundings, world } = this.#setUp;
    const { log, 'min-free': minFree, store } = options;
    if (store === 'none' && log === 'off') return () => {};
    const watch = new DiskWatch({
      minFree: store === 'none' ? 0 : minFree,
      freeBytes: surroundings.freeBytes ?? (() => freeBytes(directory.path)),
      stop,
      wake: () => mesh.wakeAll(),
      say,
    });
    watch.check();
    return world.every(DISK_LOOK_MS, () => watch.check());
  }

  #storeThreads(pool: Threads): StoreThreads {
    const { checkpoints, directory, say, stop, threads, world } = this.#setUp;
    return new StoreThreads({
      ...{ checkpoints, directory, pool, say, stop, threads, world },
      task: this.#setUp.task(threads),
      onFailure: (thread, error) => this.#fail(thread, error),
    });
  }

  #supervise(pool: Threads): AgentSupervisor {
    const { activity, checkpoints, deaths, hangTimeoutMs, makesCheckpoints, mesh, options, stop } =
      this.#setUp;
    return new AgentSupervisor({
      ...{ activity, checkpoints, deaths, pool },
      wake: () => mesh.wakeAll(),
      canRestart: () =>
        options.agents > 0 &&
        makesCheckpoints &&
        !this.#coordination.isOver &&
        (!stop.isRequested || stop.isResumable),
      setBack: (agent, start) => this.#setUp.setBack(agent, start),
      hangTimeout: hangTimeoutMs,
      onTooManyDeaths: (reason) => {
        this.#failure ??= reason;
        this.requestStop('interrupted');
      },
      onFailure: (thread, error) => this.#fail(thread, error),
    });
  }

  /** For tests: ends an agent's thread at once; false if it does not run now. */
  killAgent(agent: number): boolean {
    if (this.#setUp.stop.isRequested || this.#supervisor === null) return false;
    return this.#supervisor.kill(agent, new DeliberateKill('killed'));
  }

  /** The first failure is the one that is told. */
  #fail(thread: string, error: unknown): void {
    this.#failure ??= `${thread} failed: ${oneLine(error)}`;
    this.requestStop('failed');
  }

  /** Null where the web can't tell. */
  async #reachablePages(pool: Threads): Promise<number | null> {
    const { directory, web } = this.#setUp;
    if (web.truth === null) return null;
    return pool.run({ webSpec: web.spec, seeds: directory.seeds }, { name: 'countReachablePages' });
  }

  /** Was the page with this number downloaded? */
  hasVisited(page: number): boolean {
    const { shared, threads } = this.#setUp;
    return shared.visited !== null && hasVisited(shared.visited, threads, page);
  }
}
