/** What is kept of a crawl: its speed, and what its agents spent their time on beside crawling. */
import type { Activity } from '../model/counters.js';
import type { AgentReport, Report } from '../run/report.js';
import type { PlannedRun } from './experiment.js';

/** The five overheads of the paper (section 5.1), as agents measure them. */
export const OVERHEADS = [
  'agentSetUp',
  'coordinatorSetUp',
  'siteUrlSending',
  'sitePartition',
  'pageUrlExchange',
] as const satisfies readonly Activity[];
export type Overhead = (typeof OVERHEADS)[number];

export interface RunResult extends PlannedRun {
  /** When it ended. */
  readonly at: string;
  readonly crawledPages: number;
  readonly bytes: number;
  /** The whole crawl, with the start of its threads. */
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly peakRssBytes: number;
  /** From when an agent's thread had loaded its code to the end, mean of the agents. */
  readonly agentSeconds: number;
  /** Of that, the share of each overhead, mean of the agents. */
  readonly overheadShares: Readonly<Record<Overhead, number>>;
  readonly pageUrlsExchanged: number;
  readonly siteUrlsSent: number;
  readonly exchangedBytes: number;
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

const ownSeconds = ({ seconds }: AgentReport): number =>
  Object.values(seconds).reduce((sum, value) => sum + value, 0);

export function readResult(run: PlannedRun, report: Report, at: string): RunResult {
  const share = (overhead: Overhead): number =>
    mean(report.perAgent.map((agent) => agent.seconds[overhead] / Math.max(1e-9, ownSeconds(agent))));
  return {
    agents: run.agents,
    links: run.links,
    pages: run.pages,
    repetition: run.repetition,
    at,
    crawledPages: report.pages,
    bytes: report.bytes,
    seconds: report.seconds,
    cpuSeconds: report.cpuSeconds,
    peakRssBytes: report.peakRssBytes,
    agentSeconds: mean(report.perAgent.map(ownSeconds)),
    overheadShares: Object.fromEntries(OVERHEADS.map((name) => [name, share(name)])) as Record<
      Overhead,
      number
    >,
    pageUrlsExchanged: report.pageUrlsExchanged,
    siteUrlsSent: report.siteUrlsSent,
    exchangedBytes: report.exchangedBytes,
  };
}
