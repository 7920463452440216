/** Where a crawl's threads run: the one pool of them. An agent has its thread from the start; others come as they are needed. */
import { Piscina } from 'piscina';
import { agentThreadFile } from '../model/assets.js';
import type { Threads } from '../model/world.js';

/**
 * What agents keep lies outside of the heap. A heap that may grow as the machine's memory allows is collected late and
 * takes three times as much: with 256 connections, 140 MB an agent instead of 50, at the same cost.
 */
const THREAD_HEAP = { maxYoungGenerationSizeMb: 12, maxOldGenerationSizeMb: 512 };
/** The keeper of the digests, and who brings the index up to date. */
const BESIDE_AGENTS = 2;

export class ThreadHost implements Threads {
  readonly #pool: Piscina;

  constructor(agents: number) {
    this.#pool = new Piscina({
      filename: agentThreadFile(),
      minThreads: agents,
      maxThreads: agents + BESIDE_AGENTS,
      concurrentTasksPerWorker: 1,
      // The pool's own measurements cost a histogram per task and are not read.
      recordTiming: false,
      resourceLimits: THREAD_HEAP,
    });
  }

  run<Result>(task: unknown, how: { name?: string; signal?: AbortSignal } = {}): Promise<Result> {
    return this.#pool.run(task, how);
  }

  async close(): Promise<void> {
    await this.#pool.destroy();
  }
}
