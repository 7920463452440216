/**
 * What stands before the first thread of a run does: the memory that all threads share with the main thread's ends of
 * it, as a crawl begins or as it was at a checkpoint, and the task of each agent.
 */

import { AGENT_STATE, type AgentState } from '../agent/agent-checkpoint.js';
import type { AgentTask } from '../agent/crawl-task.js';
import { ActivityBoard } from '../boards/activity-board.js';
import { CheckpointBoard } from '../boards/checkpoint-board.js';
import { allocateShared, type SharedMemory } from '../boards/shared-memory.js';
import { StopConditions } from '../boards/stop-conditions.js';
import { StoreBoard } from '../boards/store-board.js';
import { CheckpointFiles } from '../checkpoint/checkpoint-files.js';
import { loadRunState, NEW_RUN, RunCheckpoint, type RunState } from '../checkpoint/run-checkpoint.js';
import { AgentCounters } from '../model/counters.js';
import type { CrawlDirectory } from '../model/crawl-directory.js';
import { loadJson } from '../model/json-file.js';
import { type MemoryPlan, planMemory } from '../model/memory-plan.js';
import type { Web } from '../model/web.js';
import type { MainWorld } from '../model/world.js';
import type { CrawlOptions } from '../options/options.js';
import { MeshEnd } from '../ring/mesh.js';
import { gatherPauses, longPause } from '../throttle/earlier-pauses.js';
import { publicDelay } from '../visit/politeness.js';
import { AgentDeaths } from '../workers/agent-deaths.js';
import { LOOKS } from '../workers/agent-supervisor.js';
import { mainWorld } from '../workers/main-world.js';
import type { Surroundings } from './surroundings.js';

/** Longer than the longest page, or any step of a merge, takes. */
const HANG_TIMEOUT_MS = 120_000;

export interface RunInput {
  readonly options: CrawlOptions;
  readonly web: Web;
  readonly directory: CrawlDirectory;
  /** The checkpoint to go on from, 0 to begin. */
  readonly start: number;
  readonly surroundings: Surroundings;
}

export class RunSetUp {
  readonly options: CrawlOptions;
  readonly web: Web;
  readonly directory: CrawlDirectory;
  readonly start: number;
  readonly surroundings: Surroundings;
  readonly world: MainWorld;
  readonly plan: MemoryPlan;
  /** Threads that crawl. */
  readonly threads: number;
  readonly shared: SharedMemory;
  /** One for each thread that crawls. */
  readonly counters: readonly AgentCounters[];
  readonly stop: StopConditions;
  readonly mesh: MeshEnd;
  readonly activity: ActivityBoard;
  readonly checkpoints: CheckpointBoard;
  readonly run: RunCheckpoint;
  readonly deaths: AgentDeaths;
  /** Milliseconds without a sign of life until an agent counts as dead. */
  readonly hangTimeoutMs: number;
  /** The time since 1970, in ms, at which the clock that all threads share showed 0. */
  readonly clockOrigin: number;
  readonly #before: RunState;
  readonly #quietUntil: number;

  /** REQUIRES: the directory exists and holds the seeds, and the checkpoint if there is one. */
  constructor({ options, web, directory, start, surroundings }: RunInput) {
    this.options = options;
    this.web = web;
    this.directory = directory;
    this.start = start;
    this.surroundings = surroundings;
    this.world = surroundings.world ?? mainWorld(surroundings.disk);
    const { clock, disk, tableSeed, wallClock } = this.world;
    this.clockOrigin = wallClock() - clock();
    const { earlierParts: files = [], hangTimeout = HANG_TIMEOUT_MS } = surroundings;
    this.hangTimeoutMs = hangTimeout;
    const saved = new CheckpointFiles(directory, start);
    this.#before = start === 0 ? NEW_RUN : { ...loadRunState(disk, saved), files };
    const { agents } = options;
    this.threads = Math.max(1, agents);
    this.plan = planMemory(options.memory, agents, options['ring-bytes']);
    this.shared = allocateShared(options, this.plan, web, start > 0, clock(), tableSeed);
    const { activity, checkpoints, counters, mesh, stop } = this.shared;
    this.counters = Array.from({ length: this.threads }, (_, i) => new AgentCounters(counters, i));
    this.stop = new StopConditions(stop, options);
    const self = mesh.threads - 1;
    this.mesh = new MeshEnd(mesh, self, {
      disk,
      path: (to) => directory.outbox(self, to),
      memoryBytes: this.plan.coordinatorOutboxes,
    });
    this.run = new RunCheckpoint(this.world, directory, start, agents, this.#before);
    this.deaths = new AgentDeaths(clock, this.#before.restarts, this.#before.quarantined);
    this.checkpoints = new CheckpointBoard(checkpoints, agents);
    this.checkpoints.begin(start);
    this.activity = new ActivityBoard(activity, agents, mesh);
    this.#quietUntil = this.#gatherPauses();
    if (start > 0) this.#restore(saved);
  }

  get makesCheckpoints(): boolean {
    return Number.isFinite(this.options['checkpoint-interval']);
  }

  /** Tells people what they should know meanwhile. */
  readonly say = (message: string): void => this.surroundings.say?.(message);

  task(agent: number): AgentTask {
    return {
      agent,
      threads: this.threads,
      options: this.options,
      webSpec: this.web.spec,
      directory: this.directory.path,
      plan: this.plan,
      start: this.start,
      runStart: this.start,
      isRestart: false,
      quarantined: this.deaths.quarantined,
      faults: this.surroundings.faults ?? null,
      before: this.#before,
      clockOrigin: this.clockOrigin,
      quietUntil: this.#quietUntil,
      signInterval: this.hangTimeoutMs / LOOKS,
      shared: this.shared,
    };
  }

  /**
   * An agent died: what it downloaded since the checkpoint that it goes on from does not count for the limits any more. If
   * that waited for its next life, the others would stop short of them.
   */
  setBack(agent: number, start: number): void {
    const path = new CheckpointFiles(this.directory, start).agent(agent);
    this.#restoreStop(agent, start === 0 ? {} : loadJson(this.world.disk, path, AGENT_STATE).counters);
  }

  /** When hosts may be asked again that have no entry in a file of pauses; 0 if none was asked before. */
  #gatherPauses(): number {
    const { 'host-delay': hostDelay, 'ip-delay': ipDelay, web } = this.options;
    if (web !== 'http') return 0;
    const now = this.world.clock();
    const longest = gatherPauses(this.world.disk, this.directory.pauses, this.clockOrigin + now);
    if (longest >= 0) return now + Math.max(longest, hostDelay, ipDelay, publicDelay(this.options));
    return this.start === 0 ? 0 : now + longPause(hostDelay);
  }

  /** What must be known of every agent before the first of them goes on. */
  #restore(saved: CheckpointFiles): void {
    for (const [agent, counters] of this.counters.entries()) {
      const state = loadJson(this.world.disk, saved.agent(agent), AGENT_STATE);
      counters.restore(state.counters);
      if (state.books.store !== null) {
        const { serial, offset, counts } = state.books.store;
        new StoreBoard(this.shared.stored, agent).post(serial, offset, counts);
      }
      this.#restoreStop(agent, state.counters);
    }
    this.stop.requestIfReached();
  }

  #restoreStop(agent: number, { pages = 0, bytes = 0 }: AgentState['counters']): void {
    new StopConditions(this.shared.stop, this.options, agent).restore(pages, bytes);
  }
}
