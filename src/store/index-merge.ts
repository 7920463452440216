/**
 * Sorts lines of the agents' parts into the index, by their bytes, in bounded memory: sorted runs go to temporary files,
 * which are merged with each other and, if it stays, the index as it is. The new one takes its name when it is whole.
 */
import { basename, dirname, join } from 'node:path';
import type { Disk } from '../model/disk.js';
import { FileAppender } from '../model/file-appender.js';
import { LineReader } from '../model/line-reader.js';
import { MergeHeap } from '../model/merge-heap.js';

/** Whole lines of an agent's part, `[start, end)` in bytes. */
export interface IndexPiece {
  readonly path: string;
  readonly start: number;
  readonly end: number;
}

/** Merged at a time, if memory allows; more are merged in rounds. */
const MOST_RUNS = 64;
const BUFFER_BYTES = 1 << 16;
/** Of a line in memory, beside its bytes. */
const LINE_OVERHEAD = 100;

/** `memory` is what lines and buffers may take, in bytes. With `isAddition`, the index keeps the lines that it has. */
export function mergeIndex(
  disk: Disk,
  pieces: readonly IndexPiece[],
  index: string,
  memory: number,
  isAddition: boolean,
): void {
  const fanIn = Math.max(2, Math.min(MOST_RUNS, Math.floor(memory / BUFFER_BYTES)));
  removeRuns(disk, index);
  let runs: string[] = [];
  let made = 0;
  const newRun = (): string => `${index}.run-${made++}`;
  const merge = (sources: readonly string[], isLast: boolean): string => {
    const target = newRun();
    mergeFiles(disk, sources, target, isLast);
    for (const path of sources) if (path !== index) disk.remove(path);
    return target;
  };
  try {
    for (const lines of sortedLines(disk, pieces, memory)) {
      const run = newRun();
      writeFile(disk, run, false, (out) => {
        for (const line of lines) out.add(line, 0, line.length);
      });
      runs.push(run);
    }
    // The index itself is read once, however many runs there are.
    const others = isAddition ? 1 : 0;
    while (runs.length + others > fanIn) runs = [...runs.slice(fanIn), merge(runs.slice(0, fanIn), false)];
    disk.rename(merge(isAddition ? [index, ...runs] : runs, true), index);
    disk.syncDirectory(dirname(index));
  } catch (error) {
    removeRuns(disk, index);
    throw error;
  }
}

/** Also those that a crash left. */
function removeRuns(disk: Disk, index: string): void {
  const prefix = `${basename(index)}.run-`;
  for (const name of disk.list(dirname(index))) {
    if (name.startsWith(prefix)) disk.remove(join(dirname(index), name));
  }
}

/** The lines of all pieces, in as many sorted batches as memory asks for. */
function* sortedLines(disk: Disk, pieces: readonly IndexPiece[], memory: number): Generator<Buffer[]> {
  let lines: Buffer[] = [];
  let bytes = 0;
  for (const { path, start, end } of pieces) {
    const reader = linesOf(disk, path, start, end);
    try {
      while (reader.next()) {
        const line = Buffer.from(reader.bytes.subarray(reader.start, reader.end + 1));
        lines.push(line);
        bytes += line.length + LINE_OVERHEAD;
        if (bytes < memory) continue;
        yield lines.sort(Buffer.compare);
        lines = [];
        bytes = 0;
      }
    } finally {
      reader.close();
    }
  }
  if (lines.length > 0) yield lines.sort(Buffer.compare);
}

function mergeFiles(disk: Disk, paths: readonly string[], target: string, isLast: boolean): void {
  const readers: LineReader[] = [];
  try {
    for (const path of paths) readers.push(linesOf(disk, path));
    writeFile(disk, target, isLast, (out) => {
      const heap = new MergeHeap(
        readers.filter((reader) => reader.next()),
        compare,
      );
      for (let first = heap.first; first !== undefined; first = heap.first) {
        out.add(first.bytes, first.start, first.end + 1);
        heap.settle(first.next());
      }
    });
  } finally {
    for (const reader of readers) reader.close();
  }
}

/** Of any length: an index may be edited by others. */
function linesOf(disk: Disk, path: string, start = 0, end = Number.POSITIVE_INFINITY): LineReader {
  const longestLine = Number.POSITIVE_INFINITY;
  return new LineReader(disk.open(path, 'read'), { start, end, longestLine, bufferBytes: BUFFER_BYTES });
}

/** With their line feeds. */
const compare = (a: LineReader, b: LineReader): number =>
  a.bytes.compare(b.bytes, b.start, b.end + 1, a.start, a.end + 1);

/** What lasts is synced; other files are gone before anybody would miss them. */
function writeFile(disk: Disk, path: string, lasts: boolean, write: (out: FileAppender) => void): void {
  const file = disk.open(path, 'create');
  try {
    const out = new FileAppender(file, 0, { mostBytes: BUFFER_BYTES });
    write(out);
    out.flush();
    if (lasts) file.sync();
  } finally {
    file.close();
  }
}
