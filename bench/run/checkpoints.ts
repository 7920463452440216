/**
 * What checkpoints cost a crawl: pages per second with one every so often, as a share of those without, interleaved.
 * `-- --agents 2 --pages 2500000 --repeat 3 --intervals 60s,5s`
 */
import { parseArgs } from 'node:util';
import type { Report } from '#drumline/run/report.js';
import { median, wholeCrawl } from './whole-crawl.js';

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
  const web = `synthetic:pages=${values.pages},seed=${values.seed}`;
  const words = ['--agents', values.agents, '--web', web, '--memory', '1GB'];
  const intervals = ['off', ...values.intervals.split(',')];
  const runs = intervals.map((): Report[] => []);
  for (let i = 0; i < Number(values.repeat); i++) {
    for (const [at, interval] of intervals.entries())
      runs[at]!.push(wholeCrawl([...words, '--checkpoint-interval', interval]));
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
