/**
 * The executable beside `node dist/main.js`: pages a second of whole crawls in turn, and the time from the start to the
 * end of a crawl of one page, which holds the time to the first page. `-- --agents 2 --pages 30000 --repeat 7`
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Report } from '#drumline/run/report.js';

const MAIN = fileURLToPath(import.meta.resolve('#drumline/main.js'));
const PACKAGE = fileURLToPath(new URL('../../packaging/package.js', import.meta.url));
const STARTS = 11;

/** A program, and what stands before its own words. */
type Program = readonly [string, ...string[]];

interface Crawl {
  readonly report: Report;
  /** Of the whole process. */
  readonly seconds: number;
}

const median = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)]!;

function crawl([program, ...first]: Program, directory: string, words: string[], home = directory): Crawl {
  const out = join(directory, 'crawl');
  const start = performance.now();
  execFileSync(program, [...first, ...words, '--progress', 'none', '--out', out], {
    env: { ...process.env, XDG_CACHE_HOME: home },
  });
  const seconds = (performance.now() - start) / 1000;
  const report = JSON.parse(readFileSync(join(out, 'report.json'), 'utf8')) as Report;
  rmSync(out, { recursive: true });
  return { report, seconds };
}

function compareSpeed(
  executable: Program,
  script: Program,
  directory: string,
  words: string[],
  repeat: number,
): void {
  const rates: [number[], number[]] = [[], []];
  const work: [number[], number[]] = [[], []];
  for (let i = 0; i < repeat; i++) {
    // Who comes first has the machine as the other left it: they take turns.
    for (const which of i % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      const { report } = crawl(which === 0 ? executable : script, directory, words);
      rates[which].push(report.pagesPerSecond);
      work[which].push((report.cpuSeconds * 1e6) / report.pages);
    }
  }
  const show = (
    what: string,
    [mine, base]: [number[], number[]],
    ratio: (a: number, b: number) => number,
  ): void => {
    const [a, b] = [median(mine), median(base)];
    const share = (ratio(a, b) * 100).toFixed(1);
    process.stdout.write(
      `${what}: ${a.toFixed(0)}, node dist/main.js ${b.toFixed(0)}: ${share}% of its speed\n`,
    );
  };
  show('pages a second', rates, (a, b) => a / b);
  show('microseconds of processor time a page', work, (a, b) => b / a);
}

function compareStarts(executable: Program, script: Program, directory: string): void {
  const words = ['--agents', '3', '--web', 'synthetic:pages=5000', '--target-pages', '1'];
  const fresh: number[] = [];
  const unpacked: number[] = [];
  const base: number[] = [];
  for (let i = 0; i < STARTS; i++) {
    const home = join(directory, `home-${i}`);
    fresh.push(crawl(executable, directory, words, home).seconds);
    unpacked.push(crawl(executable, directory, words, home).seconds);
    base.push(crawl(script, directory, words).seconds);
  }
  const show = (what: string, values: number[]): void => {
    const shown = (value: number): string => `${(value * 1000).toFixed(0)} ms`;
    process.stdout.write(`${what}: ${shown(median(values))}, at most ${shown(Math.max(...values))}\n`);
  };
  show('start to end of one page, nothing unpacked yet', fresh);
  show('start to end of one page', unpacked);
  show('start to end of one page, node dist/main.js', base);
}

export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      agents: { type: 'string', default: '2' },
      pages: { type: 'string', default: '30000' },
      repeat: { type: 'string', default: '7' },
    },
  });
  const directory = mkdtempSync(join(tmpdir(), 'drumline-bench-'));
  try {
    const program = join(directory, 'drumline');
    process.stdout.write(execFileSync(process.execPath, [PACKAGE, '--out', program]));
    const words = ['--agents', values.agents, '--web', `synthetic:pages=${values.pages}`];
    process.stdout.write(`${words.join(' ')}, medians of ${values.repeat}\n`);
    compareSpeed([program], [process.execPath, MAIN], directory, words, Number(values.repeat));
    compareStarts([program], [process.execPath, MAIN], directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
