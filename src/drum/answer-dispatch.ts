/** Turns what a merge found out into answers for the dispatcher, some thousand at a time. */
import { type DrumDispatcher, type DrumStatistics, DUPLICATE, UNIQUE, UPDATED } from './drum-answers.js';
import { KIND_BITS, KIND_MASK, type Operations, UPDATE } from './operation.js';

/** By the number of the operation. */
export interface MergeResult {
  /** One bit each: the key was stored. */
  readonly duplicates: Uint32Array;
  readonly values: Uint8Array;
}

export class AnswerDispatch {
  readonly #dispatcher: DrumDispatcher;
  readonly #valueBytes: number;
  readonly #statistics: DrumStatistics;
  readonly #outcomes: Uint8Array;
  readonly #auxOffsets: Uint32Array;

  constructor(
    dispatcher: DrumDispatcher,
    answersPerCall: number,
    valueBytes: number,
    statistics: DrumStatistics,
  ) {
    this.#dispatcher = dispatcher;
    this.#valueBytes = valueBytes;
    this.#statistics = statistics;
    this.#outcomes = new Uint8Array(answersPerCall);
    this.#auxOffsets = new Uint32Array(answersPerCall + 1);
  }

  /** Answers operations, the first of which has the number `first`. */
  answer({ count, keys, heads, aux }: Operations, first: number, result: MergeResult): void {
    const size = this.#valueBytes;
    let auxStart = 0;
    for (let from = 0; from < count; from += this.#outcomes.length) {
      const n = Math.min(this.#outcomes.length, count - from);
      const auxEnd = auxStart + this.#fill(heads, from, n, first + from, result.duplicates);
      this.#dispatcher({
        count: n,
        outcomes: this.#outcomes,
        keys: keys.subarray(2 * from, 2 * (from + n)),
        values: result.values.subarray((first + from) * size, (first + from + n) * size),
        aux: aux.subarray(auxStart, auxEnd),
        auxStarts: this.#auxOffsets,
        auxEnds: this.#auxOffsets.subarray(1),
      });
      auxStart = auxEnd;
    }
  }

  /** Sets outcomes and offsets of operations `[from, from + n)`; returns the bytes of their aux. */
  #fill(heads: Uint32Array, from: number, n: number, first: number, duplicates: Uint32Array): number {
    const outcomes = this.#outcomes;
    const offsets = this.#auxOffsets;
    let offset = 0;
    let updated = 0;
    let unique = 0;
    for (let i = 0; i < n; i++) {
      const head = heads[from + i]!;
      const number = first + i;
      offset += head >>> KIND_BITS;
      offsets[i + 1] = offset;
      if ((head & KIND_MASK) === UPDATE) {
        outcomes[i] = UPDATED;
        updated++;
      } else if (((duplicates[number >>> 5]! >>> (number & 31)) & 1) === 0) {
        outcomes[i] = UNIQUE;
        unique++;
      } else {
        outcomes[i] = DUPLICATE;
      }
    }
    this.#statistics.checks += n - updated;
    this.#statistics.unique += unique;
    return offset;
  }
}
