/** What a checkpoint keeps of a crawl as a whole: the time it took so far, and what was learned about its agents. */

import { dirname } from 'node:path';
import type { CrawlDirectory } from '../model/crawl-directory.js';
import type { Disk } from '../model/disk.js';
import { loadJson, saveJson } from '../model/json-file.js';
import { count, fields, list, number, type Shape, text } from '../model/shape.js';
import type { MainWorld } from '../model/world.js';
import type { CheckpointFiles } from './checkpoint-files.js';
import { NEEDED_FILE, type NeededFile, NeededFiles } from './needed-file.js';

export interface RunState {
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly peakRssBytes: number;
  /** The checkpoint that the run went on from: parts of logs and lists are named after it. */
  readonly start: number;
  /** Bytes of the coordinator's part of crawl.log. */
  readonly coordinatorLog: number;
  /** How often an agent died and was started again. */
  readonly restarts: number;
  /** That the checkpoint needs of the crawl as a whole, outside of its directory; of a run, those of the runs before. */
  readonly files: readonly NeededFile[];
  /** Keys of URLs whose pages kill the agent that reads them. */
  readonly quarantined: readonly string[];
}

const RUN_STATE: Shape<RunState> = fields({
  seconds: number,
  cpuSeconds: number,
  peakRssBytes: count,
  start: count,
  coordinatorLog: count,
  restarts: count,
  files: list(NEEDED_FILE),
  quarantined: list(text),
});

export const NEW_RUN: RunState = {
  seconds: 0,
  cpuSeconds: 0,
  peakRssBytes: 0,
  start: 0,
  coordinatorLog: 0,
  restarts: 0,
  files: [],
  quarantined: [],
};

export class RunCheckpoint {
  readonly #disk: Disk;
  readonly #directory: CrawlDirectory;
  readonly #needed: NeededFiles;
  readonly #logPart: string;
  #isNamed = false;
  readonly #start: number;
  readonly #before: RunState;
  readonly #world: Pick<MainWorld, 'clock' | 'usage'>;
  readonly #startedAt: number;

  /**
   * `before` is what earlier runs took, and their parts; `start` the checkpoint that this one goes on from; `coordinator`
   * the number of its thread.
   */
  constructor(
    world: Pick<MainWorld, 'clock' | 'disk' | 'usage'>,
    directory: CrawlDirectory,
    start: number,
    coordinator: number,
    before: RunState,
  ) {
    this.#disk = world.disk;
    this.#world = world;
    this.#startedAt = world.clock();
    this.#directory = directory;
    this.#logPart = directory.crawlLogPart(coordinator, start);
    this.#needed = new NeededFiles(world.disk, directory.path);
    this.#start = start;
    this.#before = before;
  }

  /** Over all runs. */
  get state(): RunState {
    const { cpuSeconds, peakRssBytes } = this.#world.usage();
    return {
      ...this.#before,
      seconds: this.#before.seconds + (this.#world.clock() - this.#startedAt) / 1000,
      cpuSeconds: this.#before.cpuSeconds + cpuSeconds,
      peakRssBytes: Math.max(this.#before.peakRssBytes, peakRssBytes),
      start: this.#start,
    };
  }

  save(
    files: CheckpointFiles,
    more: Partial<Pick<RunState, 'coordinatorLog' | 'restarts' | 'quarantined'>>,
  ): void {
    this.#nameDirectories();
    const state = { ...this.state, ...more, files: this.#filesWith(more.coordinatorLog) };
    saveJson(this.#disk, files.run, RUN_STATE, state);
  }

  /** Makes the names of the directories durable that checkpoints have files in; their agents see to what is in theirs. */
  #nameDirectories(): void {
    if (this.#isNamed) return;
    const { siteUrlDrum, work } = this.#directory;
    for (const directory of [work, dirname(siteUrlDrum)])
      if (this.#disk.exists(directory)) this.#disk.syncDirectory(directory);
    this.#isNamed = true;
  }

  #filesWith(coordinatorLog = 0): NeededFile[] {
    const { seeds } = this.#directory;
    const files = [...this.#before.files];
    // More may be added by whoever goes on.
    if (this.#disk.exists(seeds)) files.push(this.#needed.begins(seeds, Number.POSITIVE_INFINITY));
    if (coordinatorLog > 0) files.push(this.#needed.begins(this.#logPart, coordinatorLog));
    return files;
  }
}

export const loadRunState = (disk: Disk, files: CheckpointFiles): RunState =>
  loadJson(disk, files.run, RUN_STATE);
