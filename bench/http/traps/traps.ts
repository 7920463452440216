/**
 * `http-traps [hosts a kind,...] [memory in MB] [agents] [seconds] [kinds,...]`: crawls over HTTP of hosts that are traps, of 45
 * kinds, and the most memory that the crawler's process took, beside what it may take: `--memory`, 60 MB, and 25 MB a thread
 * (the coordinator and the agents). A crawl must come to its end by itself, within the seconds, having met all kinds.
 */
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { KINDS } from './kinds.js';

const MAIN = fileURLToPath(import.meta.resolve('#drumline/main.js'));
const SERVER = fileURLToPath(new URL('server.js', import.meta.url));
const ENGINE_MB = 60;
const THREAD_MB = 25;

interface CrawlReport {
  readonly outcome: string;
  readonly reason?: string | null;
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly peakRssBytes: number;
  readonly pages: number;
  readonly errors: Record<string, number>;
}

interface Limits {
  readonly memory: string;
  readonly agents: string;
  readonly seconds: string;
}

export async function run(args: string[]): Promise<void> {
  const [hosts = '4', memory = '64', agents = '2', seconds = '900', names] = args;
  const kinds = names?.split(',') ?? [...KINDS.keys()];
  const bound = Number(memory) + ENGINE_MB + THREAD_MB * (Number(agents) + 1);
  const server = fork(SERVER);
  try {
    const [port] = (await once(server, 'message')) as [number];
    for (const count of hosts.split(',').map(Number)) {
      const seeds = kinds.flatMap((kind) =>
        Array.from({ length: count }, (_, i) => `http://${kind}-${i}.localhost:${port}/\n`),
      );
      const report = await crawl(seeds, { memory, agents, seconds });
      const met = await kindsMet(server);
      const peak = report.peakRssBytes / 1e6;
      const isGood = peak <= bound && report.outcome === 'exhausted' && met.length >= kinds.length;
      process.stdout.write(
        `${met.length} of ${kinds.length} kinds, ${seeds.length} hosts: ${report.pages} pages in ${report.seconds.toFixed(1)} s, ` +
          `${report.cpuSeconds.toFixed(1)} s of CPU; peak ${peak.toFixed(0)} MB, bound ${bound} MB: ` +
          `${peak <= bound ? 'within' : 'OVER'}; ${report.outcome}${report.reason ? `: ${report.reason}` : ''}, ` +
          `errors ${JSON.stringify(report.errors)}\n`,
      );
      const missing = kinds.filter((kind) => !met.includes(kind));
      if (missing.length > 0) process.stdout.write(`not asked for: ${missing.join(', ')}\n`);
      if (!isGood) process.exitCode = 1;
    }
  } finally {
    server.kill();
  }
}

async function kindsMet(server: ChildProcess): Promise<string[]> {
  server.send('kinds');
  return ((await once(server, 'message')) as [string[]])[0];
}

async function crawl(seeds: readonly string[], { memory, agents, seconds }: Limits): Promise<CrawlReport> {
  const directory = mkdtempSync(join(tmpdir(), 'drumline-traps-'));
  try {
    const file = join(directory, 'seeds.txt');
    writeFileSync(file, seeds.join(''));
    const path = join(directory, 'crawl');
    const options =
      `--web http --contact mailto:bench@example.org --allow-private --host-delay 0s --ip-delay 0s --progress none ` +
      `--retries 0 --checkpoint-interval off --min-free 0 --store none --timeout 20s --pages-per-site 20 --max-depth 30 ` +
      `--sitemaps-per-site 20 --agents ${agents} --memory ${memory}MB --max-duration ${seconds}s`;
    const words = [MAIN, ...options.split(' '), '--seeds', file, '--out', path];
    const child = spawn(process.execPath, words, { stdio: ['ignore', 'ignore', 'inherit'] });
    await once(child, 'close');
    return JSON.parse(readFileSync(join(path, 'report.json'), 'utf8')) as CrawlReport;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
