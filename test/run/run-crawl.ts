/** Runs a whole crawl in this process, in a directory that is removed afterwards. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Generations } from '#drumline/checkpoint/generations.js';
import { saveOptions } from '#drumline/command/saved-options.js';
import { CrawlDirectory } from '#drumline/model/crawl-directory.js';
import { nodeDisk } from '#drumline/model/disk.js';
import { readCrawlOptions } from '#drumline/options/read-options.js';
import { CrawlRun } from '#drumline/run/crawl-run.js';
import type { Report } from '#drumline/run/report.js';
import type { Surroundings } from '#drumline/run/surroundings.js';
import { SeedFileWriter } from '#drumline/seeds/seed-file.js';
import { openCoordinatorWeb } from '#drumline/web/open-web.js';

export interface CrawlOutcome {
  readonly report: Report;
  readonly hasVisited: (page: number) => boolean;
  /** Lines of the page lists, with `list-pages`. */
  readonly listed: string[];
}

/** Options by name; switches have the value null, repeatable ones may have several. */
export type GivenOptions = Readonly<Record<string, string | null | readonly string[]>>;
/** May stop the crawl or break its directory. */
export type OnStart = (run: CrawlRun, directory: CrawlDirectory) => void;

export async function runCrawl(
  given: GivenOptions,
  seeds?: readonly string[],
  onStart?: OnStart,
  surroundings?: Surroundings,
): Promise<CrawlOutcome> {
  const path = mkdtempSync(join(tmpdir(), 'drumline-test-'));
  try {
    return await runCrawlIn(new CrawlDirectory(path), given, seeds, onStart, surroundings);
  } finally {
    rmSync(path, { recursive: true, force: true });
  }
}

/** Empty if the crawl failed before it was made. */
const readPart = (path: string): string => (existsSync(path) ? readFileSync(path, 'utf8') : '');

/** The same in a directory of the caller's. */
export async function runCrawlIn(
  directory: CrawlDirectory,
  given: GivenOptions,
  seeds?: readonly string[],
  onStart?: OnStart,
  surroundings?: Surroundings,
): Promise<CrawlOutcome> {
  const list = pairsOf(given);
  const options = readCrawlOptions(list);
  const web = openCoordinatorWeb(options.web);
  try {
    saveOptions(directory, list, options);
    const writer = new SeedFileWriter(directory.seeds);
    for (const url of seeds ?? web.seeds()) writer.add(url);
    writer.close();
    const run = new CrawlRun(options, web, directory, 0, surroundings);
    const running = run.run();
    onStart?.(run, directory);
    const report = await running;
    const listed = options['list-pages']
      ? run.counters.flatMap((_, i) => readPart(directory.pageListPart(i, 0)).split('\n').filter(Boolean))
      : [];
    return { report, hasVisited: (page) => run.hasVisited(page), listed };
  } finally {
    web.close();
  }
}

/** Goes on from the last checkpoint in the directory, with the options given. */
export async function resumeIn(
  directory: CrawlDirectory,
  given: GivenOptions,
  surroundings?: Surroundings,
): Promise<Report> {
  const options = readCrawlOptions(pairsOf(given));
  const web = openCoordinatorWeb(options.web);
  const start = new Generations(nodeDisk, directory).current();
  try {
    return await new CrawlRun(options, web, directory, start, surroundings).run();
  } finally {
    web.close();
  }
}

const pairsOf = (given: GivenOptions): [string, string | null][] =>
  Object.entries(given).flatMap(([name, values]) =>
    (Array.isArray(values) ? values : [values]).map((value): [string, string | null] => [name, value]),
  );
