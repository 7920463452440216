/**
 * A crawl over HTTP on loopback beside other crawlers, in one run: distinct pages as the server's log counts them, per
 * second of the clock and per second of the crawler's CPU. `npm run bench -- http [rounds] [root...]`; each root is a site.
 * Install nginx, wget2 and Debian's documentation packages (corpus.ts) to compare with figures of others.
 *
 * `http --base DIR [rounds] [root...]` compares with a checkout that was built there instead, interleaved.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { againstBase } from '../run/against-base.js';
import { MAIN, mainOf } from '../run/whole-crawl.js';
import { corpusRoots } from './corpus.js';
import { type Crawler, drumline, drumlineOf, peers, timed } from './crawlers.js';
import { WebServer } from './web-server.js';

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!;

export async function run(args: string[]): Promise<void> {
  const base = args[0] === '--base' ? mainOf(args[1]!) : null;
  const [rounds = '3', ...given] = base === null ? args : args.slice(2);
  const directory = mkdtempSync(join(tmpdir(), 'drumline-http-'));
  const { roots, what } =
    given.length > 0 ? { roots: given, what: given.join(', ') } : corpusRoots(directory);
  const server = await WebServer.start(roots, directory);
  process.stdout.write(`${server.name} serves ${what}; medians of ${rounds} rounds\n`);
  const measure = async (crawler: Crawler) => {
    const own = mkdtempSync(join(crawler.home ?? directory, 'drumline-http-run-'));
    const { cpu, clock } = await timed(crawler.command(server.seeds, own));
    rmSync(own, { recursive: true });
    return { cpu, clock, ...server.takePages() };
  };
  try {
    if (base !== null) {
      const kinds = [['--store', 'none', '--log', 'off'], ['--store', 'none'], []];
      const compared = kinds.map((words) => ({
        name: `1 agent ${words.join(' ')}`,
        measure: async (isBase: boolean) => {
          const { cpu, pages } = await measure(drumlineOf(isBase ? base : MAIN, 1, ...words));
          return { cpu: cpu / pages.size, memory: 0 };
        },
      }));
      await againstBase(compared, Number(rounds));
      return;
    }
    const crawlers = [drumline(1, '--store', 'none'), drumline(1), drumline(2), ...peers()];
    const results = crawlers.map((crawler) => ({
      crawler,
      perCpu: [] as number[],
      perSecond: [] as number[],
      found: '',
    }));
    for (let round = 0; round < Number(rounds); round++) {
      for (const result of results) {
        const { cpu, clock, pages, requests } = await measure(result.crawler);
        result.perCpu.push(pages.size / cpu);
        result.perSecond.push(pages.size / clock);
        result.found = `${pages.size} pages by ${requests} requests`;
      }
    }
    for (const { crawler, perCpu, perSecond, found } of results) {
      const rates = `${median(perCpu).toFixed(0)} pages per CPU-second, ${median(perSecond).toFixed(0)} pages/s`;
      process.stdout.write(`${crawler.name}: ${rates}; ${found}\n`);
    }
  } finally {
    server.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}
