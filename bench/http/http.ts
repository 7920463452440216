/**
 * A crawl over HTTP on loopback beside other crawlers, in one run: pages as the server's log counts them, per second of the
 * clock and per second of the crawler's CPU. `npm run bench -- http [rounds] [root...]`; each root is a site. Install
 * nginx, wget2 and Debian's documentation packages (corpus.ts) to compare with figures of others.
 */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { corpusRoots } from './corpus.js';
import { WebServer } from './web-server.js';

const MAIN = fileURLToPath(import.meta.resolve('#drumline/main.js'));
/** Runs a command and writes its CPU seconds (user, system) and the clock's to standard error. */
const TIMED = 'TIMEFORMAT="%U %S %R"; time "$@" >/dev/null 2>&1';

interface Crawler {
  readonly name: string;
  /** The command, for seeds and a directory of its own. */
  command(seeds: readonly string[], directory: string): string[];
}

function drumline(agents: number): Crawler {
  const options =
    '--web http --contact mailto:bench@example.org --allow-private --same-host --host-delay 0s --ip-delay 0s';
  const quiet = '--progress none --pages-per-site 1000000 --depth-per-site 1000';
  return {
    name: `drumline, ${agents} agents`,
    command: (seeds, directory) => [
      ...[process.execPath, MAIN, '--agents', `${agents}`, ...options.split(' '), ...quiet.split(' ')],
      ...['--out', join(directory, 'crawl'), ...seeds.flatMap((seed) => ['--seed', seed])],
    ],
  };
}

/** Those that are installed. */
function peers(): Crawler[] {
  const recursive = (program: string, ...more: string[]): Crawler => ({
    name: program,
    command: (seeds, directory) => [program, '-q', '-r', '-l', 'inf', '-P', directory, ...more, ...seeds],
  });
  return [
    recursive('wget2', '--max-threads=8', '--filter-mime-type=text/html'),
    recursive('wget', '--reject=css,js,png,gif,svg,jpg,ico'),
  ].filter(({ name }) => spawnSync(name, ['--version']).error === undefined);
}

async function timed(command: readonly string[]): Promise<{ cpu: number; clock: number }> {
  const child = spawn('bash', ['-c', TIMED, 'bash', ...command], { stdio: ['ignore', 'ignore', 'pipe'] });
  let output = '';
  child.stderr.on('data', (chunk) => {
    output += chunk;
  });
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  const [user, system, clock] = output.trim().split('\n').at(-1)!.split(' ').map(Number);
  // wget counts a missing page as failure, with exit code 8.
  if (clock === undefined || (code !== 0 && code !== 8))
    throw new Error(`${command.join(' ')}: exit code ${code}`);
  return { cpu: user! + system!, clock };
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!;

export async function run(args: string[]): Promise<void> {
  const [rounds = '3', ...given] = args;
  const directory = mkdtempSync(join(tmpdir(), 'drumline-http-'));
  const { roots, what } =
    given.length > 0 ? { roots: given, what: given.join(', ') } : corpusRoots(directory);
  const server = await WebServer.start(roots, directory);
  process.stdout.write(`${server.name} serves ${what}; medians of ${rounds} rounds\n`);
  try {
    const crawlers = [drumline(1), drumline(2), ...peers()];
    const results = crawlers.map((crawler) => ({
      crawler,
      perCpu: [] as number[],
      perSecond: [] as number[],
      found: '',
    }));
    for (let round = 0; round < Number(rounds); round++) {
      for (const result of results) {
        const own = mkdtempSync(join(directory, 'run-'));
        const { cpu, clock } = await timed(result.crawler.command(server.seeds, own));
        rmSync(own, { recursive: true });
        const { pages, distinct } = server.takePages();
        result.perCpu.push(pages / cpu);
        result.perSecond.push(pages / clock);
        result.found = `${pages} pages, ${distinct} distinct`;
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
