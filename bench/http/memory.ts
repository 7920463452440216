/**
 * `http-memory [hosts] [memory in MB] [agents]`: a crawl over HTTP of a web of very many hosts, and the most memory that
 * the crawler's process took, beside what it may take: `--memory` and 150 MB for Node itself.
 */
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(import.meta.resolve('#drumline/main.js'));
const CROWD = fileURLToPath(new URL('crowd-process.js', import.meta.url));
const OWN_MB = 150;
const PAGES_PER_HOST = 2;

interface CrawlReport {
  readonly outcome: string;
  readonly reason?: string | null;
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly peakRssBytes: number;
  readonly pages: number;
  readonly sites: number;
  readonly errors: Record<string, number>;
}

export async function run(args: string[]): Promise<void> {
  const [hosts = '200000', memory = '256', agents = '2'] = args;
  const crowd = fork(CROWD, [hosts]);
  const directory = mkdtempSync(join(tmpdir(), 'drumline-memory-'));
  try {
    const [ports] = (await once(crowd, 'message')) as [{ web: number; names: number }];
    const report = await crawl(directory, ports, memory, agents);
    const expected = Number(hosts) * PAGES_PER_HOST;
    const peak = report.peakRssBytes / 1e6;
    const bound = Number(memory) + OWN_MB;
    const said = [
      `${report.outcome}${report.reason ? `: ${report.reason}` : ''}, errors ${JSON.stringify(report.errors)}`,
      `${report.sites} sites, ${report.pages} of ${expected} pages in ${report.seconds.toFixed(0)} s, ${report.cpuSeconds.toFixed(0)} s of CPU`,
      `peak ${peak.toFixed(0)} MB, bound ${bound} MB: ${peak <= bound ? 'within' : 'OVER'}`,
    ];
    process.stdout.write(`${said.join('\n')}\n`);
    if (report.pages !== expected || peak > bound) process.exitCode = 1;
  } finally {
    crowd.kill();
    rmSync(directory, { recursive: true, force: true });
  }
}

async function crawl(
  directory: string,
  ports: { web: number; names: number },
  memory: string,
  agents: string,
): Promise<CrawlReport> {
  const path = join(directory, 'crawl');
  const options =
    `--web http --contact mailto:bench@example.org --allow-private --host-delay 0s --ip-delay 0s --progress none ` +
    `--agents ${agents} --memory ${memory}MB --dns 127.0.0.1:${ports.names} --seed http://h0.example:${ports.web}/`;
  const child = spawn(process.execPath, [MAIN, ...options.split(' '), '--out', path], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await once(child, 'close');
  return JSON.parse(readFileSync(join(path, 'report.json'), 'utf8')) as CrawlReport;
}
