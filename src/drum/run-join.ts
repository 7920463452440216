/** Finds sorted keys in a run. */
import type { BlockReader } from './block-reader.js';
import type { Run } from './run.js';
import type { SortedKeys } from './sorted-keys.js';

/**
 * Sets `found`, and the value, of every key that the run holds and that was not found before.
 *
 * Many keys to a block: the run is read from the block of the first key to that of the last, in windows. Few:
 * only blocks that can hold a key not found yet are read, one at a time, found by the index and, where memory holds only
 * a part of the index, by bisection between two of its entries.
 */
export function joinRun(run: Run, keys: SortedKeys, reader: BlockReader): void {
  const { high, low, count } = keys;
  const stride = run.index.stride;
  const lastEntry = run.entryOf(high[count - 1]!, low[count - 1]!, 0);
  if (lastEntry < 0) return;
  let entry = Math.max(0, run.entryOf(high[0]!, low[0]!, 0));
  const until = Math.min(run.blocks, (lastEntry + 1) * stride);
  const dense = 2 * count >= until - entry * stride;
  let at = 0;
  let next = entry * stride;
  while (at < count) {
    if (!dense && keys.found[at] === 1) {
      at++;
      continue;
    }
    entry = run.entryOf(high[at]!, low[at]!, entry);
    const entryEnd = Math.min(run.blocks, (entry + 1) * stride);
    next = Math.max(next, entry * stride);
    if (entry < 0 || next === entryEnd) {
      // In the gap after the block before: not in this run.
      entry = Math.max(0, entry);
      at++;
      continue;
    }
    if (dense) {
      reader.load(run, next, until);
    } else {
      next = bisect(run, reader, next, entryEnd, high[at]!, low[at]!);
      reader.load(run, next, next + 1);
    }
    at = matchBlock(reader, keys, at);
    next++;
  }
}

/** The last block of [from, end) that does not begin after the key, or `from`. */
function bisect(run: Run, reader: BlockReader, from: number, end: number, high: number, low: number): number {
  let least = from + 1;
  let most = end;
  while (least < most) {
    const middle = (least + most) >>> 1;
    reader.load(run, middle, middle + 1);
    const first = reader.high[0]!;
    if (first < high || (first === high && reader.words[reader.lowStart]! <= low)) least = middle + 1;
    else most = middle;
  }
  return least - 1;
}

/**
 * Matches keys from `from` on with the loaded block; returns the first key after the block's last. Which side
 * is ahead is as good as random, so it steps by arithmetic: a branch would be guessed wrong half the time.
 */
function matchBlock(reader: BlockReader, keys: SortedKeys, from: number): number {
  const { high, low, count } = keys;
  const blockHigh = reader.high;
  const words = reader.words;
  const lowStart = reader.lowStart;
  const blockCount = reader.count;
  let at = from;
  let i = 0;
  while (at < count && i < blockCount) {
    const blockKey = blockHigh[i]!;
    const key = high[at]!;
    // Without their last bits, the difference of the halves can't overflow.
    let behind = (blockKey >>> 1) - (key >>> 1);
    if (behind === 0) {
      behind = blockKey - key || words[lowStart + i]! - low[at]!;
      if (behind === 0) setFound(reader, i, keys, at);
      behind = behind < 0 ? -1 : 0;
    }
    behind >>>= 31;
    i += behind;
    at += 1 - behind;
  }
  return at;
}

function setFound(reader: BlockReader, i: number, keys: SortedKeys, at: number): void {
  if (keys.found[at] === 1) return;
  keys.found[at] = 1;
  const size = keys.valueBytes;
  const from = reader.valueStart + i * size;
  for (let j = 0; j < size; j++) keys.values[at * size + j] = reader.bytes[from + j]!;
}
