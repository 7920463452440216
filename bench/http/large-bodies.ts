/**
 * `http-large [hosts,...] [kinds,...] [memory in MB] [agents] [MB of a page]`: crawls over HTTP of hosts that all serve large
 * pages, and the most memory that the crawler's process took, beside what it may take: `--memory`, 60 MB, and 25 MB a thread
 * (the coordinator, the agents, with a store the keeper of digests). Kinds: plain, gzip, stored (plain, with `--store warc`), stored-gzip. `--base MAIN` in front measures another build.
 */
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(import.meta.resolve('#drumline/main.js'));
const SERVER = fileURLToPath(new URL('large-server.js', import.meta.url));
const ENGINE_MB = 60;
const THREAD_MB = 25;

interface CrawlReport {
  readonly outcome: string;
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly peakRssBytes: number;
  readonly pages: number;
  readonly errors: Record<string, number>;
}

export async function run(args: string[]): Promise<void> {
  const main = args[0] === '--base' ? args[1]! : MAIN;
  const [hosts = '20,60,200,1000', kinds = 'plain,gzip,stored', memory = '64', agents = '2', size = '9'] =
    args[0] === '--base' ? args.slice(2) : args;
  for (const kind of kinds.split(',')) {
    const threads = Number(agents) + (kind.includes('stored') && Number(agents) > 1 ? 2 : 1);
    const bound = Number(memory) + ENGINE_MB + THREAD_MB * threads;
    const coding = kind.includes('gzip') ? 'gzip' : 'plain';
    const server = fork(SERVER, [size, coding]);
    try {
      const [port] = (await once(server, 'message')) as [number];
      for (const count of hosts.split(',').map(Number)) {
        const store = kind.includes('stored') ? 'warc' : 'none';
        const report = await crawl(main, count, port, { memory, agents, store });
        const peak = report.peakRssBytes / 1e6;
        const isGood = report.pages === count && peak <= bound;
        process.stdout.write(
          `${kind}, ${count} hosts: ${report.pages} pages of ${size} MB in ${report.seconds.toFixed(1)} s, ` +
            `${report.cpuSeconds.toFixed(1)} s of CPU; peak ${peak.toFixed(0)} MB, bound ${bound} MB: ` +
            `${peak <= bound ? 'within' : 'OVER'}; ${report.outcome}, errors ${JSON.stringify(report.errors)}\n`,
        );
        if (!isGood) process.exitCode = 1;
      }
    } finally {
      server.kill();
    }
  }
}

interface Limits {
  readonly memory: string;
  readonly agents: string;
  readonly store: string;
}

async function crawl(
  main: string,
  hosts: number,
  port: number,
  { memory, agents, store }: Limits,
): Promise<CrawlReport> {
  const directory = mkdtempSync(join(tmpdir(), 'drumline-large-'));
  try {
    const seeds = join(directory, 'seeds.txt');
    writeFileSync(
      seeds,
      Array.from({ length: hosts }, (_, i) => `http://h${i}.localhost:${port}/\n`).join(''),
    );
    const path = join(directory, 'crawl');
    const options =
      `--web http --contact mailto:bench@example.org --allow-private --host-delay 0s --ip-delay 0s --progress none ` +
      `--retries 0 --checkpoint-interval off --min-free 0 --agents ${agents} --memory ${memory}MB --store ${store}`;
    const words = [main, ...options.split(' '), '--seeds', seeds, '--out', path];
    const child = spawn(process.execPath, words, { stdio: ['ignore', 'ignore', 'inherit'] });
    await once(child, 'close');
    return JSON.parse(readFileSync(join(path, 'report.json'), 'utf8')) as CrawlReport;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
