/** The coordinator's side of making checkpoints (`checkpoint-board.ts`): when, and step by step. */

import type { CheckpointBoard } from '../boards/checkpoint-board.js';
import type { StopConditions } from '../boards/stop-conditions.js';
import { assert } from '../model/assert.js';
import type { Clock } from '../model/clock.js';
import type { RecordVisitor } from '../model/record.js';
import { type MeshEnd, type MeshMemory, newHeads, readHeads } from '../ring/mesh.js';
import type { CheckpointFiles } from './checkpoint-files.js';
import type { Generations } from './generations.js';

export interface CheckpointMakerParts {
  readonly generations: Generations;
  readonly board: CheckpointBoard;
  readonly rings: MeshMemory;
  readonly clock: Clock;
  /** Milliseconds between the end of a checkpoint and the beginning of the next. */
  readonly interval: number;
  /** The checkpoint that the crawl goes on from, 0 if it begins. */
  readonly start: number;
  /** Was a page stored? The first checkpoint comes as soon as one was; null if none will be. */
  readonly hasStored: (() => boolean) | null;
}

/** What the coordinator itself has to do for a checkpoint. */
export interface CheckpointSteps {
  /** Answer what is pending, and send what comes of it. */
  readonly settle: () => void;
  /** Keep a record from a ring for later. */
  readonly keep: RecordVisitor;
  readonly save: (files: CheckpointFiles) => void;
  /** Nobody will go back to an earlier checkpoint. */
  readonly confirm: () => void;
}

const RECORDS_PER_TURN = 4096;
/** Until the first page is stored. */
const FIRST_PAGE_LOOK_MS = 50;

export class CheckpointMaker {
  readonly #parts: CheckpointMakerParts;
  readonly #mesh: MeshEnd;
  readonly #stop: StopConditions;
  readonly #steps: CheckpointSteps;
  #generation: number;
  #nextAt: number;
  #step: 'none' | 'draining' | 'saving' = 'none';
  #files: CheckpointFiles | null = null;
  readonly #heads: Int32Array;

  constructor(parts: CheckpointMakerParts, mesh: MeshEnd, stop: StopConditions, steps: CheckpointSteps) {
    this.#parts = parts;
    this.#mesh = mesh;
    this.#stop = stop;
    this.#steps = steps;
    this.#generation = parts.start;
    this.#heads = newHeads(parts.rings);
    this.#nextAt = parts.clock() + parts.interval;
  }

  /** Milliseconds until the next checkpoint is due. One that is made while there is no room would fail. */
  get delay(): number {
    if (this.#stop.isShortOfRoom) return Number.POSITIVE_INFINITY;
    const { clock, hasStored } = this.#parts;
    const delay = Math.max(0, this.#nextAt - clock());
    if (this.#generation > 0 || hasStored === null) return delay;
    return hasStored() ? 0 : Math.min(delay, FIRST_PAGE_LOOK_MS);
  }

  get isUnderWay(): boolean {
    return this.#step !== 'none';
  }

  /**
   * Begins one; if an agent fails meanwhile, none is made, and the one before stands. Agents end with the one that is
   * said to be the last: one that was under way when a stop was asked for may have found some of them stopped already.
   * REQUIRES: none is under way.
   */
  begin(isLast: boolean): void {
    assert(!this.isUnderWay, 'no checkpoint is under way when one begins');
    const { board, generations } = this.#parts;
    this.#files = generations.begin(++this.#generation);
    this.#steps.settle();
    board.request(this.#generation, isLast);
    this.#mesh.wakeAll();
    this.#step = 'draining';
  }

  /** Does what can be done now; true when it is whole, or given up. REQUIRES: one is under way. */
  goOn(): boolean {
    assert(this.isUnderWay, 'a checkpoint that goes on is under way');
    if (this.#step === 'draining' && !this.#hasFailed) this.#drain();
    if (this.#step === 'saving' && !this.#hasFailed) this.#commit();
    if (this.#hasFailed) this.#step = 'none';
    return this.#step === 'none';
  }

  /** Can more be done for the one that is under way? */
  hasWork(): boolean {
    if (this.#hasFailed) return true;
    return this.#step === 'saving'
      ? this.#parts.board.isSaved(this.#generation)
      : this.#mesh.hasMail || this.#mesh.canDeliver;
  }

  /** Empties the rings; then every thread can write what it has. */
  #drain(): void {
    const { board, rings } = this.#parts;
    this.#mesh.deliver();
    this.#mesh.receive(RECORDS_PER_TURN, this.#steps.keep);
    if (!board.isFlushed(this.#generation) || this.#mesh.waiting > 0 || !readHeads(rings, this.#heads))
      return;
    board.postDrained(this.#generation);
    this.#mesh.wakeAll();
    this.#steps.save(this.#files!);
    this.#step = 'saving';
  }

  #commit(): void {
    const { board, clock, generations, interval } = this.#parts;
    if (!board.isSaved(this.#generation)) return;
    generations.commit(this.#generation);
    board.confirm(this.#generation);
    this.#steps.confirm();
    this.#mesh.wakeAll();
    this.#nextAt = clock() + interval;
    this.#step = 'none';
  }

  get #hasFailed(): boolean {
    return this.#stop.outcome === 'failed';
  }
}
