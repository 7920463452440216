/**
 * Parts of crawl.log and pages.txt as a resumed crawl finds them: what stands behind the checkpoint is done again, so it is
 * marked in the log, and taken out of the list.
 */
import { relative } from 'node:path';
import { type NeededFile, NeededFiles } from '../checkpoint/needed-file.js';
import { markRepeated } from '../log/mark-repeated.js';
import type { CrawlDirectory, Part } from '../model/crawl-directory.js';
import { type Disk, sizeOf } from '../model/disk.js';

/**
 * `needed` is what the checkpoint `start` needs; none if the crawl begins again. Returns the parts of the runs before, which
 * will not change any more.
 */
export function settleParts(
  disk: Disk,
  directory: CrawlDirectory,
  start: number,
  needed: readonly NeededFile[],
): NeededFile[] {
  const kept = new Map(needed.map(({ path, bytes }) => [path, bytes]));
  const sums = new NeededFiles(disk, directory.path, needed);
  const earlier: NeededFile[] = [];
  const settle = (part: Part, undo: (disk: Disk, path: string, position: number) => void): void => {
    const position = kept.get(relative(directory.path, part.path)) ?? 0;
    if (sizeOf(disk, part.path) > position) undo(disk, part.path, position);
    // Those of the run that begins now are not settled for good.
    if (part.start < start) earlier.push(sums.whole(part.path));
  };
  const names = disk.list(directory.path);
  for (const part of directory.crawlLogParts(names)) settle(part, markRepeated);
  for (const part of directory.pageListParts(names)) settle(part, cut);
  return earlier;
}

function cut(disk: Disk, path: string, position: number): void {
  const file = disk.open(path, 'update');
  try {
    file.truncate(position);
    file.sync();
  } finally {
    file.close();
  }
}
