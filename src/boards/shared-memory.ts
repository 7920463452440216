/** All memory that the threads of a crawl share. */

import { allocateCounters } from '../model/counters.js';
import { newTableSeed, type TableSeed } from '../model/key-hash.js';
import type { MemoryPlan } from '../model/memory-plan.js';
import type { Web } from '../model/web.js';
import type { CrawlOptions } from '../options/options.js';
import { allocateSiteTable } from '../partition/site-table.js';
import { allocateMesh, type MeshMemory } from '../ring/mesh.js';
import { allocateHostTable } from '../throttle/host-table.js';
import { allocateIpTable } from '../throttle/ip-table.js';
import { allocateActivityBoard } from './activity-board.js';
import { allocateCheckpointBoard } from './checkpoint-board.js';
import { allocateDigestBoard, type DigestMemory, sharesDigests } from './digest-board.js';
import { allocateStopMemory } from './stop-conditions.js';
import { allocateStoreBoard } from './store-board.js';
import { allocateVisitedPages } from './visited-pages.js';

export interface SharedMemory {
  /** Of tables in memory, the threads' own as well: new in each run. */
  readonly tableSeed: TableSeed;
  readonly counters: SharedArrayBuffer;
  readonly stop: SharedArrayBuffer;
  /** Null where pages are not numbered. */
  readonly visited: SharedArrayBuffer | null;
  readonly activity: SharedArrayBuffer;
  readonly siteTable: SharedArrayBuffer;
  readonly ipTable: SharedArrayBuffer;
  readonly hostTable: SharedArrayBuffer;
  readonly checkpoints: SharedArrayBuffer;
  /** How far agents have written what they store, and how they ask for what was stored. */
  readonly stored: SharedArrayBuffer;
  readonly digests: DigestMemory;
  readonly mesh: MeshMemory;
}

export function allocateShared(
  options: CrawlOptions,
  plan: MemoryPlan,
  web: Web,
  isResumed: boolean,
  nowMs: number,
  tableSeed = newTableSeed(),
): SharedMemory {
  const { agents } = options;
  const threads = Math.max(1, agents);
  return {
    tableSeed,
    counters: allocateCounters(threads),
    stop: allocateStopMemory(threads),
    visited: web.truth === null ? null : allocateVisitedPages(web.truth.pages, threads),
    activity: allocateActivityBoard(threads),
    siteTable: allocateSiteTable(agents === 0 ? 0 : plan.siteTable, tableSeed),
    ipTable: allocateIpTable(options.web === 'http' ? plan.ipTable : 0, nowMs),
    hostTable: allocateHostTable(options.web === 'http' ? plan.hostTable : 0, threads),
    checkpoints: allocateCheckpointBoard(threads),
    stored: allocateStoreBoard(threads),
    digests: allocateDigestBoard(
      threads,
      options.store !== 'none' && sharesDigests(options) ? plan.digestFilter : 0,
      isResumed,
    ),
    mesh: allocateMesh(agents === 0 ? 1 : agents + 1, plan.ringBytes),
  };
}
