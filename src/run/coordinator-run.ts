/** The coordinator's part of a run, in the main thread: opened, driven to its end, and closed with its part of crawl.log. */

import type { CheckpointMakerParts } from '../checkpoint/checkpoint-maker.js';
import { Generations } from '../checkpoint/generations.js';
import type { Coordinator } from '../coordinator/coordinator.js';
import { CoordinatorLog } from '../coordinator/coordinator-log.js';
import { openCoordinator } from '../coordinator/open-coordinator.js';
import { siteNames } from '../coordinator/site-names.js';
import { CrawlLog } from '../log/crawl-log.js';
import { total } from '../model/counters.js';
import { SiteTableWriter } from '../partition/site-table.js';
import { type FirstCauses, keepFirst } from '../visit/first-causes.js';
import type { RunSetUp } from './run-set-up.js';

export class CoordinatorRun {
  readonly #setUp: RunSetUp;
  readonly #onFailure: (error: unknown) => void;
  #coordinator: Coordinator | null = null;
  #log: CoordinatorLog | null = null;
  #isOver = false;
  /** The first of the sites that were refused, by reason. */
  readonly firstRefused: FirstCauses = {};

  /** `onFailure`: the crawl has to end, for this reason. */
  constructor(setUp: RunSetUp, onFailure: (error: unknown) => void) {
    this.#setUp = setUp;
    this.#onFailure = onFailure;
  }

  /** Null before it is open, and in a crawl without one. */
  get coordinator(): Coordinator | null {
    return this.#coordinator;
  }

  /** It came to its end: nothing is assigned or saved any more. */
  get isOver(): boolean {
    return this.#isOver;
  }

  async open(): Promise<void> {
    if (this.#setUp.options.agents === 0) return;
    try {
      this.#coordinator = await this.#open();
    } catch (error) {
      this.#onFailure(error);
    }
  }

  /** To its end. */
  async run(): Promise<void> {
    const coordinator = this.#coordinator;
    try {
      if (coordinator !== null) await this.#setUp.world.drive(coordinator, this.#setUp.mesh.bell);
    } catch (error) {
      this.#onFailure(error);
    }
    try {
      coordinator?.close();
      this.#log?.close();
    } catch (error) {
      this.#onFailure(error);
    }
    this.#isOver = true;
  }

  async #open(): Promise<Coordinator> {
    const { activity, deaths, directory, mesh, options, plan, run, say, shared, start, stop } = this.#setUp;
    const { surroundings, web, world } = this.#setUp;
    if (options.log === 'on') this.#log = this.#openLog();
    return openCoordinator(start, options, plan, directory, {
      ...{ activity, mesh, say, stop },
      disk: world.disk,
      siteTable: new SiteTableWriter(shared.siteTable),
      checkpoints: this.#setUp.makesCheckpoints ? this.#checkpointParts() : null,
      saveMore: (files) =>
        run.save(files, {
          coordinatorLog: this.#log?.save() ?? 0,
          restarts: deaths.count,
          quarantined: deaths.quarantined,
        }),
      clock: world.clock,
      names: surroundings.names ?? (await siteNames(web, options, plan, world.clock)),
      onRefused: (url, from, to, reason) => {
        keepFirst(this.firstRefused, reason, url, from, to, '');
        this.#log?.siteGivenUp(url, from, to, reason);
      },
    });
  }

  #openLog(): CoordinatorLog {
    const { clockOrigin, directory, options, start, stop, world } = this.#setUp;
    const part = directory.crawlLogPart(options.agents, start);
    return new CoordinatorLog({
      world,
      log: new CrawlLog(world.disk, part, options.agents, clockOrigin),
      stop,
      onFailure: this.#onFailure,
    });
  }

  #checkpointParts(): CheckpointMakerParts {
    const { checkpoints, counters, directory, options, shared, start, world } = this.#setUp;
    return {
      generations: new Generations(world.disk, directory),
      board: checkpoints,
      rings: shared.mesh,
      clock: world.clock,
      interval: options['checkpoint-interval'],
      start,
      hasStored: options.store === 'none' ? null : () => total(counters, 'pages') > 0,
    };
  }
}
