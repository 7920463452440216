/**
 * What checkpoints cost a crawl: pages per second with one every so often, as a share of those without, interleaved. The

 * `-- --agents 2 --pages 2500000 --repeat 3 --intervals 60s,5s`
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Report } from '#drumline/workers/report.js';

const MAIN = fileURLToPath(import.meta.resolve('#drumline/main.js'));

function crawl(agents: string, pages: string, seed: string, interval: string): Report {
  const directory = mkdtempSync(join(tmpdir(), 'drumline-bench-'));
  const out = join(directory, 'crawl');
  const words = ['--agents', agents, '--web', `synthetic:pages=${pages},seed=${seed}`, '--memory', '1GB'];
  try {
    execFileSync(process.execPath, [
      MAIN,
      ...words,
      '--checkpoint-interval',
      interval,
      '--progress',
      'none',
      '--out',
      out,
    ]);
    return JSON.parse(readFileSync(join(out, 'report.json'), 'utf8')) as Report;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

const median = (values: number[]): number =>
  values.sort((a, b) => a - b)[Math.floor((values.length - 1) / 2)]!;

export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      agents: { type: 'string', default: '2' },
      pages: { type: 'string', default: '2500000' },
      repeat: { type: 'string', default: '3' },
      seed: { type: 'string', default: '1' },
      intervals: { type: 'string', default: '60s,5s' },
    },
  });
  const intervals = ['off', ...values.intervals.split(',')];
  const runs = intervals.map((): Report[] => []);
  for (let i = 0; i < Number(values.repeat); i++) {
    for (const [at, interval] of intervals.entries())
      runs[at]!.push(crawl(values.agents, values.pages, values.seed, interval));
  }
  console.log(
    `${values.pages} pages, ${values.agents} agents, seed ${values.seed}, median of ${values.repeat}`,
  );
  const speeds = runs.map((reports) => median(reports.map(({ pagesPerSecond }) => pagesPerSecond)));
  for (const [at, interval] of intervals.entries()) {
    const seconds = median(runs[at]!.map((report) => report.seconds));
    const saving = median(
      runs[at]!.map(({ perAgent }) => Math.max(...perAgent.map((agent) => agent.seconds.checkpoint))),
    );
    console.log(
      `checkpoints ${interval}: ${speeds[at]!.toFixed(0)} pages/s in ${seconds.toFixed(0)} s, ` +
        `${((100 * speeds[at]!) / speeds[0]!).toFixed(1)}% of without, an agent spent ${saving.toFixed(2)} s on them`,
    );
  }
}
