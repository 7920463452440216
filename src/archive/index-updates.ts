/**
 * When index.cdxj is brought up to date: after each checkpoint, as long as that takes little of the time. To sort some
 * lines into a file means to write all of it anew, so the larger the index is, the longer it takes; beyond a tenth of the
 * time, checkpoints are left out.
 */
import type { Clock } from '../model/clock.js';
import { oneLine } from '../model/errors.js';

export interface IndexUpdatesParts {
  /** Brings the index up to the last checkpoint, or, `isWhole`, to the end of its parts. */
  readonly update: (isWhole: boolean) => Promise<void>;
  /** The last checkpoint; 0 if there is none. */
  readonly checkpoint: () => number;
  readonly clock: Clock;
  readonly say: (message: string) => void;
}

/** What may pass until the next update, in the time that the last one took. */
const REST = 9;

export class IndexUpdates {
  readonly #parts: IndexUpdatesParts;
  /** The checkpoint that the index is up to, or will be. */
  #indexed = 0;
  #nextAt = Number.NEGATIVE_INFINITY;
  #underWay: Promise<void> | null = null;

  constructor(parts: IndexUpdatesParts) {
    this.#parts = parts;
  }

  /** To be called several times a second. */
  look(): void {
    const { checkpoint, clock } = this.#parts;
    if (this.#underWay !== null || clock() < this.#nextAt) return;
    const last = checkpoint();
    if (last === this.#indexed) return;
    this.#indexed = last;
    this.#underWay = this.#update();
  }

  /** Brings the index up to the last checkpoint, or to the end of its parts, whatever that takes. */
  async finish(isWhole: boolean): Promise<void> {
    await this.#underWay;
    await this.#parts.update(isWhole);
  }

  /** A crawl does not fail of its index: the next checkpoint has another try, the end one more, and `resume` the last. */
  async #update(): Promise<void> {
    const { clock, say, update } = this.#parts;
    const start = clock();
    try {
      await update(false);
    } catch (error) {
      say(`the index is not up to the last checkpoint: ${oneLine(error)}`);
    }
    this.#nextAt = clock() + REST * (clock() - start);
    this.#underWay = null;
  }
}
