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
import { addStatistics } from '../drum/drum-statistics.js';
import type { Disk } from '../model/disk.js';
import { DrumlineError } from '../model/errors.js';
import { saveJson } from '../model/json-file.js';
import {
  MAX_RECORD,
  PAGE_URL,
  RECORD_HEADER,
  recordAsker,
  recordDepth,
  recordKeyHigh,
  recordKeyLow,
  recordSiteHigh,
  recordSiteLow,
  recordType,
  recordUrlEnd,
  SITE_ADDRESS,
  SITE_OWNER,
  SITE_URL,
  SITE_VISIT,
  setDepths,
  setOwner,
  writeAddress,
  writeHeader,
} from '../model/record.js';
import { writeRootRecord } from '../model/root-record.js';
import { AGAIN, type Next, OVER, type TurnTaker } from '../model/turn.js';
import type { Assignment } from '../partition/assignment.js';
import { NOBODY, type SiteTableWriter, UNKNOWN } from '../partition/site-table.js';
import type { MeshEnd } from '../ring/mesh.js';
import type { SpillQueue } from '../spill/spill-queue.js';
import { writeAddressAnswer } from '../visit/address-asker.js';
import type { NameQuestions } from './name-questions.js';

export interface CoordinatorParts {
  readonly disk: Disk;
  readonly agents: number;
  readonly mesh: MeshEnd;
  readonly siteTable: SiteTableWriter;
  readonly siteUrlDrum: {
    readonly directory: string;
    readonly memoryBytes: number;
    readonly manifest?: string | undefined;
  };
  /** Unique sites that wait for the DNS check and an agent, and sites whose agents ask where they are now. */
  readonly questions: NameQuestions;
  readonly assignment: Assignment;
  readonly activity: ActivityBoard;
  readonly stop: StopConditions;
  readonly seeds: SeedSource;
  /** Records that were taken out of the rings for a checkpoint, to be looked at first. */
  readonly inbox: SpillQueue;
  /** Null if no checkpoints are made. */
  readonly checkpoints: CheckpointMakerParts | null;
  /** Saves what else belongs to a checkpoint. */
  readonly saveMore: (files: CheckpointFiles) => void;
  /** A site was refused; `url[start, end)` is its root page, or another page of it. */
  readonly onRefused: (url: Uint8Array, start: number, end: number, reason: string) => void;
}

export interface SeedSource {
  /** The next seed's PAGE_URL record, valid until the next call; null when there are no more. */
  readonly next: () => Uint8Array | null;
  /** Where the next one stands in the file. */
  readonly position: number;
}

/** What a checkpoint keeps of the coordinator beside its files of records. */
export interface CoordinatorState {
  readonly seedPosition: number;
  readonly sites: number;
  readonly refusedSites: Readonly<Record<string, number>>;
  readonly assignment: number;
  readonly isTableOverflown: boolean;
  readonly siteUrlDrum: DrumStatistics;
}

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
  readonly #record = new Uint8Array(MAX_RECORD + 1);
  readonly #key = new Uint32Array(2);
  #seedsLeft = true;
  #seedsAtOnce = SEEDS_PER_TURN;
  #nextAgent = 0;
  #isEnding = false;
  /** Sites that got an owner since the agents were last told. */
  #newOwners = 0;
  readonly #checkpoints: CheckpointMaker | null;
  #statisticsBefore: DrumStatistics | null = null;
  /** Sites assigned, and sites refused by reason. */
  sites = 0;
  readonly refusedSites: Record<string, number> = {};

  constructor(parts: CoordinatorParts) {
    this.#parts = parts;
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

  /** REQUIRES: not running yet; the DRUM was opened from the same checkpoint, the list and the inbox were filled from it. */
  restore(state: CoordinatorState): void {
    this.sites = state.sites;
    Object.assign(this.refusedSites, state.refusedSites);
    this.#parts.assignment.restore(state.assignment);
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
    const { assignment, disk, inbox, questions, saveMore, seeds, siteTable } = this.#parts;
    this.#drum.save(files.siteUrlDrum);
    // A host that is being looked up, or waits for that to be done again, is looked up again.
    saveRecords(disk, files.siteUrlList, (add) => questions.forEach(add));
    saveRecords(disk, files.inbox(this.#parts.agents), (add) => inbox.forEach(add));
    saveRecords(disk, files.siteTable, (add) => siteTable.forEachChunk(add));
    const state: CoordinatorState = {
      seedPosition: seeds.position,
      sites: this.sites,
      refusedSites: this.refusedSites,
      assignment: assignment.state,
      isTableOverflown: siteTable.isOverflown,
      siteUrlDrum: this.statistics,
    };
    saveJson(disk, files.coordinator, state);
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
      else if (recordType(answers.aux, start) === PAGE_URL) this.#forwardSeed(answers.aux, start, end);
    }
  }

  #assignSites(): void {
    const { mesh, questions, siteTable } = this.#parts;
    questions.askSome(SITES_PER_TURN);
    questions.answer((record, address, failure) => {
      if (recordType(record, 0) === SITE_ADDRESS) {
        const end = writeAddressAnswer(this.#record, record, address, failure);
        mesh.send(recordAsker(record, 0), this.#record, 0, end);
        return;
      }
      if (failure === '') this.#assign(record, address);
      else this.#refuse(record, failure);
      this.#newOwners++;
    });
    if (this.#newOwners === 0) return;
    this.#newOwners = 0;
    siteTable.announce();
    mesh.wakeAll();
  }

  /** REQUIRES: a SITE_URL record or a seed's PAGE_URL record, the first of its site. */
  #assign(record: Uint8Array, address: string): void {
    const { assignment, mesh } = this.#parts;
    const siteLow = recordSiteLow(record, 0);
    const siteHigh = recordSiteHigh(record, 0);
    const owner = assignment.assign(siteLow, siteHigh);
    this.#publish(siteLow, siteHigh, owner);
    this.sites++;
    const urlEnd = recordUrlEnd(record, 0, record.length);
    const visit = this.#record;
    const rootEnd = writeRootRecord(
      visit,
      SITE_VISIT,
      siteLow,
      siteHigh,
      record,
      RECORD_HEADER,
      urlEnd,
      this.#key,
    );
    const isSeed = recordType(record, 0) === PAGE_URL;
    const isRoot = recordKeyLow(record, 0) === this.#key[0] && recordKeyHigh(record, 0) === this.#key[1];
    // A seed's own root page is a seed; that of another page's site is a hop away from it.
    setDepths(visit, 0, isSeed ? (isRoot ? 0 : 1) : recordDepth(record, 0), 0);
    mesh.send(owner, visit, 0, writeAddress(visit, 0, rootEnd, address));
    if (isSeed && !isRoot) mesh.send(owner, record, 0, record.length);
  }

  #refuse(record: Uint8Array, reason: string): void {
    this.#publish(recordSiteLow(record, 0), recordSiteHigh(record, 0), NOBODY);
    this.refusedSites[reason] = (this.refusedSites[reason] ?? 0) + 1;
    this.#parts.onRefused(record, RECORD_HEADER, recordUrlEnd(record, 0, record.length), reason);
  }

  /** In the table where every agent sees it, or by a record to each if the table is full. */
  #publish(siteLow: number, siteHigh: number, owner: number): void {
    const { agents, mesh, siteTable } = this.#parts;
    if (siteTable.tryPublish(siteLow, siteHigh, owner)) return;
    writeHeader(this.#record, 0, SITE_OWNER, siteLow, siteHigh, 0, 0);
    setOwner(this.#record, 0, owner);
    for (let agent = 0; agent < agents; agent++) mesh.send(agent, this.#record, 0, RECORD_HEADER);
  }

  /** A seed of a site that is known already: to its agent, or to any agent, which finds out. */
  #forwardSeed(bytes: Uint8Array, start: number, end: number): void {
    const { agents, mesh, siteTable } = this.#parts;
    const owner = siteTable.ownerOf(recordSiteLow(bytes, start), recordSiteHigh(bytes, start));
    if (owner === NOBODY) {
      this.#parts.onRefused(bytes, start + RECORD_HEADER, recordUrlEnd(bytes, start, end), 'SITE_REFUSED');
      return;
    }
    if (owner === UNKNOWN) this.#nextAgent = (this.#nextAgent + 1) % agents;
    mesh.send(owner === UNKNOWN ? this.#nextAgent : owner, bytes, start, end);
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
