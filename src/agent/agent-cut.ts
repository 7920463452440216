/**
 * An agent's side of a checkpoint (`checkpoint-board.ts`). The thread does nothing else meanwhile: a page that arrives
 * now is read afterwards, and its URL is still in the frontier.
 */

import type { ActivityPoster } from '../boards/activity-board.js';
import type { CheckpointPoster } from '../boards/checkpoint-board.js';
import type { StopConditions } from '../boards/stop-conditions.js';
import type { CheckpointFiles } from '../checkpoint/checkpoint-files.js';
import type { Journal } from '../checkpoint/journal.js';
import { assert } from '../model/assert.js';
import type { AgentCounters } from '../model/counters.js';
import type { SitePartition } from '../partition/site-partition.js';
import type { MeshEnd } from '../ring/mesh.js';
import type { PageCrawler } from '../visit/page-crawler.js';
import type { AgentCheckpoint } from './agent-checkpoint.js';

export interface AgentCutParts {
  readonly activity: ActivityPoster;
  readonly board: CheckpointPoster;
  readonly checkpoint: AgentCheckpoint;
  /** The coordinator's thread in the mesh. */
  readonly coordinator: number;
  readonly counters: AgentCounters;
  readonly crawler: PageCrawler;
  readonly files: (generation: number) => CheckpointFiles;
  readonly journal: Journal;
  readonly mesh: MeshEnd;
  readonly partition: SitePartition;
  /** The checkpoint that the crawl goes on from, 0 if it begins. */
  readonly start: number;
  readonly stop: StopConditions;
  /** Takes what is in the rings, to be looked at after the checkpoint. */
  readonly putAside: () => void;
}

export class AgentCut {
  readonly #parts: AgentCutParts;
  /** The checkpoint made last, and the last one that is whole. */
  #generation: number;
  #confirmed: number;
  #isUnderWay = false;

  constructor(parts: AgentCutParts) {
    this.#parts = parts;
    this.#generation = parts.start;
    this.#confirmed = parts.start;
  }

  get isUnderWay(): boolean {
    return this.#isUnderWay;
  }

  /** Is there something to begin, or to be told of? */
  get isCalled(): boolean {
    const { board } = this.#parts;
    return board.requested !== this.#generation || board.confirmed !== this.#confirmed;
  }

  /** Was the checkpoint made last the one that a crawl which is stopped ends with? */
  get isLast(): boolean {
    return this.#parts.board.isLast(this.#generation);
  }

  /** Does what is to be done for checkpoints now; false while one is under way. */
  goOn(): boolean {
    if (!this.#isUnderWay) this.#answerCalls();
    if (this.#isUnderWay) this.#takePart();
    return !this.#isUnderWay;
  }

  /** Can more be done for the one that is under way? */
  hasWork(): boolean {
    const { mesh } = this.#parts;
    return this.#isOver || mesh.hasMail || mesh.canDeliver;
  }

  #answerCalls(): void {
    const { activity, board, checkpoint, crawler, journal, partition } = this.#parts;
    // Before it is looked which one is whole: by then the one before the requested one is, and known to be.
    const { requested } = board;
    if (board.confirmed !== this.#confirmed) {
      this.#confirmed = board.confirmed;
      checkpoint.confirm();
      journal.confirm(this.#confirmed);
    }
    if (requested === this.#generation) return;
    this.#generation = requested;
    this.#isUnderWay = true;
    // It will take records.
    activity.postBusy();
    while (crawler.checker.pending + partition.pending > 0) {
      crawler.checker.flush();
      partition.flush();
    }
  }

  /** Everything was taken out of all rings, or will never be. */
  get #isOver(): boolean {
    const { board, stop } = this.#parts;
    return board.drained === this.#generation || stop.outcome === 'failed';
  }

  #takePart(): void {
    const { activity, board, coordinator, mesh, putAside } = this.#parts;
    if (this.#isOver) {
      this.#end();
      return;
    }
    activity.alive();
    mesh.deliver();
    putAside();
    board.postFlushed(this.#generation, mesh.waiting);
    mesh.wake(coordinator);
  }

  #end(): void {
    const { board, checkpoint, coordinator, counters, crawler, files, journal, mesh, partition, stop } =
      this.#parts;
    this.#isUnderWay = false;
    if (stop.outcome === 'failed') return;
    assert(crawler.checker.pending + partition.pending === 0, 'nothing is pending when an agent is saved');
    assert(mesh.waiting === 0, 'nothing waits to be sent when an agent is saved');
    checkpoint.save(files(this.#generation));
    journal.turn(this.#generation);
    board.postSaved(this.#generation);
    mesh.wake(coordinator);
    counters.lap('checkpoint');
  }
}
