/** What the threads of the archive are given to start with; an agent's task has the same fields for its store. */
import type { DigestMemory } from '../boards/digest-board.js';
import type { FaultSpec } from '../model/faults.js';
import type { MemoryPlan } from '../model/memory-plan.js';
import type { CrawlOptions } from '../options/options.js';

/** Sent to the thread that keeps the digests of what was stored. */
export interface KeeperTask {
  readonly options: CrawlOptions;
  readonly directory: string;
  readonly plan: MemoryPlan;
  /** The checkpoint to go on from, 0 to begin. */
  readonly start: number;
  readonly faults: FaultSpec | null;
  readonly shared: { readonly stored: SharedArrayBuffer; readonly digests: DigestMemory };
}

/** What an agent's store is opened by. */
export interface StoreTask extends KeeperTask {
  readonly agent: number;
  readonly isRestart: boolean;
}

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
