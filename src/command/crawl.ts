/** `drumline crawl`: checks the options, prepares the crawl directory and the seeds, runs, reports. */
import { createReadStream, createWriteStream, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { mergeLogs } from '../log/merge-logs.js';
import { CrawlDirectory } from '../model/crawl-directory.js';
import { nodeDisk } from '../model/disk.js';
import { oneLine, UsageError } from '../model/errors.js';
import { type CrawlOptions, readCrawlOptions } from '../model/options.js';
import { formatCount } from '../model/quantity.js';
import { version } from '../model/version.js';
import type { Web } from '../model/web.js';
import { startProgress } from '../monitor/progress.js';
import { readSeed, readSeeds } from '../seeds/read-seeds.js';
import { SeedFileWriter } from '../seeds/seed-file.js';
import { openCrawlWeb } from '../web/open-web.js';
import { CrawlRun } from '../workers/crawl-run.js';
import { summarise } from '../workers/crawl-summary.js';
import { httpOptions } from '../workers/http-options.js';
import type { Report } from '../workers/report.js';
import type { GivenOptions } from './arguments.js';

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
  if (options.web === 'http') checkHttpOptions(options);
  const web = await openCrawlWeb(options.web, httpOptions(options, version(), 0));
  try {
    const seeds = options.seed.map(readSeed);
    const directory = claimDirectory(options.out);
    await writeSeeds(options, seeds, web, directory);
    return await runCrawl(options, web, directory);
  } finally {
    web.close();
  }
}

function checkHttpOptions(options: CrawlOptions): void {
  if (options.contact === '')
    throw new UsageError(
      '--contact takes a URL or mail address, got nothing: a crawl of the live Web must say whom a site can turn to',
    );
  if (/[^\x21-\x7e]/.test(options.contact) || /[()]/.test(options.contact))
    throw new UsageError(`--contact takes a URL or mail address, got '${options.contact}'`);
  if (options.agents === 0)
    throw new UsageError(
      "--agents takes a number from 1 for --web http, got '0': the single-machine crawler takes emulated webs",
    );
}

/** Makes the crawl directory; refuses one that holds another crawl. */
function claimDirectory(out: string): CrawlDirectory {
  const named =
    out !== ''
      ? out
      : `crawl-${new Date()
          .toISOString()
          .replace(/[:.]/g, '-')
          .replace(/-\d+Z$/, '')}`;
  const directory = new CrawlDirectory(resolve(named));
  const taken = [directory.seeds, directory.report, directory.work].find(existsSync);
  if (taken !== undefined)
    throw new UsageError(`--out takes a new directory, got '${named}', which holds another crawl`);
  try {
    mkdirSync(directory.path, { recursive: true });
  } catch (error) {
    throw new UsageError(`--out takes a directory that can be written, got '${named}': ${oneLine(error)}`);
  }
  return directory;
}

/** Writes the accepted seeds to the crawl directory; without any, the crawl is refused and the directory left as it was. */
async function writeSeeds(
  options: CrawlOptions,
  given: string[],
  web: Web,
  directory: CrawlDirectory,
): Promise<void> {
  const writer = new SeedFileWriter(directory.seeds);
  let bad = 0;
  try {
    for (const path of options.seeds) {
      for await (const { line, text, url } of readSeeds(path)) {
        if (url !== null) writer.add(url);
        else if (++bad <= NAMED_BAD_LINES) {
          process.stderr.write(
            `drumline: ${path}:${line}: skipped, no http or https URL: '${text.slice(0, 200)}'\n`,
          );
        }
      }
    }
    for (const url of given) writer.add(url);
    if (options.seeds.length === 0 && given.length === 0) for (const url of web.seeds()) writer.add(url);
    writer.close();
    if (bad > NAMED_BAD_LINES)
      process.stderr.write(`drumline: ${formatCount(bad - NAMED_BAD_LINES)} more lines skipped\n`);
    if (writer.count === 0) throw new UsageError('--seeds takes a file with at least one URL, got none');
  } catch (error) {
    rmSync(directory.seeds, { force: true });
    throw error;
  }
}

async function runCrawl(options: CrawlOptions, web: Web, directory: CrawlDirectory): Promise<number> {
  writeFileSync(directory.options, `${JSON.stringify(options, null, 2)}\n`);
  const run = new CrawlRun(options, web, directory);
  const target = options['target-pages'];
  const known = web.truth?.pages ?? null;
  const expected = Number.isFinite(target) ? Math.min(target, known ?? target) : known;
  const stopListening = stopOnSignals(run);
  const kind = options.progress || (process.stderr.isTTY ? 'bar' : 'plain');
  const progress = startProgress(kind, { counters: run.counters, expected, stream: process.stderr });
  let report: Report;
  try {
    report = await run.run();
  } finally {
    progress.stop();
    stopListening();
    rmSync(directory.work, { recursive: true, force: true });
  }
  if (options.log === 'on') mergeLogs(nodeDisk, directory);
  if (options['list-pages']) await joinPageLists(directory, run.counters.length);
  saveReport(report, directory.report);
  if (options.report !== '') saveReport(report, options.report);
  process.stdout.write(`${summarise(report, directory.path)}\n`);
  if (report.outcome === 'failed') process.stderr.write(`drumline: ${report.reason}\n`);
  return EXIT_CODES[report.outcome];
}

/** The first signal ends the crawl cleanly, the second at once. */
function stopOnSignals(run: CrawlRun): () => void {
  let signals = 0;
  const onSignal = (): void => {
    if (++signals > 1) process.exit(130);
    run.requestStop('interrupted');
  };
  const names = ['SIGINT', 'SIGTERM'] as const;
  for (const name of names) process.on(name, onSignal);
  return () => {
    for (const name of names) process.off(name, onSignal);
  };
}

async function joinPageLists(directory: CrawlDirectory, agents: number): Promise<void> {
  for (let agent = 0; agent < agents; agent++) {
    const part = directory.pageListPart(agent);
    if (!existsSync(part)) continue;
    await pipeline(createReadStream(part), createWriteStream(directory.pageList, { flags: 'a' }));
    rmSync(part);
  }
}

function saveReport(report: Report, path: string): void {
  try {
    writeFileSync(path, `${JSON.stringify(report, null, 2)}\n`);
  } catch (error) {
    process.stderr.write(`drumline: the report was not written to '${path}': ${oneLine(error)}\n`);
  }
}
