/** Crawls of servers on loopback, and what their crawl.log says. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { LogLine } from '#drumline/log/log-line.js';
import { mergeLogs } from '#drumline/log/merge-logs.js';
import { canonicalUrl } from '#drumline/model/canonical-url.js';
import { CrawlDirectory } from '#drumline/model/crawl-directory.js';
import { nodeDisk } from '#drumline/model/disk.js';
import type { Report } from '#drumline/run/report.js';
import type { Surroundings } from '#drumline/run/surroundings.js';
import { type GivenOptions, type OnStart, runCrawlIn } from './run-crawl.js';

const MAIN = fileURLToPath(import.meta.resolve('#drumline/main.js'));
/** Nobody is kept waiting, and failures are over soon. */
export const QUICK: GivenOptions = {
  web: 'http',
  agents: '2',
  contact: 'mailto:test@example.org',
  memory: '64MB',
  'allow-private': null,
  'host-delay': '0s',
  'ip-delay': '0s',
  timeout: '500ms',
  retries: '1',
  'retry-delay': '10ms',
};

export interface HttpCrawl {
  readonly report: Report;
  /** crawl.log. */
  readonly log: readonly LogLine[];
  /** The last word on a URL; fails if there is none. */
  last(url: string): LogLine;
  /** Requests made for a URL. */
  requests(url: string): readonly LogLine[];
  /** The pages fetched whole, sorted. */
  readonly pages: readonly string[];
  /** What a command says about the crawl directory: `why`, `audit`. */
  command(name: string, ...words: string[]): string;
}

/** Crawls from `seeds`; `given` replaces the quick options by name, undefined leaves one out. */
export async function httpCrawl(
  t: TestContext,
  seeds: readonly string[],
  given: Readonly<Record<string, GivenOptions[string] | undefined>> = {},
  onStart?: OnStart,
  surroundings?: Surroundings,
): Promise<HttpCrawl> {
  const path = mkdtempSync(join(tmpdir(), 'drumline-http-'));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  const directory = new CrawlDirectory(path);
  const options = Object.entries({ ...QUICK, ...given }).filter(([, value]) => value !== undefined);
  const canonical = seeds.map((seed) => canonicalUrl(seed)!);
  const { report } = await runCrawlIn(
    directory,
    Object.fromEntries(options) as GivenOptions,
    canonical,
    onStart,
    surroundings,
  );
  mergeLogs(nodeDisk, directory);
  const lines = readFileSync(directory.crawlLog, 'utf8').split('\n').filter(Boolean);
  const log = lines.map((line) => JSON.parse(line) as LogLine);
  const requests = (url: string): LogLine[] =>
    log.filter((line) => line.url === canonicalUrl(url) && line.status !== undefined);
  return {
    report,
    log,
    requests,
    last(url) {
      const line = log.findLast((other) => other.url === canonicalUrl(url));
      assert.ok(line !== undefined, `${url} is not in crawl.log`);
      return line;
    },
    pages: log
      .filter(({ kind, status, reason }) => kind === 'page' && status === 200 && reason === undefined)
      .map(({ url }) => url)
      .sort(),
    command: (name, ...words) =>
      execFileSync(process.execPath, [MAIN, name, ...words, ...(name === 'why' ? ['--crawl'] : []), path], {
        encoding: 'utf8',
      }),
  };
}
