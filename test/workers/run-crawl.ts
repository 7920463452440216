/** Runs a whole crawl in this process, in a directory that is removed afterwards. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CrawlDirectory } from '#drumline/model/crawl-directory.js';
import { readCrawlOptions } from '#drumline/model/options.js';
import { SeedFileWriter } from '#drumline/seeds/seed-file.js';
import { openCrawlWeb } from '#drumline/web/open-web.js';
import { CrawlRun, type RunFaults } from '#drumline/workers/crawl-run.js';
import { httpOptions } from '#drumline/workers/http-options.js';
import type { Report } from '#drumline/workers/report.js';

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
  faults?: RunFaults,
): Promise<CrawlOutcome> {
  const path = mkdtempSync(join(tmpdir(), 'drumline-test-'));
  try {
    return await runCrawlIn(new CrawlDirectory(path), given, seeds, onStart, faults);
  } finally {
    rmSync(path, { recursive: true, force: true });
  }
}

/** The same in a directory of the caller's. */
export async function runCrawlIn(
  directory: CrawlDirectory,
  given: GivenOptions,
  seeds?: readonly string[],
  onStart?: OnStart,
  faults?: RunFaults,
): Promise<CrawlOutcome> {
  const options = readCrawlOptions(
    Object.entries(given).flatMap(([name, values]) =>
      (Array.isArray(values) ? values : [values]).map((value): [string, string | null] => [name, value]),
    ),
  );
  const web = await openCrawlWeb(options.web, httpOptions(options, 'test', 0));
  try {
    writeFileSync(directory.options, JSON.stringify(options));
    const writer = new SeedFileWriter(directory.seeds);
    for (const url of seeds ?? web.seeds()) writer.add(url);
    writer.close();
    const run = new CrawlRun(options, web, directory, 0, faults);
    const running = run.run();
    onStart?.(run, directory);
    const report = await running;
    const listed = options['list-pages']
      ? run.counters.flatMap((_, i) =>
          readFileSync(directory.pageListPart(i, 0), 'utf8').split('\n').filter(Boolean),
        )
      : [];
    return { report, hasVisited: (page) => run.hasVisited(page), listed };
  } finally {
    web.close();
  }
}
