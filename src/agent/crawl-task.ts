/** What a thread is given to start with, and what it hands back: control only, no URL travels this way. */

import type { SharedMemory } from '../boards/shared-memory.js';
import type { RunState } from '../checkpoint/run-checkpoint.js';
import type { DrumStatistics } from '../drum/drum.js';
import type { FaultSpec } from '../model/faults.js';
import type { MemoryPlan } from '../model/memory-plan.js';
import type { CrawlOptions } from '../options/options.js';
import type { StoreCounts } from '../store/page-store.js';
import type { FirstCauses } from '../visit/first-causes.js';

/** Sent to every agent's thread; the shared memory is shared, the rest is copied. */
export interface AgentTask {
  readonly agent: number;
  /** Threads that crawl. */
  readonly threads: number;
  readonly options: CrawlOptions;
  readonly webSpec: string;
  readonly directory: string;
  readonly plan: MemoryPlan;
  /** The checkpoint to go on from, 0 to begin. */
  readonly start: number;
  /** The one that the run goes on from: an agent that died is started again from a later one. */
  readonly runStart: number;
  readonly isRestart: boolean;
  /** Keys of URLs whose pages must not be read. */
  readonly quarantined: readonly string[];
  readonly faults: FaultSpec | null;
  readonly before: RunState;
  /** The time since 1970, in ms, at which the clock that all threads share showed 0. */
  readonly clockOrigin: number;
  /** No host is asked before: pauses may have been granted that are not known any more. */
  readonly quietUntil: number;
  /** Milliseconds between signs of life of a thread that has nothing to do. */
  readonly signInterval: number;
  readonly shared: SharedMemory;
}

export interface AgentResult {
  readonly agent: number;
  /** What ended it for good, as the disk that is full; '' if nothing did. An agent that throws is started again. */
  readonly failure: string;
  readonly answers: Readonly<Record<string, number>>;
  readonly errors: Readonly<Record<string, number>>;
  readonly firsts: Readonly<FirstCauses>;
  readonly pageUrlDrum: DrumStatistics | null;
  readonly sitePartitionDrum: DrumStatistics | null;
  /** Null if nothing is stored. */
  readonly store: StoreCounts | null;
}
