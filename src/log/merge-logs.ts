/**
 * Merges the parts of a log, each in the order of time, into one in the order of time, a buffer a part in memory. The
 * log takes its name when it is whole. The parts stay, for a crawl that is resumed goes on with them: so merging again,
 * after whatever happened, gives what is right then.
 */
import { dirname } from 'node:path';
import type { CrawlDirectory } from '../model/crawl-directory.js';
import type { Disk } from '../model/disk.js';
import { LogLines } from './log-lines.js';

const BUFFER_BYTES = 1 << 16;
const LINE_FEED = 0x0a;
/** A line begins `{"time":"2030-01-31T...Z"`; the century does not matter, and without it the digits make a safe number. */
const TIME_START = '{"time":"20'.length;
const TIME_END = '{"time":"2030-01-31T00:00:00.000'.length;

/** The files that hold what was logged: the parts while there are any, for they are newer; else crawl.log. */
export function logFiles(disk: Disk, directory: CrawlDirectory): string[] {
  const parts = directory.crawlLogParts(disk.list(directory.path)).map(({ path }) => path);
  return parts.length > 0 || !disk.exists(directory.crawlLog) ? parts : [directory.crawlLog];
}

export function mergeLogs(disk: Disk, directory: CrawlDirectory): void {
  const merged = `${directory.crawlLog}.new`;
  const sources = logFiles(disk, directory).map((path) => new LogLines(disk, path));
  const target = disk.open(merged, 'create');
  try {
    const buffer = Buffer.allocUnsafeSlow(2 * BUFFER_BYTES);
    let used = 0;
    let written = 0;
    const flush = (): void => {
      target.write(buffer, 0, used, written);
      written += used;
      used = 0;
    };
    forEachByTime(sources, ({ bytes, start, end }) => {
      used += bytes.copy(buffer, used, start, end);
      buffer[used++] = LINE_FEED;
      if (used > BUFFER_BYTES) flush();
    });
    flush();
    target.sync();
  } finally {
    target.close();
    for (const source of sources) source.close();
  }
  disk.rename(merged, directory.crawlLog);
  disk.syncDirectory(dirname(merged));
}

function forEachByTime(sources: readonly LogLines[], take: (line: LogLines) => void): void {
  const left = sources.filter((source) => source.next());
  const times = left.map(lineTime);
  while (left.length > 0) {
    let first = 0;
    for (let i = 1; i < times.length; i++) if (times[i]! < times[first]!) first = i;
    const source = left[first]!;
    take(source);
    if (source.next()) {
      times[first] = lineTime(source);
    } else {
      left.splice(first, 1);
      times.splice(first, 1);
    }
  }
}

/** The time's digits as a number; only the order counts. */
function lineTime({ bytes, start, end }: LogLines): number {
  let time = 0;
  for (let at = start + TIME_START; at < Math.min(end, start + TIME_END); at++) {
    const digit = bytes[at]! - 0x30;
    if (digit >= 0 && digit <= 9) time = time * 10 + digit;
  }
  return time;
}
