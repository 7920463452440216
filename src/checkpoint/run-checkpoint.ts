/** What a checkpoint keeps of a crawl as a whole: the time it took so far, and what was learned about its agents. */

import type { Disk } from '../model/disk.js';
import { loadJson, saveJson } from '../model/json-file.js';
import type { CheckpointFiles } from './checkpoint-files.js';

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
  /** Keys of URLs whose pages kill the agent that reads them. */
  readonly quarantined: readonly string[];
}

export const NEW_RUN: RunState = {
  seconds: 0,
  cpuSeconds: 0,
  peakRssBytes: 0,
  start: 0,
  coordinatorLog: 0,
  restarts: 0,
  quarantined: [],
};

export class RunCheckpoint {
  readonly #disk: Disk;
  readonly #start: number;
  readonly #before: RunState;
  readonly #startedAt = performance.now();
  readonly #cpuBefore = process.cpuUsage();

  /** `before` is what earlier runs took; `start` the checkpoint that this one goes on from. */
  constructor(disk: Disk, start: number, before: RunState) {
    this.#disk = disk;
    this.#start = start;
    this.#before = before;
  }

  /** Over all runs. */
  get state(): RunState {
    const cpu = process.cpuUsage(this.#cpuBefore);
    return {
      ...this.#before,
      seconds: this.#before.seconds + (performance.now() - this.#startedAt) / 1000,
      cpuSeconds: this.#before.cpuSeconds + (cpu.user + cpu.system) / 1e6,
      peakRssBytes: Math.max(this.#before.peakRssBytes, process.resourceUsage().maxRSS * 1024),
      start: this.#start,
    };
  }

  save(
    files: CheckpointFiles,
    more: Partial<Pick<RunState, 'coordinatorLog' | 'restarts' | 'quarantined'>>,
  ): void {
    saveJson(this.#disk, files.run, { ...this.state, ...more });
  }
}

export const loadRunState = (disk: Disk, files: CheckpointFiles): RunState => loadJson(disk, files.run);
