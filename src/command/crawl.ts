/** `drumline crawl`: checks the options, prepares the crawl directory and the seeds, runs, reports. */
import {
  appendFileSync,
  createReadStream,
  createWriteStream,
  existsSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { mergeLogs } from '../log/merge-logs.js';
import type { CrawlDirectory } from '../model/crawl-directory.js';
import { nodeDisk } from '../model/disk.js';
import { oneLine, UsageError } from '../model/errors.js';
import { type CrawlOptions, readCrawlOptions } from '../model/options.js';
import { formatCount } from '../model/quantity.js';
import { version } from '../model/version.js';
import type { Web } from '../model/web.js';
import { type Progress, startProgress } from '../monitor/progress.js';
import { readSeed, readSeeds } from '../seeds/read-seeds.js';
import { SeedFileWriter } from '../seeds/seed-file.js';
import { mergeIndex } from '../store/index-merge.js';
import { openCrawlWeb } from '../web/open-web.js';
import { CrawlRun } from '../workers/crawl-run.js';
import { summarise } from '../workers/crawl-summary.js';
import { httpOptions } from '../workers/http-options.js';
import type { Report } from '../workers/report.js';
import type { GivenOptions } from './arguments.js';
import { type ClaimedDirectory, claimDirectory } from './claim-directory.js';
import { StopSignals } from './stop-signals.js';

/** Bad lines are named up to here, then counted. */
const NAMED_BAD_LINES = 20;
const EXIT_CODES: Record<Report['outcome'], number> = {
  exhausted: 0,
  target: 0,
  duration: 0,
  bytes: 0,
  interrupted: 130,
  failed: 1,
};

export async function crawlCommand(given: GivenOptions): Promise<number> {
  const options = readCrawlOptions(given);
  checkOptions(options);
  const web = await openCrawlWeb(options.web, httpOptions(options, version(), 0));
  const signals = new StopSignals();
  try {
    const seeds = options.seed.map(readSeed);
    const claimed = claimDirectory(options.out);
    signals.onFirst(() => {
      claimed.giveUp();
      process.exit(EXIT_CODES.interrupted);
    });
    await writeSeeds(options, seeds, web, claimed);
    return await runCrawl(options, web, claimed.directory, signals);
  } finally {
    signals.close();
    web.close();
  }
}

/** What no option can say for itself. */
function checkOptions(options: CrawlOptions): void {
  if (options.report !== '') {
    try {
      appendFileSync(options.report, '');
    } catch (error) {
      throw new UsageError(
        `--report takes a file that can be written, got '${options.report}': ${oneLine(error)}`,
      );
    }
  }
  if (options.web !== 'http') return;
  if (!/^[!-'*-~]+$/.test(options.contact))
    throw new UsageError(
      `--contact takes a URL or mail address that a site can turn to, got ${options.contact === '' ? 'nothing' : `'${options.contact}'`}`,
    );
  if (options.agents === 0)
    throw new UsageError(
      "--agents takes a number from 1 for --web http, got '0': the single-machine crawler takes emulated webs",
    );
}

/** Writes the accepted seeds to the crawl directory; without any, the crawl is refused and nothing is left behind. */
async function writeSeeds(
  options: CrawlOptions,
  given: string[],
  web: Web,
  claimed: ClaimedDirectory,
): Promise<void> {
  const writer = new SeedFileWriter(claimed.directory.seeds);
  let bad = 0;
  try {
    for (const path of options.seeds) {
      for await (const { line, text, url, problem } of readSeeds(path)) {
        if (url !== null) writer.add(url);
        else if (++bad <= NAMED_BAD_LINES)
          process.stderr.write(`drumline: ${path}:${line}: skipped, ${problem}: '${printable(text)}'\n`);
      }
    }
    for (const url of given) writer.add(url);
    if (options.seeds.length === 0 && given.length === 0) for (const url of web.seeds()) writer.add(url);
    writer.close();
    if (bad > NAMED_BAD_LINES)
      process.stderr.write(`drumline: ${formatCount(bad - NAMED_BAD_LINES)} more lines skipped\n`);
    if (writer.count === 0) throw new UsageError('--seeds takes a file with at least one URL, got none');
  } catch (error) {
    claimed.giveUp();
    throw error;
  }
}

/** What stands in a file must not drive the terminal. */
function printable(text: string): string {
  return text.slice(0, 200).replace(/[^\P{C} ]/gu, '?');
}

async function runCrawl(
  options: CrawlOptions,
  web: Web,
  directory: CrawlDirectory,
  signals: StopSignals,
): Promise<number> {
  writeFileSync(directory.options, `${JSON.stringify(options, null, 2)}\n`);
  const run = new CrawlRun(options, web, directory, (message) =>
    process.stderr.write(`drumline: ${message}\n`),
  );
  const target = options['target-pages'];
  const known = web.truth?.pages ?? null;
  const expected = Number.isFinite(target) ? Math.min(target, known ?? target) : known;
  const kind = options.progress || (process.stderr.isTTY ? 'bar' : 'plain');
  const progress = startProgress(kind, { counters: run.counters, expected, stream: process.stderr });
  signals.onFirst(() => run.requestStop('interrupted'));
  signals.onSecond(() => {
    progress.stop();
    process.exit(EXIT_CODES.interrupted);
  });
  const report = await runToEnd(run, progress, directory);
  const isSaved = [directory.report, options.report].every((path) => path === '' || saveReport(report, path));
  if (options.log === 'on') mergeLogs(nodeDisk, directory);
  if (options.store === 'warc') indexPages(directory);
  if (options['list-pages']) await joinPageLists(directory, run.counters.length);
  process.stdout.write(`${summarise(report, directory.path)}\n`);
  if (report.outcome === 'failed') process.stderr.write(`drumline: ${report.reason}\n`);
  return isSaved ? EXIT_CODES[report.outcome] : 1;
}

async function runToEnd(run: CrawlRun, progress: Progress, directory: CrawlDirectory): Promise<Report> {
  try {
    return await run.run();
  } finally {
    progress.stop();
    rmSync(directory.work, { recursive: true, force: true });
  }
}

/** The index of all that was stored; the agents' parts go when it is whole. */
function indexPages(directory: CrawlDirectory): void {
  const parts = directory.indexParts(nodeDisk.list(directory.path));
  mergeIndex(nodeDisk, parts, directory.index);
  for (const part of parts) nodeDisk.remove(part);
}

async function joinPageLists(directory: CrawlDirectory, agents: number): Promise<void> {
  for (let agent = 0; agent < agents; agent++) {
    const part = directory.pageListPart(agent);
    if (!existsSync(part)) continue;
    await pipeline(createReadStream(part), createWriteStream(directory.pageList, { flags: 'a' }));
    rmSync(part);
  }
}

function saveReport(report: Report, path: string): boolean {
  try {
    writeFileSync(path, `${JSON.stringify(report, null, 2)}\n`);
    return true;
  } catch (error) {
    process.stderr.write(`drumline: the report was not written to '${path}': ${oneLine(error)}\n`);
    return false;
  }
}
