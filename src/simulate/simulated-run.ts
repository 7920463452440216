/** One process of a simulated crawl, from its start to its end or to its kill, in a world that is made up. */
import { basename } from 'node:path';
import type { AgentResult, AgentTask } from '../agent/crawl-task.js';
import { runAgent } from '../agent/run-agent.js';
import type { SiteNames } from '../coordinator/name-questions.js';
import type { Disk } from '../model/disk.js';
import { countReachable } from '../model/web.js';
import type { Bell, MainWorld, Threads, World } from '../model/world.js';
import type { Doorbell } from '../ring/doorbell.js';
import { DeliberateKill } from '../workers/agent-supervisor.js';
import { Life } from './life.js';
import type { MemoryDisk } from './memory-disk.js';
import { OddFetcher } from './odd-fetcher.js';
import type { OddWeb } from './odd-web.js';
import type { Fault, PlannedFault, SimulationPlan } from './plan.js';
import type { Random } from './random.js';
import type { Scheduler } from './scheduler.js';
import type { Timeline } from './timeline.js';
import type { Trace } from './trace.js';

/** 2026, so that times of day look like some. */
const EPOCH_MS = 1.77e12;
/** How often a look at the clock finds that the thread had to wait, and how long at most. */
const PREEMPTED = 1 / 12;
const LONGEST_WAITS_MS = [1, 2, 4, 60];
/** A timer of a thread that is held goes off when it is not any more. */
const HELD_LOOK_MS = 1;
/** What an agent dies of. */
export const DIED = 'died';

export interface SimulatedProcessParts {
  readonly plan: SimulationPlan;
  /** Those that are still to come, the next one first. */
  readonly faults: PlannedFault[];
  readonly random: Random;
  readonly timeline: Timeline;
  readonly scheduler: Scheduler;
  readonly disk: MemoryDisk;
  readonly web: OddWeb;
  readonly trace: Trace;
  /** Asks the crawl to stop, as a signal does. */
  readonly interrupt: () => void;
}

/** One for all runs: what a seed of the simulator does is the same each time. */
const TABLE_SEED = [1, 2, 3, 4];

export class SimulatedProcess {
  readonly #parts: SimulatedProcessParts;
  readonly #life: Life;
  #calls = 0;
  /** The calls when a checkpoint was made since the last fault; -1 before. */
  #checkpointAt = -1;
  /** What ended it, or null. */
  endedBy: Fault | null = null;

  constructor(parts: SimulatedProcessParts) {
    this.#parts = parts;
    this.#life = new Life(
      () => this.#onCall(null),
      () => {},
    );
  }

  get isOver(): boolean {
    return this.#life.isOver;
  }

  get disk(): Disk {
    return this.#life.disk(this.#parts.disk);
  }

  /** One more call to the world, by an agent or (null) the coordinator: does something happen now? */
  #onCall(agent: Life | null): void {
    const { faults, interrupt, timeline, trace } = this.#parts;
    this.#calls++;
    const [next] = faults;
    if (next === undefined || (next.isBehindCheckpoint && this.#checkpointAt < 0)) return;
    if (this.#calls < next.at + (next.isBehindCheckpoint ? this.#checkpointAt : 0)) return;
    // An agent's death waits for a call of one.
    if (next.fault === 'agent dies' && agent === null) return;
    faults.shift();
    this.#checkpointAt = -1;
    trace.count(next.fault, timeline.now);
    if (next.fault === 'agent dies') agent?.end(new DeliberateKill(DIED));
    else if (next.fault === 'interrupted') interrupt();
    else {
      this.endedBy = next.fault;
      this.#life.end(new Error(next.fault));
    }
  }

  get names(): SiteNames {
    const { plan, random, scheduler, timeline, web } = this.#parts;
    return {
      canTake: true,
      canTakeNew: true,
      probe: (_host, done) => done(true),
      resolve: (host, done) => {
        const failure = web.hasSite(host) ? '' : 'NO_SUCH_HOST';
        timeline.after(random.below(plan.slowestLookupMs + 1), () => {
          if (!this.isOver) done(failure === '' ? `127.0.0.${1 + (host.length % 200)}` : '', failure);
          scheduler.settle();
        });
      },
      forget: () => {},
      close: () => {},
    };
  }

  /** What the thread that coordinates asks for. */
  world(): MainWorld {
    const world = this.#worldOf('coordinator', this.#life);
    const rename = (from: string, to: string): void => {
      world.disk.rename(from, to);
      // The name that makes a checkpoint whole.
      if (basename(to) === 'CURRENT') this.#checkpointAt = this.#calls;
    };
    return {
      ...world,
      disk: { ...world.disk, rename },
      openThreads: () => this.#threads(),
      tableSeed: TABLE_SEED,
    };
  }

  #worldOf(name: string, life: Life): Omit<World, 'openWeb'> {
    const { disk, random, scheduler, timeline } = this.#parts;
    const clock = (): number => {
      // Whoever waits by promise in a process that is gone may still ask for the time.
      if (life !== this.#life || !life.isOver) life.touch();
      // The system let the thread wait.
      if (random.chance(PREEMPTED)) timeline.now += random.below(random.pick(LONGEST_WAITS_MS));
      return timeline.now;
    };
    return {
      clock,
      wallClock: () => EPOCH_MS + clock(),
      disk: life.disk(disk),
      drive: (taker, bell: Bell) => scheduler.drive(name, taker, bell as Doorbell),
      after: (delayMs, call) => {
        const isPast = (): boolean => life.isOver || this.isOver;
        const tryIt = (): void => {
          if (isPast()) return;
          if (scheduler.isHeld(name)) cancel = timeline.after(HELD_LOOK_MS, tryIt);
          else call();
        };
        let cancel = timeline.after(delayMs, tryIt);
        return () => cancel();
      },
      every: (intervalMs, call) =>
        timeline.every(intervalMs, () => life.isOver || this.isOver || scheduler.isHeld(name) || call()),
      usage: () => ({ cpuSeconds: 0, peakRssBytes: 0 }),
    };
  }

  #threads(): Threads {
    const { plan, web } = this.#parts;
    return {
      run: <Result>(task: unknown, { name, signal }: { name?: string; signal?: AbortSignal } = {}) => {
        if (name !== 'countReachablePages')
          return this.#runAgent(task as AgentTask, signal) as Promise<Result>;
        return Promise.resolve(countReachable(web.truth, web.seeds(), plan.links) as Result);
      },
      close: () => Promise.resolve(),
    };
  }

  #runAgent(task: AgentTask, signal: AbortSignal | undefined): Promise<AgentResult> {
    const { scheduler } = this.#parts;
    const name = `agent ${task.agent}`;
    scheduler.settle();
    return new Promise((resolve, reject) => {
      const life: Life = new Life(
        () => {
          this.#life.touch();
          this.#onCall(life);
        },
        (reason) => {
          scheduler.drop(name);
          scheduler.settle();
          reject(reason);
        },
      );
      signal?.addEventListener('abort', () => life.end(signal.reason as Error));
      const world: World = {
        ...this.#worldOf(name, life),
        openWeb: async () => ({ ...this.#web(), fetcher: () => this.#fetcher(name, life) }),
      };
      // Of a process that is gone, nobody hears anything.
      const heard =
        <Value>(tell: (value: Value) => void) =>
        (value: Value): void => {
          scheduler.settle();
          if (!this.isOver) tell(value);
        };
      runAgent(task, world).then(heard(resolve), heard(reject));
    });
  }

  #web() {
    const { web } = this.#parts;
    return {
      spec: web.spec,
      seeds: () => web.seeds(),
      hasSite: (host: string) => web.hasSite(host),
      truth: web.truth,
      close: () => {},
    };
  }

  #fetcher(name: string, life: Life): OddFetcher {
    const { plan, random, scheduler, timeline, web } = this.#parts;
    const later = (happen: () => void): void => {
      timeline.after(random.below(plan.slowestMs + 1), () => {
        if (life.isOver || this.isOver) return;
        // Its events wait while a thread is held.
        if (scheduler.isHeld(name)) later(happen);
        else this.#guarded(life, happen);
      });
    };
    return new OddFetcher(web, later, () => life.touch());
  }

  /** What an event of a thread throws is the thread's end. */
  #guarded(life: Life, happen: () => void): void {
    try {
      happen();
    } catch (error) {
      life.end(error as Error);
    }
  }
}
