/**
 * DRUM, the Disk Repository with Update Management of the IRLbot paper, which FC2L-UDCbot builds on: checks
 * and updates of 64-bit keys are collected, and a batch of them meets the sorted store in one pass.
 *
 * Where it departs from the paper: answers come in the order of the operations, not bucket by bucket, so a
 * breadth-first crawl stays breadth-first; the store is a few sorted runs, not one file per bucket that is
 * rewritten by every merge; a batch of few keys reads only the blocks that can hold them.
 *
 * `docs/drum.md` has the ideas and the costs, `docs/formats.md` the files.
 */
import { type Disk, nodeDisk } from '../model/disk.js';
import { DamagedFileError, DrumlineError } from '../model/errors.js';
import type { KeyPlaces } from '../model/key-hash.js';
import { AnswerDispatch } from './answer-dispatch.js';
import { BucketMerge } from './bucket-merge.js';
import type { DrumDispatcher, DrumStatistics } from './drum-answers.js';
import type { DrumBatch } from './drum-batch.js';
import { DrumFiles } from './drum-files.js';
import { KeyStore } from './key-store.js';
import { MAX_SPILLS, type MemoryPlan, planMemory } from './memory-plan.js';
import { CHECK, CHECK_UPDATE, type OperationKind, UPDATE } from './operation.js';
import { PendingBuckets } from './pending-buckets.js';
import { PendingLog } from './pending-log.js';
import { MAX_VALUE_BYTES } from './run-format.js';

export type { DrumAnswers, DrumDispatcher, DrumStatistics } from './drum-answers.js';
export { DUPLICATE, UNIQUE, UPDATED } from './drum-answers.js';

/**
 * A merge waits until the log has so many bytes for each stored key, so that its cost per operation stays
 * flat. Going past a stored key costs about as much as spilling so many bytes.
 */
const LOG_BYTES_PER_STORED_KEY = 4;

export interface DrumOptions {
  /** The Drum's own; made if it is not there. */
  readonly directory: string;
  /** For all that the Drum keeps in memory, 64 KB at least. A single aux longer than an eighth comes on top. */
  readonly memoryBytes: number;
  readonly valueBytes?: number;
  readonly disk?: Disk;
  /** A manifest written by `save`, to open instead of the last commit; an error if it is not there. */
  readonly manifest?: string | undefined;
  /** Of the table of new keys; a seed of its own if it is not given. */
  readonly hash?: KeyPlaces | undefined;
  /** A sign of life: called with each bucket of a merge, and with each call of the dispatcher. */
  readonly alive?: (() => void) | undefined;
}

export class Drum {
  /** Files that were not part of the last commit, removed by `open`. */
  readonly removed: readonly string[];
  readonly #dispatch: AnswerDispatch;
  readonly #valueBytes: number;
  readonly #plan: MemoryPlan;
  readonly #store: KeyStore;
  readonly #log: PendingLog;
  readonly #buckets: PendingBuckets;
  readonly #merge: BucketMerge;
  readonly #alive: () => void;
  readonly #statistics: DrumStatistics = { checks: 0, unique: 0, merges: 0, bytesRead: 0, bytesWritten: 0 };
  #spillBytesWritten = 0;
  /** While something runs, and for ever if it threw: memory and files may be halfway then. */
  #state: 'ready' | 'busy' | 'closed' = 'ready';

  /** Opens the last commit or the manifest given, or makes a new store. REQUIRES: no other Drum is open on the directory. */
  static open(options: DrumOptions, dispatcher: DrumDispatcher): Drum {
    return new Drum(options, dispatcher);
  }

  private constructor(options: DrumOptions, dispatcher: DrumDispatcher) {
    const { directory, memoryBytes, valueBytes = 0, disk = nodeDisk, hash } = options;
    if (!Number.isInteger(valueBytes) || valueBytes < 0 || valueBytes > MAX_VALUE_BYTES) {
      throw new DrumlineError('DRUM_VALUE_BYTES', `valueBytes ${valueBytes}: takes 0 to ${MAX_VALUE_BYTES}`);
    }
    const files = new DrumFiles(directory);
    if (options.manifest !== undefined && !disk.exists(options.manifest))
      throw new DamagedFileError(options.manifest, 0, 'it is gone');
    this.#valueBytes = valueBytes;
    this.#plan = planMemory(memoryBytes, valueBytes);
    this.#store = new KeyStore(disk, files, this.#plan, valueBytes, options.manifest ?? files.current, hash);
    this.#log = new PendingLog(disk, files.pendingLog, this.#plan, valueBytes);
    this.#buckets = new PendingBuckets(disk, files.pendingKeys, this.#plan);
    this.#merge = new BucketMerge(this.#plan, valueBytes);
    const { answersPerCall } = this.#plan;
    const alive = options.alive ?? ((): void => {});
    this.#alive = alive;
    const answer: DrumDispatcher = (answers) => {
      alive();
      dispatcher(answers);
    };
    this.#dispatch = new AnswerDispatch(answer, answersPerCall, valueBytes, this.#statistics);
    this.removed = this.#store.removed;
  }

  /** UNIQUE if the key is not stored, else DUPLICATE with its value. Stores nothing. */
  check(batch: DrumBatch): void {
    this.#guard(() => this.#take(batch, CHECK));
  }

  /** Stores the key and the value, in place of the value that was stored. UPDATED. */
  update(batch: DrumBatch): void {
    this.#guard(() => this.#take(batch, UPDATE));
  }

  /**
   * If the key is not stored: stores it with the value, UNIQUE. Else DUPLICATE with the stored value, which
   * stays as it was.
   */
  checkUpdate(batch: DrumBatch): void {
    this.#guard(() => this.#take(batch, CHECK_UPDATE));
  }

  /** Operations handed over and not answered yet. */
  get pending(): number {
    return this.#log.count;
  }

  /** Keys stored, an upper bound if keys were updated. */
  get keys(): number {
    return this.#store.keys;
  }

  /** Keys that are stored on disk, in any order, some of them perhaps more than once. */
  forEachKey(visit: (high: number, low: number) => void): void {
    this.#guard(() => this.#store.forEachKey(visit));
  }

  get statistics(): DrumStatistics {
    const statistics = this.#statistics;
    statistics.bytesRead = this.#store.bytesRead + this.#log.bytesRead + this.#buckets.bytesRead;
    statistics.bytesWritten = this.#store.bytesWritten + this.#spillBytesWritten;
    return statistics;
  }

  /** Answers all that is pending. */
  flush(): void {
    this.#guard(() => {
      if (this.#log.count > 0) this.#mergeAll();
    });
  }

  /** Makes the effect of all that was answered durable. What is pending is not part of it. */
  commit(): void {
    this.#guard(() => this.#store.commit());
  }

  /**
   * As `commit`, but under a manifest of its own at `path`: several DRUMs are saved, and become one checkpoint together
   * when whoever keeps the manifests says so, and then calls `confirm` on each.
   */
  save(path: string): void {
    this.#guard(() => this.#store.save(path));
  }

  /** Nobody will open a manifest older than the last one that was saved. */
  confirm(): void {
    this.#guard(() => this.#store.confirm());
  }

  /** Lets go of all files. What was not committed or saved is lost. */
  close(): void {
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    this.#log.close();
    this.#buckets.close();
    this.#store.close();
  }

  #guard(work: () => void): void {
    if (this.#state !== 'ready') {
      throw new DrumlineError(
        'DRUM_STATE',
        'the DRUM is closed, failed before, or was called by its dispatcher',
      );
    }
    this.#state = 'busy';
    work();
    this.#state = 'ready';
  }

  #take(batch: DrumBatch, kind: OperationKind): void {
    if (batch.valueBytes !== this.#valueBytes) {
      this.#state = 'ready';
      throw new DrumlineError(
        'DRUM_VALUE_BYTES',
        `a batch with values of ${batch.valueBytes} bytes for a DRUM of ${this.#valueBytes}`,
      );
    }
    let from = 0;
    for (;;) {
      const fitting = this.#log.fitting(batch, from);
      const to = this.#buckets.admit(batch.keys, from, fitting);
      this.#log.append(batch, from, to, kind);
      from = to;
      if (from === batch.count) return;
      const { auxPerOperation } = this.#log;
      if (to < fitting || this.#mergeIsDue()) this.#mergeAll();
      else this.#spill();
      if (to < fitting) continue;
      this.#log.shareMemory(auxPerOperation);
      this.#buckets.shrink(this.#log.limit);
    }
  }

  /** Asked when memory is full: is merging now cheaper for each operation than spilling and merging later? */
  #mergeIsDue(): boolean {
    return (
      this.#log.bytes >= LOG_BYTES_PER_STORED_KEY * this.#store.keys ||
      this.#log.count >= this.#plan.maxPending ||
      this.#buckets.spills === MAX_SPILLS ||
      this.#log.spilledBytes >= this.#plan.maxLogBytes
    );
  }

  #spill(): void {
    this.#spillBytesWritten += this.#buckets.spill(this.#log);
    this.#spillBytesWritten += this.#log.spill();
  }

  #mergeAll(): void {
    const log = this.#log;
    const prefixBits = this.#buckets.prepare(log);
    log.clearAnswers();
    this.#store.beginAdding(log.count);
    for (let bucket = 0; bucket < 1 << prefixBits; bucket++) {
      this.#alive();
      this.#merge.merge(this.#buckets, bucket, prefixBits, log, this.#store);
    }
    this.#store.endAdding();
    this.#buckets.clear();
    this.#statistics.merges++;
    log.answer(this.#dispatch);
  }
}
