/**
 * What a crawl that stores pages has beside its agents: a thread that keeps the digests of all agents, and one that brings
 * the index up to date after checkpoints.
 */

import { Piscina } from 'piscina';
import type { CheckpointBoard } from '../boards/checkpoint-board.js';
import { sharesDigests } from '../boards/digest-board.js';
import type { StopConditions } from '../boards/stop-conditions.js';
import { agentThreadFile } from '../model/assets.js';
import type { CrawlDirectory } from '../model/crawl-directory.js';
import { oneLine } from '../model/errors.js';
import { sharedClock } from '../throttle/shared-clock.js';
import type { IndexTask, KeeperTask } from './archive-tasks.js';
import { DigestCounter } from './digest-counter.js';
import { IndexUpdates } from './index-updates.js';

export interface StoreThreadsParts {
  readonly task: KeeperTask;
  readonly threads: number;
  readonly directory: CrawlDirectory;
  readonly checkpoints: CheckpointBoard;
  readonly stop: StopConditions;
  readonly say: (message: string) => void;
  /** The crawl can't go on. */
  readonly onFailure: (thread: string, error: unknown) => void;
}

/** Milliseconds between two looks at the checkpoints. */
const CHECKPOINT_LOOKS = 200;

export class StoreThreads {
  readonly #parts: StoreThreadsParts;
  readonly #pool: Piscina;
  readonly #keeper: Promise<void>;
  readonly #updates: IndexUpdates;
  readonly #timer: NodeJS.Timeout;
  #updateCount = 0;

  constructor(parts: StoreThreadsParts, resourceLimits: object) {
    this.#parts = parts;
    const { checkpoints, say, stop, task } = parts;
    // The thread of the index is there while it has something to do.
    this.#pool = new Piscina({
      filename: agentThreadFile(),
      minThreads: 0,
      maxThreads: 2,
      concurrentTasksPerWorker: 1,
      recordTiming: false,
      resourceLimits,
    });
    this.#updates = new IndexUpdates({
      update: (isWhole) => this.#update(isWhole),
      checkpoint: () => checkpoints.confirmed,
      clock: sharedClock,
      say,
    });
    this.#timer = setInterval(() => {
      if (!stop.isShortOfRoom) this.#updates.look();
    }, CHECKPOINT_LOOKS);
    this.#keeper = sharesDigests(task.options) ? this.#keepDigests() : Promise.resolve();
  }

  /**
   * REQUIRES: no agent is left. `isWhole` says that nobody will go back to a checkpoint. Returns why the index could not be
   * made, or '': all else is there, so the crawl has not failed.
   */
  async finish(isWhole: boolean): Promise<string> {
    this.#stopLooking();
    new DigestCounter(this.#parts.task.shared.digests).close();
    await this.#keeper;
    try {
      await this.#updates.finish(isWhole);
      return '';
    } catch (error) {
      return oneLine(error);
    }
  }

  async close(): Promise<void> {
    this.#stopLooking();
    await this.#pool.destroy();
  }

  #stopLooking(): void {
    clearInterval(this.#timer);
  }

  async #keepDigests(): Promise<void> {
    const { onFailure, task } = this.#parts;
    try {
      await this.#pool.run(task, { name: 'keepDigests' });
    } catch (error) {
      onFailure('keeper of digests', error);
    } finally {
      new DigestCounter(task.shared.digests).abandon();
    }
  }

  async #update(isWhole: boolean): Promise<void> {
    const { directory, task, threads } = this.#parts;
    const indexing: IndexTask = {
      directory: directory.path,
      threads,
      isWhole,
      memory: task.plan.indexLines,
      faults: task.faults,
      thread: threads + 2 + this.#updateCount++,
    };
    await this.#pool.run(indexing, { name: 'indexPages' });
  }
}
