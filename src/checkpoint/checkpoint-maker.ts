/** The coordinator's side of making checkpoints (`checkpoint-board.ts`): when, and step by step. */

import type { CheckpointBoard } from '../boards/checkpoint-board.js';
import type { StopConditions } from '../boards/stop-conditions.js';
import type { Clock } from '../model/clock.js';
import type { RecordVisitor } from '../model/record.js';
import { type MeshEnd, type MeshMemory, readHeads } from '../ring/mesh.js';
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
/** In case that a bell was missed. */
const SLEEP = 20;

export class CheckpointMaker {
  readonly #parts: CheckpointMakerParts;
  readonly #mesh: MeshEnd;
  readonly #stop: StopConditions;
  readonly #steps: CheckpointSteps;
  #generation: number;
  #nextAt: number;

  constructor(parts: CheckpointMakerParts, mesh: MeshEnd, stop: StopConditions, steps: CheckpointSteps) {
    this.#parts = parts;
    this.#mesh = mesh;
    this.#stop = stop;
    this.#steps = steps;
    this.#generation = parts.start;
    this.#nextAt = parts.clock() + parts.interval;
  }

  /** Milliseconds until the next checkpoint is due. One that is made while there is no room would fail. */
  get delay(): number {
    if (this.#stop.isShortOfRoom) return Number.POSITIVE_INFINITY;
    return Math.max(0, this.#nextAt - this.#parts.clock());
  }

  /**
   * Makes one; if an agent fails meanwhile, none is made, and the one before stands. Agents end with the one that is
   * said to be the last: one that was under way when a stop was asked for may have found some of them stopped already.
   */
  async make(isLast: boolean): Promise<void> {
    const { board, clock, generations, interval, rings } = this.#parts;
    const generation = ++this.#generation;
    const mesh = this.#mesh;
    const files = generations.begin(generation);
    const heads = new Int32Array(rings.rings.length);
    this.#steps.settle();
    board.request(generation, isLast);
    mesh.wakeAll();
    await this.#until(
      () => {
        mesh.deliver();
        mesh.receive(RECORDS_PER_TURN, this.#steps.keep);
        return board.isFlushed(generation) && mesh.waiting === 0 && readHeads(rings, heads);
      },
      () => mesh.hasMail || mesh.canDeliver,
    );
    if (this.#hasFailed) return;
    board.postDrained(generation);
    mesh.wakeAll();
    this.#steps.save(files);
    const isSaved = (): boolean => board.isSaved(generation);
    await this.#until(isSaved, isSaved);
    if (this.#hasFailed) return;
    generations.commit(generation);
    board.confirm(generation);
    this.#steps.confirm();
    mesh.wakeAll();
    this.#nextAt = clock() + interval;
  }

  get #hasFailed(): boolean {
    return this.#stop.outcome === 'failed';
  }

  /** Always lets the thread see to its events: an agent may have to be started again before the rest can follow. */
  async #until(isDone: () => boolean, hasWork: () => boolean): Promise<void> {
    while (!isDone() && !this.#hasFailed) {
      const why = await this.#mesh.bell.sleep(() => hasWork() || this.#hasFailed, SLEEP);
      if (why === 'work') await new Promise(setImmediate);
    }
  }
}
