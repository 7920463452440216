/** What a Drum tells its dispatcher. */
export const UNIQUE = 0;
export const DUPLICATE = 1;
export const UPDATED = 2;

/** Some thousand answers at most, in the order the operations came. All views are valid during the call only. */
export interface DrumAnswers {
  readonly count: number;
  /** UNIQUE, DUPLICATE or UPDATED for answer i; longer than `count`. */
  readonly outcomes: Uint8Array;
  /** Low and high half of the key of answer i at 2i and 2i + 1. */
  readonly keys: Uint32Array;
  /**
   * The value of answer i at `i * valueBytes`: the one that is stored right after the operation, so for a
   * DUPLICATE the one that was stored before it. Without meaning where nothing is stored (`check`, UNIQUE).
   */
  readonly values: Uint8Array;
  /** The aux of answer i is `aux[auxStarts[i], auxEnds[i])`. */
  readonly aux: Uint8Array;
  readonly auxStarts: Uint32Array;
  readonly auxEnds: Uint32Array;
}

/** REQUIRES: does not call the Drum that it is called by, but for `statistics`. */
export type DrumDispatcher = (answers: DrumAnswers) => void;

export interface DrumStatistics {
  /** Answers to `check` and `checkUpdate`, and how many of them were UNIQUE. */
  checks: number;
  unique: number;
  merges: number;
  bytesRead: number;
  bytesWritten: number;
}
