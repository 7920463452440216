/**
 * Sorts the agents' parts of the index into one, by the bytes of the lines, in bounded memory: sorted runs go to
 * temporary files, which are merged. The index takes its name when it is whole.
 */
import { basename, dirname, join } from 'node:path';
import type { Disk, DiskFile } from '../model/disk.js';

const DEFAULT_MEMORY = 32 * 1024 * 1024;
/** Merged at a time; more are merged in rounds. */
const MOST_RUNS = 64;
const READ_BYTES = 1 << 16;
const LINE_FEED = 0x0a;

export function mergeIndex(
  disk: Disk,
  parts: readonly string[],
  index: string,
  memory = DEFAULT_MEMORY,
): void {
  removeRuns(disk, index);
  let runs: string[] = [];
  let made = 0;
  const newRun = (): string => `${index}.run-${made++}`;
  const merge = (sources: readonly string[], target: string): void => {
    mergeRuns(disk, sources, target);
    for (const path of sources) disk.remove(path);
  };
  try {
    makeRuns(disk, parts, memory, (lines) => {
      runs.push(newRun());
      writeLines(disk, runs.at(-1)!, lines);
    });
    while (runs.length > MOST_RUNS) {
      const target = newRun();
      merge(runs.slice(0, MOST_RUNS), target);
      runs = [...runs.slice(MOST_RUNS), target];
    }
    const whole = newRun();
    merge(runs, whole);
    disk.rename(whole, index);
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

/** Hands over the lines of all parts, sorted, in as many pieces as memory asks for. */
function makeRuns(
  disk: Disk,
  parts: readonly string[],
  memory: number,
  take: (lines: Buffer[]) => void,
): void {
  let lines: Buffer[] = [];
  let bytes = 0;
  const hand = (): void => {
    if (lines.length === 0) return;
    take(lines.sort(Buffer.compare));
    lines = [];
    bytes = 0;
  };
  for (const path of parts) {
    const source = new LineSource(disk, path);
    try {
      for (let line = source.next(); line !== null; line = source.next()) {
        lines.push(line);
        bytes += line.length + LINE_OVERHEAD;
        if (bytes >= memory) hand();
      }
    } finally {
      source.close();
    }
  }
  hand();
}

/** Of a line in memory, beside its bytes. */
const LINE_OVERHEAD = 100;

function mergeRuns(disk: Disk, paths: readonly string[], target: string): void {
  const sources: LineSource[] = [];
  try {
    for (const path of paths) sources.push(new LineSource(disk, path));
    writeLines(disk, target, linesInOrder(sources));
  } finally {
    for (const source of sources) source.close();
  }
}

function* linesInOrder(sources: readonly LineSource[]): Generator<Buffer> {
  const left: { source: LineSource; line: Buffer }[] = [];
  for (const source of sources) {
    const line = source.next();
    if (line !== null) left.push({ source, line });
  }
  while (left.length > 0) {
    let first = 0;
    for (let i = 1; i < left.length; i++) if (left[i]!.line.compare(left[first]!.line) < 0) first = i;
    const { source, line } = left[first]!;
    yield line;
    const next = source.next();
    if (next === null) left.splice(first, 1);
    else left[first] = { source, line: next };
  }
}

function writeLines(disk: Disk, path: string, lines: Iterable<Buffer>): void {
  const file = disk.open(path, 'create');
  try {
    let batch: Buffer[] = [];
    let bytes = 0;
    let written = 0;
    const flush = (): void => {
      file.write(Buffer.concat(batch), 0, bytes, written);
      written += bytes;
      batch = [];
      bytes = 0;
    };
    for (const line of lines) {
      batch.push(line);
      bytes += line.length;
      if (bytes >= READ_BYTES) flush();
    }
    flush();
    file.sync();
  } finally {
    file.close();
  }
}

/** Whole lines of a file with their line feeds; what a crash left of the last one is left out. */
class LineSource {
  readonly #file: DiskFile;
  #bytes = Buffer.alloc(0);
  #at = 0;
  #position = 0;

  constructor(disk: Disk, path: string) {
    this.#file = disk.open(path, 'read');
  }

  next(): Buffer | null {
    for (;;) {
      const end = this.#bytes.indexOf(LINE_FEED, this.#at);
      if (end >= 0) {
        const line = this.#bytes.subarray(this.#at, end + 1);
        this.#at = end + 1;
        return line;
      }
      const rest = this.#bytes.length - this.#at;
      // Lines that were handed out still point into the old bytes.
      const bytes = Buffer.allocUnsafeSlow(rest + READ_BYTES);
      this.#bytes.copy(bytes, 0, this.#at);
      const read = this.#file.read(bytes, rest, bytes.length, this.#position);
      if (read === 0) return null;
      this.#position += read;
      this.#bytes = bytes.subarray(0, rest + read);
      this.#at = 0;
    }
  }

  close(): void {
    this.#file.close();
  }
}
