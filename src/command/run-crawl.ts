/** Runs a crawl that was prepared or is gone on with, and brings its directory into order afterwards. */

import { writeFileSync } from 'node:fs';
import type { NeededFile } from '../checkpoint/needed-file.js';
import type { CrawlDirectory } from '../model/crawl-directory.js';
import { nodeDisk, replaceFile } from '../model/disk.js';
import { oneLine } from '../model/errors.js';
import { complain, print } from '../model/terminal.js';
import type { Web } from '../model/web.js';
import { type Progress, startProgress } from '../monitor/progress.js';
import type { CrawlOptions } from '../options/options.js';
import { CrawlRun } from '../run/crawl-run.js';
import { summarise } from '../run/crawl-summary.js';
import { pauseNames } from '../run/pause-names.js';
import type { Report } from '../run/report.js';
import { causeLines, whyNoPage } from './causes.js';
import { withAdvice } from './damage-advice.js';
import { endCrawl } from './end-crawl.js';
import { INTERRUPTED, type StopSignals } from './stop-signals.js';

const EXIT_CODES: Record<Report['outcome'], number> = {
  exhausted: 0,
  target: 0,
  duration: 0,
  bytes: 0,
  interrupted: INTERRUPTED,
  failed: 1,
};

/** Crawls that say themselves why there is no more. */
const UNFINISHED: ReadonlySet<string> = new Set(['interrupted', 'failed']);

/** `start` is the checkpoint to go on from, 0 to begin; `earlierParts` those of the runs before. Returns the exit code. */
export async function runCrawl(
  options: CrawlOptions,
  web: Web,
  directory: CrawlDirectory,
  signals: StopSignals,
  start: number,
  earlierParts: readonly NeededFile[] = [],
): Promise<number> {
  const run = new CrawlRun(options, web, directory, start, {
    earlierParts,
    say: complain,
  });
  const target = options['target-pages'];
  const known = web.truth?.pages ?? null;
  const expected = Number.isFinite(target) ? Math.min(target, known ?? target) : known;
  const kind = options.progress || (process.stderr.isTTY ? 'bar' : 'plain');
  const pauses = pauseNames(options);
  const progress = startProgress(kind, { counters: run.counters, expected, pauses, stream: process.stderr });
  signals.onFirst(() => run.requestStop('interrupted'));
  signals.onSecond(() => {
    progress.stop();
    process.exit(INTERRUPTED);
  });
  const report = await runToEnd(run, progress);
  const isSaved = saveReport(report, directory.report, (path, text) => replaceFile(nodeDisk, path, text));
  const isCopied = options.report === '' || saveReport(report, options.report, writeFileSync);
  // Without a report, nobody would know that the crawl is over.
  const isExhausted = isSaved && report.outcome === 'exhausted';
  const isResumable = !isExhausted && nodeDisk.exists(directory.current);
  const isOver = isExhausted || (!isResumable && isSaved && report.outcome !== 'failed');
  const isEmpty = start === 0 && report.pages === 0 && !UNFINISHED.has(report.outcome);
  const missing = endCrawl(nodeDisk, directory, { isOver, indexFailure: run.indexFailure });
  print(
    [
      summarise(report, directory.path, pauses),
      ...causeLines(report, directory.path, options.log === 'on'),
    ].join('\n'),
  );
  if (isResumable) print(`  drumline resume ${directory.path} goes on from here`);
  if (report.outcome === 'failed') complain(withAdvice(report.reason ?? ''));
  for (const line of missing) complain(line);
  if (isEmpty) complain(whyNoPage(report, options));
  return isSaved && isCopied && missing.length === 0 && !isEmpty ? EXIT_CODES[report.outcome] : 1;
}

async function runToEnd(run: CrawlRun, progress: Progress): Promise<Report> {
  try {
    return await run.run();
  } finally {
    progress.stop();
  }
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
