/**
 * What a crawl that stores pages has beside its agents: a thread that keeps the digests of all agents, and one that brings
 * the index up to date after checkpoints.
 */

import type { CheckpointBoard } from '../boards/checkpoint-board.js';
import { sharesDigests } from '../boards/digest-board.js';
import type { StopConditions } from '../boards/stop-conditions.js';
import type { CrawlDirectory } from '../model/crawl-directory.js';
import { oneLine } from '../model/errors.js';
import type { Cancel, MainWorld, Threads } from '../model/world.js';
import type { IndexTask, KeeperTask } from './archive-tasks.js';
import { DigestCounter } from './digest-counter.js';
import { IndexUpdates } from './index-updates.js';

export interface StoreThreadsParts {
  readonly world: Pick<MainWorld, 'clock' | 'every'>;
  readonly pool: Threads;
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
  readonly #keeper: Promise<void>;
  readonly #updates: IndexUpdates;
  readonly #stopLooking: Cancel;
  #updateCount = 0;

  constructor(parts: StoreThreadsParts) {
    this.#parts = parts;
    const { checkpoints, say, stop, task, world } = parts;
    this.#updates = new IndexUpdates({
      update: (isWhole) => this.#update(isWhole),
      checkpoint: () => checkpoints.confirmed,
      clock: world.clock,
      say,
    });
    this.#stopLooking = world.every(CHECKPOINT_LOOKS, () => {
      if (!stop.isShortOfRoom) this.#updates.look();
    });
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

  close(): void {
    this.#stopLooking();
  }

  async #keepDigests(): Promise<void> {
    const { onFailure, task } = this.#parts;
    try {
      await this.#parts.pool.run(task, { name: 'keepDigests' });
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
    await this.#parts.pool.run(indexing, { name: 'indexPages' });
  }
}
