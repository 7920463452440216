/** What an evaluation found: the measured points by experiment, the fitted model, and this box beside the paper. */
import type { Calibration } from './calibration.js';
import type { CostModel } from './cost-model.js';
import { modelledSpeed } from './cost-model.js';
import { agentPoint, MOST_AGENTS, type Point, pageSteps, singlePoint } from './experiment.js';
import { fitModel } from './fit-model.js';
import { type MeasuredPoint, measuredPoint } from './measured.js';
import { PAPER_AGENTS, PAPER_FULL_COVERAGE_LOSS, PAPER_ONE_AGENT_LOSS, PAPER_SPEED_UP } from './paper.js';
import type { RunResult } from './run-result.js';

/** A result that the paper has, too, over the whole time of a crawl. `loaded` is without the start of the threads. */
export interface Verdict {
  readonly name: string;
  readonly unit: '' | '%';
  readonly here: number;
  readonly loaded: number | null;
  readonly paper: number | null;
  /** What is asked for: at least or at most this. */
  readonly bar: number;
  readonly isLeast: boolean;
  readonly isMet: boolean;
}

export interface Findings {
  readonly single: MeasuredPoint | null;
  /** By number of agents. */
  readonly fullCoverage: readonly MeasuredPoint[];
  readonly twoLevel: readonly MeasuredPoint[];
  /** By number of pages, with the most agents. */
  readonly byPages: readonly MeasuredPoint[];
  readonly model: CostModel | null;
  readonly verdicts: readonly Verdict[];
}

const SPEED_UP_BAR = 6.9;
const ONE_AGENT_BAR = 0.6;
const FULL_COVERAGE_BAR = 1.2;
const MODEL_BAR = 3;

export function findOut(calibration: Calibration, runs: readonly RunResult[]): Findings {
  const { bandwidth, scale } = calibration;
  const measured = (points: readonly Point[]): MeasuredPoint[] =>
    points.map((point) => measuredPoint(point, runs)).filter((point) => point !== null);
  const single = measuredPoint(singlePoint(scale), runs);
  const fullCoverage = measured(PAPER_AGENTS.map((n) => agentPoint(n, 'full-coverage', scale)));
  const twoLevel = measured(PAPER_AGENTS.map((n) => agentPoint(n, 'two-level', scale)));
  const steps = pageSteps(scale);
  const byPages = measured(
    steps.map((pages): Point => ({ agents: MOST_AGENTS, links: 'full-coverage', pages })),
  );
  const points = distinct([...fullCoverage, ...byPages]);
  // Without crawls of several sizes, what pages cost can't be told from what agents cost.
  const model =
    single === null || byPages.length < 2 || fullCoverage.length < 2
      ? null
      : fitModel(points, single.speed.median, bandwidth, steps[0]!);
  const found = { single, fullCoverage, twoLevel, byPages, model };
  return { ...found, verdicts: verdictsOf(found) };
}

/** The crawls that the model is fitted to and compared with. */
export function distinct(points: readonly MeasuredPoint[]): MeasuredPoint[] {
  return [...new Map(points.map((point) => [`${point.agents} ${point.pages}`, point])).values()];
}

/** How far the model is off a measured point, in per cent. */
export const modelError = (model: CostModel, { agents, pages, speed }: MeasuredPoint): number =>
  100 * (modelledSpeed(model, agents, pages) / speed.median - 1);

function verdictsOf({
  single,
  fullCoverage,
  twoLevel,
  byPages,
  model,
}: Omit<Findings, 'verdicts'>): Verdict[] {
  const one = fullCoverage.find(({ agents }) => agents === 1);
  const most = fullCoverage.find(({ agents }) => agents === MOST_AGENTS);
  const mostTwoLevel = twoLevel.find(({ agents }) => agents === MOST_AGENTS);
  const verdicts: Verdict[] = [];
  const atMost = (
    name: string,
    here: number,
    loaded: number | null,
    paper: number | null,
    bar: number,
  ): void => {
    verdicts.push({ name, unit: '%', here, loaded, paper, bar, isLeast: false, isMet: here <= bar });
  };
  const loss = (slow: MeasuredPoint, fast: MeasuredPoint, kind: 'speed' | 'wholeSpeed'): number =>
    100 * (1 - slow[kind].median / fast[kind].median);
  if (one !== undefined && most !== undefined) {
    const here = most.wholeSpeed.median / one.wholeSpeed.median;
    verdicts.push({
      name: `${MOST_AGENTS} agents are so many times as fast as 1 agent`,
      unit: '',
      here,
      loaded: most.speed.median / one.speed.median,
      paper: PAPER_SPEED_UP,
      bar: SPEED_UP_BAR,
      isLeast: true,
      isMet: here >= SPEED_UP_BAR,
    });
  }
  if (one !== undefined && single !== null)
    atMost(
      '1 agent is slower than the single-machine crawler by',
      loss(one, single, 'wholeSpeed'),
      loss(one, single, 'speed'),
      100 * PAPER_ONE_AGENT_LOSS,
      ONE_AGENT_BAR,
    );
  if (most !== undefined && mostTwoLevel !== undefined)
    atMost(
      `full coverage is slower than two-level by (${MOST_AGENTS} agents)`,
      loss(most, mostTwoLevel, 'wholeSpeed'),
      loss(most, mostTwoLevel, 'speed'),
      100 * PAPER_FULL_COVERAGE_LOSS,
      FULL_COVERAGE_BAR,
    );
  if (model !== null) {
    const errors = distinct([...fullCoverage, ...byPages]).map((point) => Math.abs(modelError(model, point)));
    atMost(
      'the cost model is off the measured speeds by at most',
      Math.max(...errors),
      null,
      null,
      MODEL_BAR,
    );
  }
  return verdicts;
}
