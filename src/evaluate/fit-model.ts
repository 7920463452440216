/** Fits the paper's cost model to overheads measured on this box (fc2l-udcbot, section 5.2), by least squares. */
import type { Coefficients, CostModel } from './cost-model.js';
import { leastSquares } from './least-squares.js';
import type { MeasuredPoint } from './measured.js';
import type { Overhead } from './run-result.js';

/** Pages per second that an agent loses to an overhead: the share of its time, of the single machine's speed. */
export const overheadOf = (point: MeasuredPoint, name: Overhead, singleMachine: number): number =>
  point.overheadShares[name] * singleMachine;

/**
 * `points` are the crawls with full coverage and agents; `unit` is the number of pages that m counts in. Null if the
 * crawls do not determine the model: it takes several numbers of agents and of pages.
 */
export function fitModel(
  points: readonly MeasuredPoint[],
  singleMachine: number,
  bandwidth: number,
  unit: number,
): CostModel | null {
  const logM = ({ pages }: MeasuredPoint): number => Math.log2(pages / unit);
  const fit = (names: readonly Overhead[], terms: (point: MeasuredPoint) => number[]): number[] | null =>
    leastSquares(
      points.map(terms),
      points.map((point) => names.reduce((sum, name) => sum + overheadOf(point, name, singleMachine), 0)),
    );
  const fixed = fit(['agentSetUp', 'coordinatorSetUp'], () => [1]);
  const sending = fit(['siteUrlSending'], (point) => [1, logM(point)]);
  const partition = fit(['sitePartition'], (point) => [1, point.agents, logM(point)]);
  const exchange = fit(['pageUrlExchange'], (point) => [point.agents - 1, logM(point)]);
  if (fixed === null || sending === null || partition === null || exchange === null) return null;
  const coefficients: Coefficients = {
    fixed: fixed[0]!,
    a: sending[0]!,
    b: sending[1]!,
    c: partition[0]!,
    d: partition[1]!,
    e: partition[2]!,
    f: exchange[0]!,
    g: exchange[1]!,
  };
  return { singleMachine, bandwidth, unit, coefficients };
}
