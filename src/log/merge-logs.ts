/**
 * Merges the parts of a log, each in the order of time, into one in the order of time. Of many parts some are merged into
 * temporary files first, so that a bounded number of files is open, with a buffer for each. The log takes its name when it
 * is whole. The parts stay, for a crawl that is resumed goes on with them: so merging again, after whatever happened,
 * gives what is right then.
 */
import type { CrawlDirectory } from '../model/crawl-directory.js';
import type { Disk } from '../model/disk.js';
import { LineFile } from '../model/line-file.js';
import { MergeHeap } from '../model/merge-heap.js';
import { LogLines } from './log-lines.js';

/** Sources read at a time. */
const MOST_OPEN = 64;
/** A line begins `{"time":"2030-01-31T...Z"`; the century does not matter, and without it the digits make a safe number. */
const TIME_START = '{"time":"20'.length;
const TIME_END = '{"time":"2030-01-31T00:00:00.000'.length;
const TIME_DIGITS = '300131000000000'.length;

/** The files that hold what was logged: the parts while there are any, for they are newer; else crawl.log. */
export function logFiles(disk: Disk, directory: CrawlDirectory): string[] {
  const parts = directory.crawlLogParts(disk.list(directory.path)).map(({ path }) => path);
  return parts.length > 0 || !disk.exists(directory.crawlLog) ? parts : [directory.crawlLog];
}

/** Times that a crawl which ends meanwhile may take the files away; it does so once. */
const MOST_TRIES = 3;

/** Reads what was logged, from files that a crawl may merge and remove meanwhile; null if there are none. */
export function readLog<T>(
  disk: Disk,
  directory: CrawlDirectory,
  read: (files: readonly string[]) => T,
): T | null {
  for (let tries = 1; ; tries++) {
    const files = logFiles(disk, directory);
    if (files.length === 0) return null;
    try {
      return read(files);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || tries === MOST_TRIES) throw error;
    }
  }
}

export function mergeLogs(disk: Disk, directory: CrawlDirectory): void {
  const merged = `${directory.crawlLog}.new`;
  removeRounds(disk, directory);
  try {
    mergeFiles(disk, mergeRounds(disk, directory), merged);
  } finally {
    removeRounds(disk, directory);
  }
  disk.rename(merged, directory.crawlLog);
  disk.syncDirectory(directory.path);
}

/** Of too many sources the first are merged, and that again, until what is left can be read at a time. */
function mergeRounds(disk: Disk, directory: CrawlDirectory): string[] {
  let sources = logFiles(disk, directory);
  for (let round = 0; sources.length > MOST_OPEN; round++) {
    const some = sources.slice(0, Math.min(MOST_OPEN, sources.length - MOST_OPEN + 1));
    const target = directory.crawlLogRound(round);
    mergeFiles(disk, some, target);
    sources = [...sources.slice(some.length), target];
  }
  return sources;
}

/** Also those that a crash left. */
function removeRounds(disk: Disk, directory: CrawlDirectory): void {
  for (const path of directory.crawlLogRounds(disk.list(directory.path))) disk.remove(path);
}

function mergeFiles(disk: Disk, paths: readonly string[], target: string): void {
  const sources: TimedLines[] = [];
  try {
    for (const path of paths) sources.push(new TimedLines(disk, path));
    const heap = new MergeHeap(
      sources.filter((source) => source.next()),
      (a, b) => a.time - b.time,
    );
    const out = new LineFile(disk, target);
    try {
      for (let first = heap.first; first !== undefined; first = heap.first) {
        out.add(first.lines.bytes, first.lines.start, first.lines.end);
        heap.settle(first.next());
      }
    } finally {
      out.close();
    }
  } finally {
    for (const { lines } of sources) lines.close();
  }
}

class TimedLines {
  readonly lines: LogLines;
  /** The time's digits as a number; only the order counts. A line without a time has that of the line before it. */
  time = 0;

  constructor(disk: Disk, path: string) {
    this.lines = new LogLines(disk, path);
  }

  next(): boolean {
    if (!this.lines.next()) return false;
    const { bytes, start, end } = this.lines;
    let time = 0;
    let digits = 0;
    for (let at = start + TIME_START; at < Math.min(end, start + TIME_END); at++) {
      const digit = bytes[at]! - 0x30;
      if (digit < 0 || digit > 9) continue;
      time = time * 10 + digit;
      digits++;
    }
    if (digits === TIME_DIGITS) this.time = time;
    return true;
  }
}
