/**
 * The single-machine crawler, the paper's baseline (fc2l-udcbot, section 4.3.2): one DRUM for all pages, no coordinator
 * and no rings. A new site's root page goes through the same DRUM as every page.
 */

import type { CheckpointBoard } from '../boards/checkpoint-board.js';
import type { StopConditions } from '../boards/stop-conditions.js';
import type { CheckpointFiles } from '../checkpoint/checkpoint-files.js';
import type { Generations } from '../checkpoint/generations.js';
import type { RunCheckpoint } from '../checkpoint/run-checkpoint.js';
import type { Clock } from '../model/clock.js';
import type { AgentCounters } from '../model/counters.js';
import type { Disk } from '../model/disk.js';
import { loadJson, saveJson } from '../model/json-file.js';
import { RECORD_HEADER, recordSiteHigh, recordSiteLow } from '../model/record.js';
import { count, fields, type Shape } from '../model/shape.js';
import { AGAIN, type Next, OVER, type TurnTaker } from '../model/turn.js';
import type { SiteReporter } from '../route/site-reporter.js';
import type { SeedRecords } from '../seeds/seed-records.js';
import type { PageCrawler } from '../visit/page-crawler.js';
import type { AgentCheckpoint, AgentState } from './agent-checkpoint.js';

export interface SingleMachineParts {
  readonly disk: Disk;
  readonly crawler: PageCrawler;
  readonly stop: StopConditions;
  readonly counters: AgentCounters;
  readonly clock: Clock;
  readonly seeds: SeedRecords;
  /** Takes the sites that are found, and offers their root pages to the crawler. */
  readonly sites: SiteReporter;
  readonly checkpoint: AgentCheckpoint;
  readonly run: RunCheckpoint;
  readonly generations: Generations;
  /** Where others see which checkpoint is whole. */
  readonly board: CheckpointBoard;
  /** Milliseconds between checkpoints; Infinity for none. */
  readonly interval: number;
  /** The first checkpoint comes as soon as one was stored. */
  readonly storesPages: boolean;
  /** The checkpoint that the crawl goes on from, 0 if it begins. */
  readonly start: number;
}

/** What a checkpoint keeps of the machine beside what it keeps of an agent. */
interface MachineState {
  readonly seedPosition: number;
}

const MACHINE_STATE: Shape<MachineState> = fields({ seedPosition: count });

const SEEDS_PER_TURN = 64;

export class SingleMachine implements TurnTaker {
  readonly #parts: SingleMachineParts;
  #seedsLeft = true;
  #wasAsleep = false;
  #generation: number;
  #nextCheckpointAt: number;

  constructor(parts: SingleMachineParts) {
    this.#parts = parts;
    this.#generation = parts.start;
    this.#nextCheckpointAt = this.#parts.clock() + parts.interval;
  }

  /** REQUIRES: not running yet; frontier and DRUM were opened from the same checkpoint. */
  restore(files: CheckpointFiles, state: AgentState): void {
    const { checkpoint, disk, seeds } = this.#parts;
    const { seedPosition } = loadJson(disk, files.coordinator, MACHINE_STATE);
    checkpoint.restore(files, state);
    seeds.seek(seedPosition);
  }

  turn(): Next {
    const { counters, crawler, stop } = this.#parts;
    if (this.#wasAsleep) counters.lap('asleep');
    this.#wasAsleep = false;
    if (stop.isRequested) {
      if (stop.isResumable && Number.isFinite(this.#parts.interval)) this.#makeCheckpoint();
      return OVER;
    }
    if (this.#checkpointDelay() === 0) this.#makeCheckpoint();
    if (crawler.isStarving) this.#readSeeds();
    crawler.fetchSome();
    crawler.check();
    if (crawler.isIdle && !this.#seedsLeft) stop.request('exhausted');
    if (this.hasWork()) return AGAIN;
    this.#wasAsleep = true;
    return Math.min(crawler.delay, this.#checkpointDelay());
  }

  #makeCheckpoint(): void {
    const { board, checkpoint, counters, crawler, disk, generations, interval, run, seeds } = this.#parts;
    const files = generations.begin(++this.#generation);
    crawler.checker.flush();
    checkpoint.save(files);
    const state: MachineState = { seedPosition: seeds.position };
    saveJson(disk, files.coordinator, MACHINE_STATE, state);
    run.save(files, {});
    generations.commit(this.#generation);
    board.confirm(this.#generation);
    checkpoint.confirm();
    this.#nextCheckpointAt = this.#parts.clock() + interval;
    counters.lap('checkpoint');
  }

  readonly hasWork = (): boolean => {
    const { crawler, stop } = this.#parts;
    return (
      crawler.delay === 0 ||
      (this.#seedsLeft && crawler.isStarving) ||
      stop.isRequested ||
      this.#checkpointDelay() === 0
    );
  };

  /** One that is made while there is no room would fail. */
  #checkpointDelay(): number {
    if (this.#parts.stop.isShortOfRoom) return Number.POSITIVE_INFINITY;
    const { clock, counters, interval, storesPages } = this.#parts;
    const isFirst = this.#generation === 0 && storesPages && Number.isFinite(interval);
    if (isFirst && counters.get('pages') > 0) return 0;
    return Math.max(0, this.#nextCheckpointAt - clock());
  }

  #readSeeds(): void {
    const { crawler, sites } = this.#parts;
    for (let i = 0; this.#seedsLeft && i < SEEDS_PER_TURN; i++) {
      const record = this.#parts.seeds.next();
      if (record === null) this.#seedsLeft = false;
      else {
        sites.report(
          recordSiteLow(record, 0),
          recordSiteHigh(record, 0),
          record,
          RECORD_HEADER,
          record.length,
          0,
        );
        crawler.checker.offerRecord(record, 0, record.length);
      }
    }
  }

  close(): void {
    this.#parts.crawler.close();
  }
}
