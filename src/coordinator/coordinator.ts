/**
 * The coordinator (fc2l-udcbot, figure 4): takes the sites that agents report, finds the new ones with the SiteUrlDrum,
 * checks that they exist, assigns them, and makes the assignment known. It sees that the crawl is over. Pages never
 * come here.
 */

import type { ActivityBoard } from '../boards/activity-board.js';
import type { StopConditions } from '../boards/stop-conditions.js';
import type { CheckpointFiles } from '../checkpoint/checkpoint-files.js';
import { CheckpointMaker, type CheckpointMakerParts } from '../checkpoint/checkpoint-maker.js';
import { saveRecords } from '../checkpoint/record-file.js';
import { Drum, type DrumAnswers, type DrumStatistics, UNIQUE } from '../drum/drum.js';
import { DrumBatch, fullBatchBytes } from '../drum/drum-batch.js';
import { addStatistics, DRUM_STATISTICS } from '../drum/drum-statistics.js';
import type { Disk } from '../model/disk.js';
import { DrumlineError } from '../model/errors.js';
import { saveJson } from '../model/json-file.js';
import {
  PAGE_URL,
  recordSiteHigh,
  recordSiteLow,
  recordType,
  SITE_ADDRESS,
  SITE_URL,
} from '../model/record.js';
import { count, fields, named, type Shape, truth } from '../model/shape.js';
import { AGAIN, type Next, OVER, type TurnTaker } from '../model/turn.js';
import type { SeedRecords } from '../seeds/seed-records.js';
import type { SpillQueue } from '../spill/spill-queue.js';
import type { NameQuestions } from './name-questions.js';
import { type AssignedSites, SiteAssigner, type SiteAssignerParts } from './site-assigner.js';

export interface CoordinatorParts extends SiteAssignerParts {
  readonly disk: Disk;
  readonly siteUrlDrum: {
    readonly directory: string;
    readonly memoryBytes: number;
    readonly manifest?: string | undefined;
  };
  /** Unique sites that wait for the DNS check and an agent, and sites whose agents ask where they are now. */
  readonly questions: NameQuestions;
  readonly activity: ActivityBoard;
  readonly stop: StopConditions;
  readonly seeds: Pick<SeedRecords, 'next' | 'position'>;
  /** Records that were taken out of the rings for a checkpoint, to be looked at first. */
  readonly inbox: SpillQueue;
  /** Null if no checkpoints are made. */
  readonly checkpoints: CheckpointMakerParts | null;
  /** Saves what else belongs to a checkpoint. */
  readonly saveMore: (files: CheckpointFiles) => void;
}

/** What a checkpoint keeps of the coordinator beside its files of records. */
export interface CoordinatorState extends AssignedSites {
  readonly seedPosition: number;
  readonly isTableOverflown: boolean;
  readonly siteUrlDrum: DrumStatistics;
}

export const COORDINATOR_STATE: Shape<CoordinatorState> = fields({
  sites: count,
  refusedSites: named(count),
  assignment: count,
  seedPosition: count,
  isTableOverflown: truth,
  siteUrlDrum: DRUM_STATISTICS,
});

const RECORDS_PER_TURN = 4096;
const SEEDS_PER_TURN = 1024;
const SITES_PER_TURN = 1024;
/** Between two looks at a checkpoint under way, in case that a bell was missed. */
const CHECKPOINT_LOOK_MS = 20;

export class Coordinator implements TurnTaker {
  readonly #parts: CoordinatorParts;
  readonly #drum: Drum;
  readonly #batch = new DrumBatch();
  /** Bytes of a batch that is handed over. */
  readonly #fullBatch: number;
  readonly #assigner: SiteAssigner;
  #seedsLeft = true;
  #seedsAtOnce = SEEDS_PER_TURN;
  #isEnding = false;
  readonly #checkpoints: CheckpointMaker | null;
  #statisticsBefore: DrumStatistics | null = null;

  constructor(parts: CoordinatorParts) {
    this.#parts = parts;
    this.#assigner = new SiteAssigner(parts);
    const { memoryBytes } = parts.siteUrlDrum;
    this.#fullBatch = fullBatchBytes(memoryBytes);
    const options = {
      ...parts.siteUrlDrum,
      disk: parts.disk,
      memoryBytes: memoryBytes - 2 * this.#fullBatch,
    };
    this.#drum = Drum.open(options, (answers) => this.#onAnswers(answers));
    this.#checkpoints =
      parts.checkpoints === null
        ? null
        : new CheckpointMaker(parts.checkpoints, parts.mesh, parts.stop, {
            settle: () => this.#settle(),
            keep: (bytes, start, end) => parts.inbox.push(bytes, start, end),
            save: (files) => this.#save(files),
            confirm: () => this.#drum.confirm(),
          });
  }

  get statistics(): DrumStatistics {
    return addStatistics([this.#statisticsBefore, this.#drum.statistics]);
  }

  /** Sites assigned. */
  get sites(): number {
    return this.#assigner.sites;
  }

  /** By reason. */
  get refusedSites(): Readonly<Record<string, number>> {
    return this.#assigner.refusedSites;
  }

  /** REQUIRES: not running yet; the DRUM was opened from the same checkpoint, the list and the inbox were filled from it. */
  restore(state: CoordinatorState): void {
    this.#assigner.restore(state);
    this.#statisticsBefore = state.siteUrlDrum;
  }

  /** One go; OVER when the crawl is exhausted, or was stopped and saved, and every agent told. */
  turn(): Next {
    const { questions, stop } = this.#parts;
    const checkpoints = this.#checkpoints;
    if (checkpoints?.isUnderWay && !checkpoints.goOn()) return CHECKPOINT_LOOK_MS;
    if (stop.isRequested) return this.#end();
    if (checkpoints?.delay === 0) {
      checkpoints.begin(false);
      return AGAIN;
    }
    this.#coordinate();
    if (this.#mayGoOn()) return AGAIN;
    const { delay } = questions;
    if (!this.#isExhausted()) return Math.min(delay, checkpoints?.delay ?? delay);
    stop.request('exhausted');
    return AGAIN;
  }

  #end(): Next {
    const { mesh, stop } = this.#parts;
    if (!this.#isEnding) {
      this.#isEnding = true;
      mesh.wakeAll();
      if (stop.isResumable && this.#checkpoints !== null) {
        this.#checkpoints.begin(true);
        return AGAIN;
      }
    }
    return OVER;
  }

  /**
   * The last agent may have become idle after the look at the board and before the announcement of sleep, when its
   * ring of the bell had nobody to wake: so the look is part of what is asked once more before sleeping.
   */
  readonly hasWork = (): boolean => {
    if (this.#checkpoints?.isUnderWay) return this.#checkpoints.hasWork();
    return this.#mayGoOn() || this.#isExhausted();
  };

  /** Answers what is pending, and sends what comes of it. */
  #settle(): void {
    this.#checkBatch();
    if (this.#drum.pending > 0) this.#drum.flush();
  }

  #checkBatch(): void {
    if (this.#batch.count > 0) this.#drum.checkUpdate(this.#batch);
    this.#batch.clear();
  }

  #save(files: CheckpointFiles): void {
    const { disk, inbox, questions, saveMore, seeds, siteTable } = this.#parts;
    this.#drum.save(files.siteUrlDrum);
    // A host that is being looked up, or waits for that to be done again, is looked up again.
    saveRecords(disk, files.siteUrlList, (add) => questions.forEach(add));
    saveRecords(disk, files.inbox(this.#parts.agents), (add) => inbox.forEach(add));
    saveRecords(disk, files.siteTable, (add) => siteTable.forEachChunk(add));
    const state: CoordinatorState = {
      seedPosition: seeds.position,
      ...this.#assigner.state,
      isTableOverflown: siteTable.isOverflown,
      siteUrlDrum: this.statistics,
    };
    saveJson(disk, files.coordinator, COORDINATOR_STATE, state);
    saveMore(files);
  }

  #coordinate(): void {
    const { inbox, mesh } = this.#parts;
    while (inbox.take()) this.#onRecord(inbox.bytes, inbox.start, inbox.end);
    mesh.receive(RECORDS_PER_TURN, this.#onRecord);
    this.#readSeeds();
    this.#checkBatch();
    this.#flush();
    this.#assignSites();
    mesh.deliver();
  }

  /**
   * Agents may be waiting for these sites, so the DRUM fills its buffers only as long as more sites keep coming. Of the
   * seeds the first are enough to begin with, and ever more are taken at once.
   */
  #flush(): void {
    const { pending } = this.#drum;
    if (pending === 0 || this.#parts.mesh.hasMail) return;
    if (this.#seedsLeft && pending < this.#seedsAtOnce) return;
    if (this.#seedsLeft) this.#seedsAtOnce *= 2;
    this.#drum.flush();
  }

  readonly #onRecord = (bytes: Uint8Array, start: number, end: number): void => {
    const type = recordType(bytes, start);
    if (type === SITE_ADDRESS) {
      this.#parts.questions.add(bytes, start, end);
      return;
    }
    if (type !== SITE_URL) {
      throw new DrumlineError('BAD_RECORD', `record of type ${type} in a ring to the coordinator`);
    }
    this.#batch.add(recordSiteLow(bytes, start), recordSiteHigh(bytes, start), bytes, start, end);
    if (this.#batch.bytes >= this.#fullBatch) this.#checkBatch();
  };

  #readSeeds(): void {
    // What waits for the agents' rings is enough work; more seeds would only go to disk a second time.
    for (let i = 0; this.#seedsLeft && i < SEEDS_PER_TURN && this.#parts.mesh.waiting === 0; i++) {
      const record = this.#parts.seeds.next();
      if (record === null) this.#seedsLeft = false;
      else this.#batch.add(recordSiteLow(record, 0), recordSiteHigh(record, 0), record, 0, record.length);
    }
  }

  #onAnswers(answers: DrumAnswers): void {
    for (let i = 0; i < answers.count; i++) {
      const start = answers.auxStarts[i]!;
      const end = answers.auxEnds[i]!;
      if (answers.outcomes[i] === UNIQUE) this.#parts.questions.add(answers.aux, start, end);
      else if (recordType(answers.aux, start) === PAGE_URL)
        this.#assigner.forwardSeed(answers.aux, start, end);
    }
  }

  #assignSites(): void {
    const { questions } = this.#parts;
    questions.askSome(SITES_PER_TURN);
    questions.answer(this.#assigner.onAnswer);
    this.#assigner.announce();
  }

  #mayGoOn(): boolean {
    const { inbox, mesh, questions, stop } = this.#parts;
    return (
      stop.isRequested ||
      inbox.count > 0 ||
      questions.hasWork ||
      mesh.hasMail ||
      mesh.canDeliver ||
      (this.#seedsLeft && mesh.waiting === 0)
    );
  }

  #isIdle(): boolean {
    const { inbox, mesh, questions } = this.#parts;
    return (
      !this.#seedsLeft &&
      questions.count === 0 &&
      inbox.count === 0 &&
      this.#drum.pending === 0 &&
      mesh.waiting === 0
    );
  }

  #isExhausted(): boolean {
    const { activity } = this.#parts;
    return this.#isIdle() && activity.isExhausted();
  }

  close(): void {
    this.#parts.questions.close();
    this.#drum.close();
    this.#parts.inbox.close();
    this.#parts.mesh.close();
  }
}
