/** Runs a whole crawl in this process, in a directory that is removed afterwards. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CrawlDirectory } from '#drumline/model/crawl-directory.js';
import { readCrawlOptions } from '#drumline/model/options.js';
import { SeedFileWriter } from '#drumline/seeds/seed-file.js';
import { openWeb } from '#drumline/web/open-web.js';
import { CrawlRun } from '#drumline/workers/crawl-run.js';
import type { Report } from '#drumline/workers/report.js';

export interface CrawlOutcome {
  readonly report: Report;
  readonly hasVisited: (page: number) => boolean;
  /** Lines of the page lists, with `list-pages`. */
  readonly listed: string[];
}

/** `given` holds options by name; switches have the value null. `onStart` may stop the crawl or break its directory. */
export async function runCrawl(
  given: Readonly<Record<string, string | null>>,
  seeds?: readonly string[],
  onStart?: (run: CrawlRun, directory: CrawlDirectory) => void,
): Promise<CrawlOutcome> {
  const options = readCrawlOptions(Object.entries(given));
  const web = openWeb(options.web);
  const path = mkdtempSync(join(tmpdir(), 'drumline-test-'));
  try {
    const directory = new CrawlDirectory(path);
    const writer = new SeedFileWriter(directory.seeds);
    for (const url of seeds ?? web.seeds()) writer.add(url);
    writer.close();
    const run = new CrawlRun(options, web, directory);
    const running = run.run();
    onStart?.(run, directory);
    const report = await running;
    const listed = options['list-pages']
      ? run.counters.flatMap((_, i) =>
          readFileSync(directory.pageListPart(i), 'utf8').split('\n').filter(Boolean),
        )
      : [];
    return { report, hasVisited: (page) => run.hasVisited(page), listed };
  } finally {
    web.close();
    rmSync(path, { recursive: true, force: true });
  }
}
