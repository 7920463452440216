/**
 * The one ending of a crawl, however it came there: at its end, or by `resume` after one that died over it. Every step can
 * be done again after a crash:
 *
 * 1. The parts of crawl.log and pages.txt are joined, each into a new file that is durable before it takes its name.
 * 2. If the crawl is over, `work/joined` says, durably, that nothing but removing is left.
 * 3. The checkpoint goes, then the parts, and, when that is durable, `work` with the mark: some parts without others
 *    never pass for all there is.
 */
import { relative } from 'node:path';
import { CheckpointFiles } from '../checkpoint/checkpoint-files.js';
import { Generations } from '../checkpoint/generations.js';
import { readManifest } from '../checkpoint/manifest.js';
import { checkNeeded } from '../checkpoint/needed-file.js';
import { mergeLogs } from '../log/merge-logs.js';
import type { CrawlDirectory, Part } from '../model/crawl-directory.js';
import { type Disk, replaceFile } from '../model/disk.js';
import { oneLine } from '../model/errors.js';
import { withAdvice } from './damage-advice.js';
import { joinPageLists } from './join-page-lists.js';

export interface HowItEnded {
  /** Nobody will go on with it. */
  readonly isOver: boolean;
  /** Why the index of what was stored is not whole, or ''. */
  readonly indexFailure: string;
}

/** Returns what could not be made, a line each. What it would be made of stays. */
export function endCrawl(
  disk: Disk,
  directory: CrawlDirectory,
  { isOver, indexFailure }: HowItEnded,
): string[] {
  const missing = wasJoined(disk, directory) ? [] : joinParts(disk, directory);
  if (isOver && missing.length === 0) removeRemains(disk, directory, indexFailure !== '');
  return indexFailure === '' ? missing : [...missing, complaint(directory, directory.index, indexFailure)];
}

/** Did a crawl that is over come to removing what is left of it? */
export const wasJoined = (disk: Disk, { joined }: CrawlDirectory): boolean => disk.exists(joined);

function joinParts(disk: Disk, directory: CrawlDirectory): string[] {
  const { crawlLog, pageList, path } = directory;
  const names = disk.list(path);
  const missing: string[] = [];
  const join = (result: string, parts: readonly Part[], make: typeof joinPageLists): void => {
    if (parts.length === 0) return;
    try {
      checkParts(disk, directory, parts);
      make(disk, directory);
    } catch (error) {
      missing.push(complaint(directory, result, withAdvice(oneLine(error))));
    }
  };
  join(crawlLog, directory.crawlLogParts(names), mergeLogs);
  join(pageList, directory.pageListParts(names), joinPageLists);
  return missing;
}

/** As far as the last checkpoint knows them: those that were too large to be read before the crawl went on, too. */
function checkParts(disk: Disk, directory: CrawlDirectory, parts: readonly Part[]): void {
  const generation = new Generations(disk, directory).current();
  if (generation === 0) return;
  const paths = new Set(parts.map(({ path }) => relative(directory.path, path)));
  const needed = readManifest(disk, new CheckpointFiles(directory, generation));
  checkNeeded(
    disk,
    directory.path,
    needed.filter(({ path }) => paths.has(path)),
  );
}

/** All else is there: it can be made later. */
const complaint = ({ path }: CrawlDirectory, result: string, why: string): string =>
  `'${result}' was not made: ${why}; drumline resume ${path} makes it`;

/** A crawl that is over leaves its results only. */
function removeRemains(disk: Disk, directory: CrawlDirectory, keepsIndexParts: boolean): void {
  const { joined, path, work } = directory;
  disk.makeDirectory(work);
  disk.syncDirectory(path);
  replaceFile(disk, joined, 'crawl.log and pages.txt are whole\n');
  new Generations(disk, directory).removeAll();
  const names = disk.list(path);
  const parts = [...directory.crawlLogParts(names), ...directory.pageListParts(names)].map(
    (part) => part.path,
  );
  for (const part of [...parts, ...(keepsIndexParts ? [] : directory.indexParts(names))]) disk.remove(part);
  disk.syncDirectory(path);
  disk.remove(work);
}
