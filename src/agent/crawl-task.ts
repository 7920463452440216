/** What a thread is given to start with, and what it hands back: control only, no URL travels this way. */

import type { SharedMemory } from '../boards/shared-memory.js';
import type { RunState } from '../checkpoint/run-checkpoint.js';
import type { DrumStatistics } from '../drum/drum.js';
import type { FaultSpec } from '../model/faults.js';
import type { MemoryPlan } from '../model/memory-plan.js';
import type { CrawlOptions } from '../model/options.js';
import type { StoreCounts } from '../store/page-store.js';

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
  readonly shared: SharedMemory;
}

/** Sent to the thread that keeps the digests of what was stored. */
export type KeeperTask = Pick<AgentTask, 'options' | 'directory' | 'plan' | 'start' | 'faults' | 'shared'>;

/** Sent to the thread that brings the index up to date. */
export interface IndexTask {
  readonly directory: string;
  /** Threads that crawl. */
  readonly threads: number;
  /** To the end of its parts, not to the last checkpoint. */
  readonly isWhole: boolean;
  /** Bytes for lines that are sorted at a time. */
  readonly memory: number;
  readonly faults: FaultSpec | null;
  /** A number that no other thread had. */
  readonly thread: number;
}

export interface AgentResult {
  readonly agent: number;
  /** What ended it for good, as the disk that is full; '' if nothing did. An agent that throws is started again. */
  readonly failure: string;
  readonly errors: Readonly<Record<string, number>>;
  readonly pageUrlDrum: DrumStatistics | null;
  readonly sitePartitionDrum: DrumStatistics | null;
  /** Null if nothing is stored. */
  readonly store: StoreCounts | null;
}
