/** What a checkpoint keeps of a crawl as a whole: the time it took so far, and which pages of an emulated web it visited. */
import type { CheckpointFiles } from '../checkpoint/checkpoint-files.js';
import { readRecordFile } from '../checkpoint/record-file.js';
import type { Disk } from '../model/disk.js';
import { loadJson, saveJson, saveRecords } from './agent-checkpoint.js';

export interface RunState {
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly peakRssBytes: number;
  /** The checkpoint that the run went on from: parts of logs and lists are named after it. */
  readonly start: number;
  /** Bytes of the coordinator's part of crawl.log. */
  readonly coordinatorLog: number;
}

export const NEW_RUN: RunState = { seconds: 0, cpuSeconds: 0, peakRssBytes: 0, start: 0, coordinatorLog: 0 };
const CHUNK_BYTES = 1 << 16;

export class RunCheckpoint {
  readonly #disk: Disk;
  readonly #visited: Uint8Array | null;
  #frozen: Uint8Array | null = null;
  readonly #start: number;
  readonly #before: RunState;
  readonly #startedAt = performance.now();
  readonly #cpuBefore = process.cpuUsage();

  /** `before` is what earlier runs took; `start` the checkpoint that this one goes on from. */
  constructor(disk: Disk, visited: SharedArrayBuffer | null, start: number, before: RunState) {
    this.#disk = disk;
    this.#visited = visited === null ? null : new Uint8Array(visited);
    this.#start = start;
    this.#before = before;
  }

  /** Over all runs. */
  get state(): RunState {
    const cpu = process.cpuUsage(this.#cpuBefore);
    return {
      seconds: this.#before.seconds + (performance.now() - this.#startedAt) / 1000,
      cpuSeconds: this.#before.cpuSeconds + (cpu.user + cpu.system) / 1e6,
      peakRssBytes: Math.max(this.#before.peakRssBytes, process.resourceUsage().maxRSS * 1024),
      start: this.#start,
      coordinatorLog: 0,
    };
  }

  /** Takes a copy of what agents change as soon as they go on. REQUIRES: no agent visits a page now. */
  freeze(): void {
    this.#frozen = this.#visited?.slice() ?? null;
  }

  /** REQUIRES: frozen. */
  save(files: CheckpointFiles, coordinatorLog: number): void {
    const visited = this.#frozen;
    this.#frozen = null;
    saveJson(this.#disk, files.run, { ...this.state, coordinatorLog });
    if (visited === null) return;
    saveRecords(this.#disk, files.visitedPages, (add) => {
      for (let at = 0; at < visited.length; at += CHUNK_BYTES) {
        add(visited, at, Math.min(visited.length, at + CHUNK_BYTES));
      }
    });
  }

  /** Brings the visited pages back. */
  restore(files: CheckpointFiles): void {
    const visited = this.#visited;
    if (visited === null) return;
    let at = 0;
    readRecordFile(this.#disk, files.visitedPages, (bytes, start, end) => {
      visited.set(bytes.subarray(start, end), at);
      at += end - start;
    });
  }
}

export const loadRunState = (disk: Disk, files: CheckpointFiles): RunState => loadJson(disk, files.run);
