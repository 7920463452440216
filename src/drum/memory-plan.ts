/**
 * Divides a DRUM's memory among what it keeps: the budget holds for all of it together. Every part but the
 * block buffers starts small and grows to its share, so a DRUM used for twenty keys costs a few kilobytes.
 *
 * | part | bytes | used for |
 * |---|---|---|
 * | pending log | 12 an operation, and their aux | operations in the order they came |
 * | scattered | 12 an operation | the same, by bucket, at a spill or a merge |
 * | bucket | 33 + value an entry of the fullest bucket | sorting a bucket and applying its operations |
 * | answers | 1 bit and the value, `maxPending` of them; 5 for `answersPerCall` | what to tell the dispatcher |
 * | piece table | 8 a bucket and spill | where a spilled bucket's pieces are |
 * | segment | `segmentBytes` | reading the spilled log back |
 * | recent keys | 16 + value a key, 24 to sort it | new keys since the last run was written |
 * | index | 8 an entry | first keys of the runs' blocks |
 * | windows | block buffers | reading, writing and compacting runs |
 */
import { BLOCK_BYTES } from './run-format.js';

export const MIN_MEMORY_BYTES = 64 * 1024;
export const MAX_RUNS = 16;
export const MAX_SPILLS = 32;

/** Of an operation, in the log and scattered. */
export const PENDING_BYTES = 24;

/** An operation's number shares a 32-bit word with its kind. */
const MAX_PENDING = 2 ** 30;
const MAX_LOG_PER_MEMORY = 16;
const MAX_KEYS_IN_MEMORY = 2 ** 26;

/** What is in memory of the operations not answered yet, at most. */
export interface PendingShare {
  readonly operations: number;
  /** A single longer aux is still taken, alone. */
  readonly auxBytes: number;
}

export interface MemoryPlan {
  /** Operations in memory before they are merged or spilled, and bytes of their aux, if that is short. */
  readonly pending: PendingShare;
  /** The number of buckets is 2 to this. */
  readonly bucketBits: number;
  /** Entries of one bucket, in memory and spilled; a full one forces a merge. */
  readonly bucketEntries: number;
  /** Operations in memory and spilled. */
  readonly maxPending: number;
  /** Bytes of the spilled log; more force a merge. */
  readonly maxLogBytes: number;
  /** Answers that the dispatcher gets in one call, at most. */
  readonly answersPerCall: number;
  /** Bytes of the pending log that are written and read back at a time. */
  readonly segmentBytes: number;
  readonly recentKeys: number;
  /** Entries of one run's index in memory. */
  readonly indexEntries: number;
  /** Blocks read ahead when a merge goes through a run, and written at a time. */
  readonly windowBlocks: number;
  /** Runs merged at a time by a compaction, and blocks read ahead for each. */
  readonly compactionRuns: number;
  readonly compactionBlocks: number;
}

export function planMemory(memoryBytes: number, valueBytes: number): MemoryPlan {
  const memory = Math.max(MIN_MEMORY_BYTES, memoryBytes);
  const windowBlocks = clamp(memory / 256 / BLOCK_BYTES, 1, 64);
  const compactionRuns = memory < 256 * 1024 ? 2 : memory < 2 ** 20 ? 4 : 8;
  const compactionBlocks = clamp(memory / 1024 / BLOCK_BYTES, 1, 32);
  // Beside its window, every reader holds a decoded block; the writer and a compaction hold three more.
  const blockBuffers = 2 * windowBlocks + compactionRuns * compactionBlocks + compactionRuns + 4;
  const auxBytes = Math.floor(memory / 8);
  const segmentBytes = Math.floor(memory / 32);
  const indexBytes = memory / 32;
  const recentBytes = memory / 24;
  const answersPerCall = clamp(memory / 1024, 64, 4096);
  const fixed = 5 * answersPerCall + ((8 * MAX_SPILLS) << LEAST_BUCKET_BITS) + blockBuffers * BLOCK_BYTES;
  const rest = memory - fixed - auxBytes - segmentBytes - indexBytes - recentBytes;

  const pendingFactor = valueBytes === 0 ? 16 : 4;
  const answerBytes = pendingFactor * (valueBytes + 1 / 8);
  const bucketBytes = (33 + valueBytes) / BUCKET_SHARE;
  const pieceBytes = (8 * MAX_SPILLS) / ENTRIES_PER_PIECE;
  const operations = clamp(
    rest / (PENDING_BYTES + answerBytes + bucketBytes + pieceBytes),
    16,
    MAX_KEYS_IN_MEMORY,
  );
  const bucketEntries = Math.ceil(operations / BUCKET_SHARE);
  return {
    pending: { operations, auxBytes },
    bucketBits: clamp(Math.log2(operations / ENTRIES_PER_PIECE), LEAST_BUCKET_BITS, 10),
    bucketEntries,
    maxPending: Math.min(pendingFactor * operations, MAX_PENDING),
    maxLogBytes: MAX_LOG_PER_MEMORY * memory,
    answersPerCall,
    segmentBytes,
    // A power of two, as the table doubles.
    recentKeys: 2 ** clamp(Math.log2(recentBytes / (40 + valueBytes)), 4, 24),
    indexEntries: Math.max(8, Math.floor(indexBytes / 8 / MAX_RUNS)),
    windowBlocks,
    compactionRuns,
    compactionBlocks,
  };
}

/** The same memory for operations whose aux has so many bytes, on average: the longer, the fewer operations. */
export function sharePending({ pending }: MemoryPlan, auxPerOperation: number): PendingShare {
  const bytes = PENDING_BYTES * pending.operations + pending.auxBytes;
  const operations = clamp(bytes / (PENDING_BYTES + auxPerOperation), 16, pending.operations);
  return { operations, auxBytes: bytes - PENDING_BYTES * operations };
}

/**
 * A bucket may hold this part of what memory holds: far more than its share of hashes, so that only keys
 * that are no hashes at all force a merge before its time.
 */
const BUCKET_SHARE = 6;
/** A bucket's part of a spill, at least: enough that reading it back is not all system calls. */
const ENTRIES_PER_PIECE = 128;
const LEAST_BUCKET_BITS = 3;

function clamp(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(most, Math.floor(value)));
}
