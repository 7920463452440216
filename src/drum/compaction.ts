/**
 * Keeps the number of runs small. Runs stand in the order of their age; neighbours of similar size, four of
 * them, are merged into one, so a key is rewritten about once each time the store grows fourfold.
 */
import { BlockReader } from './block-reader.js';
import { MAX_RUNS, type MemoryPlan } from './memory-plan.js';
import type { Run } from './run.js';
import { BLOCK_BYTES } from './run-format.js';
import type { RunWriter } from './run-writer.js';

const SIMILAR_RUNS = 4;
const SIMILAR_SIZE = 2;

/** How many of the newest runs to merge; 0 for none. `sizes` are their keys, oldest first. */
export function runsToMerge(sizes: readonly number[], width: number): number {
  let total = 0;
  let count = 0;
  for (let i = sizes.length - 1; i >= 0; i--) {
    if (count > 0 && sizes[i]! > (SIMILAR_SIZE * total) / count) break;
    total += sizes[i]!;
    count++;
  }
  if (count >= Math.min(SIMILAR_RUNS, width)) return Math.min(count, width);
  return sizes.length > MAX_RUNS ? width : 0;
}

/** Merges `runs`, oldest first, into the writer; of equal keys the newest stays. Returns the bytes read. */
export function mergeRuns(
  runs: readonly Run[],
  writer: RunWriter,
  plan: MemoryPlan,
  valueBytes: number,
): number {
  const cursors = runs.map((run) => new Cursor(run, plan.compactionBlocks, valueBytes)).reverse();
  const capacity = Math.floor(BLOCK_BYTES / (8 + valueBytes));
  const high = new Uint32Array(capacity);
  const low = new Uint32Array(capacity);
  const values = new Uint8Array(capacity * valueBytes);
  let count = 0;
  for (;;) {
    const first = leastCursor(cursors);
    if (first === null) break;
    if (count === capacity) {
      writer.add(high, low, values, count);
      count = 0;
    }
    high[count] = first.high;
    low[count] = first.low;
    if (valueBytes !== 0) {
      first.copyValue(values, count * valueBytes);
      // An update leaves the older value in an older run.
      for (const cursor of cursors) {
        if (cursor !== first && !cursor.done && cursor.high === first.high && cursor.low === first.low) {
          cursor.advance();
        }
      }
    }
    first.advance();
    count++;
  }
  writer.add(high, low, values, count);
  return cursors.reduce((sum, cursor) => sum + cursor.bytesRead, 0);
}

/** The cursor with the least key, the newest of several; null at the end of all. */
function leastCursor(cursors: readonly Cursor[]): Cursor | null {
  let least: Cursor | null = null;
  for (let i = 0; i < cursors.length; i++) {
    const cursor = cursors[i]!;
    if (cursor.done) continue;
    if (
      least === null ||
      cursor.high < least.high ||
      (cursor.high === least.high && cursor.low < least.low)
    ) {
      least = cursor;
    }
  }
  return least;
}

/** Goes through a run from its first key to its last. */
class Cursor {
  high = 0;
  low = 0;
  done = false;
  readonly #run: Run;
  readonly #reader: BlockReader;
  readonly #valueBytes: number;
  #block = -1;
  #at = 0;

  constructor(run: Run, windowBlocks: number, valueBytes: number) {
    this.#run = run;
    this.#valueBytes = valueBytes;
    this.#reader = new BlockReader(windowBlocks, valueBytes);
    this.advance();
  }

  get bytesRead(): number {
    return this.#reader.bytesRead;
  }

  advance(): void {
    const reader = this.#reader;
    if (++this.#at >= reader.count) {
      if (++this.#block === this.#run.blocks) {
        this.done = true;
        return;
      }
      reader.load(this.#run, this.#block, this.#run.blocks);
      this.#at = 0;
    }
    this.high = reader.high[this.#at]!;
    this.low = reader.words[reader.lowStart + this.#at]!;
  }

  copyValue(into: Uint8Array, at: number): void {
    const from = this.#reader.valueStart + this.#at * this.#valueBytes;
    for (let j = 0; j < this.#valueBytes; j++) into[at + j] = this.#reader.bytes[from + j]!;
  }
}
