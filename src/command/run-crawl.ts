/** Runs a crawl that was prepared or is gone on with, and brings its directory into order afterwards. */

import { createReadStream, createWriteStream, renameSync, rmSync, writeFileSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { Generations } from '../checkpoint/generations.js';
import { mergeLogs } from '../log/merge-logs.js';
import type { CrawlDirectory } from '../model/crawl-directory.js';
import { nodeDisk, replaceFile } from '../model/disk.js';
import { oneLine } from '../model/errors.js';
import type { CrawlOptions } from '../model/options.js';
import { complain, print } from '../model/terminal.js';
import type { Web } from '../model/web.js';
import { type Progress, startProgress } from '../monitor/progress.js';
import { CrawlRun } from '../workers/crawl-run.js';
import { summarise } from '../workers/crawl-summary.js';
import type { Report } from '../workers/report.js';
import { INTERRUPTED, type StopSignals } from './stop-signals.js';

const EXIT_CODES: Record<Report['outcome'], number> = {
  exhausted: 0,
  target: 0,
  duration: 0,
  bytes: 0,
  interrupted: INTERRUPTED,
  failed: 1,
};

/** `start` is the checkpoint to go on from, 0 to begin. Returns the exit code. */
export async function runCrawl(
  options: CrawlOptions,
  web: Web,
  directory: CrawlDirectory,
  signals: StopSignals,
  start: number,
): Promise<number> {
  const run = new CrawlRun(options, web, directory, start, {
    say: complain,
  });
  const target = options['target-pages'];
  const known = web.truth?.pages ?? null;
  const expected = Number.isFinite(target) ? Math.min(target, known ?? target) : known;
  const kind = options.progress || (process.stderr.isTTY ? 'bar' : 'plain');
  const progress = startProgress(kind, { counters: run.counters, expected, stream: process.stderr });
  signals.onFirst(() => run.requestStop('interrupted'));
  signals.onSecond(() => {
    progress.stop();
    process.exit(INTERRUPTED);
  });
  const report = await runToEnd(run, progress);
  const isSaved = saveReport(report, directory.report, (path, text) => replaceFile(nodeDisk, path, text));
  const isCopied = options.report === '' || saveReport(report, options.report, writeFileSync);
  if (options.log === 'on') mergeLogs(nodeDisk, directory);
  await joinPageLists(directory);
  // Without a report, nobody would know that the crawl is over.
  const isOver = isSaved && report.outcome === 'exhausted';
  const isResumable = !isOver && nodeDisk.exists(directory.current);
  if (isOver || (!isResumable && isSaved && report.outcome !== 'failed'))
    removeRemains(directory, run.indexFailure !== '');
  print(summarise(report, directory.path));
  if (isResumable) print(`  drumline resume ${directory.path} goes on from here`);
  if (report.outcome === 'failed') complain(report.reason ?? '');
  if (run.indexFailure !== '') complain(indexComplaint(directory, run.indexFailure));
  return isSaved && isCopied && run.indexFailure === '' ? EXIT_CODES[report.outcome] : 1;
}

/** All else is there: the index can be made later. */
const indexComplaint = ({ index, path }: CrawlDirectory, why: string): string =>
  `'${index}' was not made: ${why}; drumline resume ${path} makes it`;

async function runToEnd(run: CrawlRun, progress: Progress): Promise<Report> {
  try {
    return await run.run();
  } finally {
    progress.stop();
  }
}

/** Makes pages.txt of its parts. They stay, as those of the log do. */
async function joinPageLists(directory: CrawlDirectory): Promise<void> {
  const parts = directory.pageListParts(nodeDisk.list(directory.path));
  if (parts.length === 0) return;
  const joined = `${directory.pageList}.new`;
  rmSync(joined, { force: true });
  for (const { path } of parts)
    await pipeline(createReadStream(path), createWriteStream(joined, { flags: 'a' }));
  renameSync(joined, directory.pageList);
}

/**
 * A crawl that is over leaves its results only. The checkpoint goes first: without it nobody looks for the rest. What the
 * index is made of stays if there is no whole one.
 */
export function removeRemains(directory: CrawlDirectory, keepsIndexParts: boolean): void {
  new Generations(nodeDisk, directory).removeAll();
  rmSync(directory.work, { recursive: true, force: true });
  const names = nodeDisk.list(directory.path);
  for (const { path } of [...directory.crawlLogParts(names), ...directory.pageListParts(names)])
    rmSync(path, { force: true });
  if (keepsIndexParts) return;
  for (const path of directory.indexParts(names)) rmSync(path, { force: true });
}

function saveReport(report: Report, path: string, write: (path: string, text: string) => void): boolean {
  try {
    write(path, `${JSON.stringify(report, null, 2)}\n`);
    return true;
  } catch (error) {
    complain(`the report was not written to '${path}': ${oneLine(error)}`);
    return false;
  }
}
