/** Medians and spread of the repeated crawls of a kind. */
import { type Point, pointKey } from './experiment.js';
import { OVERHEADS, type Overhead, type RunResult } from './run-result.js';

export interface Spread {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

export interface MeasuredPoint extends Point {
  readonly runs: number;
  /**
   * Pages per second of all agents together, from when their threads had loaded their code. In pages of the mean size of
   * all crawls: a crawl's own pages are some tenths of a per cent larger or smaller, which would count as speed.
   */
  readonly speed: Spread;
  /** The same over the whole time, with the start of the threads. */
  readonly wholeSpeed: Spread;
  /** Share of an agent's time. */
  readonly overheadShares: Readonly<Record<Overhead, number>>;
  /** Cho's measure. */
  readonly urlsPerPage: number;
  /** The WLE paper's measure: bytes of URLs exchanged, of these and those of pages, in per cent. */
  readonly bandwidthPerCent: number;
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  const median = (sorted[Math.floor(middle)]! + sorted[Math.ceil(middle)]!) / 2;
  return { median, low: sorted[0]!, high: sorted.at(-1)! };
}

export const bytesPerPage = (runs: readonly RunResult[]): number =>
  runs.reduce((sum, { bytes }) => sum + bytes, 0) /
  runs.reduce((sum, { crawledPages }) => sum + crawledPages, 0);

/** Null if no such crawl was run. */
export function measuredPoint(point: Point, all: readonly RunResult[]): MeasuredPoint | null {
  const runs = all.filter((run) => pointKey(run) === pointKey(point));
  if (runs.length === 0) return null;
  const size = bytesPerPage(all);
  const over = (figure: (run: RunResult) => number): Spread => spreadOf(runs.map(figure));
  return {
    ...point,
    runs: runs.length,
    speed: over(({ bytes, agentSeconds }) => bytes / size / agentSeconds),
    wholeSpeed: over(({ bytes, seconds }) => bytes / size / seconds),
    overheadShares: Object.fromEntries(
      OVERHEADS.map((name) => [name, over(({ overheadShares }) => overheadShares[name]).median]),
    ) as Record<Overhead, number>,
    urlsPerPage: over(({ pageUrlsExchanged, crawledPages }) => pageUrlsExchanged / crawledPages).median,
    bandwidthPerCent: over(({ exchangedBytes, bytes }) => (100 * exchangedBytes) / (exchangedBytes + bytes))
      .median,
  };
}
