/**
 * Whole crawls of the default synthetic web, unthrottled: pages per second, processor time per page and where it goes.
 * The baseline is the single-machine crawler in the same run. `-- --agents 7 --pages 50000 --repeat 3`
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { ACTIVITIES } from '#drumline/model/counters.js';
import type { Report } from '#drumline/workers/report.js';

const MAIN = fileURLToPath(import.meta.resolve('#drumline/main.js'));

function crawl(agents: number, pages: number, seed: number): Report {
  const directory = mkdtempSync(join(tmpdir(), 'drumline-bench-'));
  try {
    const web = `synthetic:pages=${pages},seed=${seed}`;
    const out = join(directory, 'crawl');
    execFileSync(process.execPath, [
      MAIN,
      '--agents',
      `${agents}`,
      '--web',
      web,
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

const median = (reports: Report[], figure: (report: Report) => number): number =>
  reports.map(figure).sort((a, b) => a - b)[Math.floor(reports.length / 2)]!;

/** Threads share the cores, so their clocks run while others work: shares of the clock are taken of the processor time. */
function split(reports: Report[]): string {
  const cpuPerPage = median(reports, (report) => (report.cpuSeconds * 1e6) / report.pages);
  const awake = ACTIVITIES.filter((name) => name !== 'asleep' && name !== 'setUp');
  const seconds = awake.map((name) =>
    median(reports, (report) => report.perAgent.reduce((sum, agent) => sum + agent.seconds[name], 0)),
  );
  const sum = seconds.reduce((a, b) => a + b, 0);
  return awake.map((name, i) => `${name} ${((cpuPerPage * seconds[i]!) / sum).toFixed(1)}`).join(', ');
}

export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      agents: { type: 'string', default: '7' },
      pages: { type: 'string', default: '100000' },
      repeat: { type: 'string', default: '3' },
      seed: { type: 'string', default: '1' },
    },
  });
  const agentCounts = [...new Set([0, 2, Number(values.agents)])];
  const runs = new Map<number, Report[]>(agentCounts.map((agents) => [agents, []]));
  for (let i = 0; i < Number(values.repeat); i++) {
    for (const [agents, reports] of runs)
      reports.push(crawl(agents, Number(values.pages), Number(values.seed)));
  }
  console.log(`${values.pages} pages, seed ${values.seed}, median of ${values.repeat}`);
  const baseline = median(runs.get(0)!, (report) => report.pagesPerSecond);
  for (const [agents, reports] of runs) {
    const speed = median(reports, (report) => report.pagesPerSecond);
    const cpu = median(reports, (report) => (report.cpuSeconds * 1e6) / report.pages);
    const exact = reports.every(({ coverage, overlap }) => coverage === 1 && overlap === 0);
    console.log(
      `${agents === 0 ? 'single machine' : `${agents} agents`}: ${speed.toFixed(0)} pages/s, ` +
        `${(speed / baseline).toFixed(2)} x single machine, ${cpu.toFixed(0)} us of processor a page` +
        `${exact ? '' : ', NOT EXACT'}`,
    );
    console.log(`  us a page: ${split(reports)}`);
  }
}
