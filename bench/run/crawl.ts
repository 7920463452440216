/**
 * Whole crawls of the default synthetic web, unthrottled: pages per second, processor time per page and where it goes.
 * The baseline is the single-machine crawler in the same run. `-- --agents 7 --pages 50000 --repeat 3`
 *
 * With `--base DIR`, a checkout that was built there is the baseline: the same crawls by both, interleaved.
 */
import { parseArgs } from 'node:util';
import { ACTIVITIES } from '#drumline/model/counters.js';
import type { Report } from '#drumline/run/report.js';
import { againstBase } from './against-base.js';
import { MAIN, mainOf, median, wholeCrawl } from './whole-crawl.js';

/** Threads share the cores, so their clocks run while others work: shares of the clock are taken of the processor time. */
function split(reports: Report[]): string {
  const cpuPerPage = median(reports.map((report) => (report.cpuSeconds * 1e6) / report.pages));
  const awake = ACTIVITIES.filter((name) => name !== 'asleep' && name !== 'setUp');
  const seconds = awake.map((name) =>
    median(reports.map((report) => report.perAgent.reduce((sum, agent) => sum + agent.seconds[name], 0))),
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
      base: { type: 'string' },
    },
  });
  const web = `synthetic:pages=${values.pages},seed=${values.seed}`;
  const agentCounts = [...new Set([0, 2, Number(values.agents)])];
  if (values.base !== undefined) {
    const base = mainOf(values.base);
    const compared = agentCounts.map((agents) => ({
      name: `${agents} agents`,
      measure: (isBase: boolean) => {
        const words = ['--agents', `${agents}`, '--web', web];
        const report = wholeCrawl(words, undefined, isBase ? base : MAIN);
        return { cpu: report.cpuSeconds / report.pages, memory: report.peakRssBytes };
      },
    }));
    await againstBase(compared, Number(values.repeat));
    return;
  }
  const runs = new Map<number, Report[]>(agentCounts.map((agents) => [agents, []]));
  for (let i = 0; i < Number(values.repeat); i++) {
    for (const [agents, reports] of runs) reports.push(wholeCrawl(['--agents', `${agents}`, '--web', web]));
  }
  console.log(`${values.pages} pages, seed ${values.seed}, median of ${values.repeat}`);
  const baseline = median(runs.get(0)!.map((report) => report.pagesPerSecond));
  for (const [agents, reports] of runs) {
    const speed = median(reports.map((report) => report.pagesPerSecond));
    const cpu = median(reports.map((report) => (report.cpuSeconds * 1e6) / report.pages));
    const exact = reports.every(({ coverage, overlap }) => coverage === 1 && overlap === 0);
    console.log(
      `${agents === 0 ? 'single machine' : `${agents} agents`}: ${speed.toFixed(0)} pages/s, ` +
        `${(speed / baseline).toFixed(2)} x single machine, ${cpu.toFixed(0)} us of processor a page` +
        `${exact ? '' : ', NOT EXACT'}`,
    );
    console.log(`  us a page: ${split(reports)}`);
  }
}
