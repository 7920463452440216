/** Figures 7 and 8: speed of the crawlers that were measured. */
import { formatCount } from '../model/quantity.js';
import type { Figure, Mark } from './figure.js';
import type { Findings } from './findings.js';
import type { MeasuredPoint } from './measured.js';
import { PAPER_AGENTS, PAPER_SPEED, paperSpeed } from './paper.js';
import { AGENTS_TITLE, columns, measuredSeries, perCent, series, speedPanel } from './speed-series.js';

const at = (points: readonly MeasuredPoint[], agents: number): MeasuredPoint | undefined =>
  points.find((point) => point.agents === agents);

/** The paper prints full coverage's speed for 7 agents only; the rest of its curve is its own model. */
const paperMarks = (): Mark[] =>
  PAPER_AGENTS.map((n) => ({ x: n, y: n === 7 ? PAPER_SPEED.sevenAgents : paperSpeed(n, 1) }));

export function figure7({ fullCoverage, twoLevel }: Findings): Figure {
  const full = at(fullCoverage, 7);
  const two = at(twoLevel, 7);
  const sentence =
    full === undefined || two === undefined
      ? 'Full coverage against two-level checking.'
      : `With 7 agents, full coverage crawls ${formatCount(full.speed.median)} pages/s and two-level checking, which ` +
        `drops URLs of other sites, ${formatCount(two.speed.median)}: full coverage is ` +
        `${difference(full.speed.median / two.speed.median)} (the paper: 1.2% slower).`;
  return {
    id: '7',
    title: 'Figure 7. Full coverage against two-level checking',
    sentence,
    panels: [
      speedPanel('', PAPER_AGENTS, [
        measuredSeries('full coverage', 0, 'line', fullCoverage),
        measuredSeries('two-level', 1, 'line', twoLevel),
        series('paper, full coverage', 'paper', 0, 'line', paperMarks()),
        series('paper, two-level', 'paper', 1, 'dots', [{ x: 7, y: PAPER_SPEED.sevenAgentsTwoLevel }]),
      ]),
    ],
    table: {
      columns: columns(
        ['n', 0],
        ['full coverage', 1],
        ['lowest', 1],
        ['highest', 1],
        ['two-level', 1],
        ['lowest', 1],
        ['highest', 1],
        ['full coverage slower by %', 2],
        ['paper, full coverage', 1],
        ['paper, two-level', 1],
      ),
      rows: PAPER_AGENTS.map((n, i) => {
        const a = at(fullCoverage, n)?.speed;
        const b = at(twoLevel, n)?.speed;
        return [
          n,
          ...[a?.median, a?.low, a?.high, b?.median, b?.low, b?.high].map((value) => value ?? null),
          a === undefined || b === undefined ? null : 100 * (1 - a.median / b.median),
          paperMarks()[i]!.y,
          n === 7 ? PAPER_SPEED.sevenAgentsTwoLevel : null,
        ];
      }),
    },
  };
}

export function figure8({ fullCoverage, single }: Findings): Figure {
  const base = single?.speed.median ?? Number.NaN;
  const one = at(fullCoverage, 1);
  const seven = at(fullCoverage, 7);
  const sentence =
    one === undefined || seven === undefined || single === null
      ? 'The parallel crawler against the single-machine crawler.'
      : `The single-machine crawler does ${formatCount(base)} pages/s; 1 agent is ${difference(one.speed.median / base)} ` +
        `(the paper: 0.58% slower), and 7 agents are ${(seven.speed.median / one.speed.median).toFixed(2)} times as fast ` +
        `as 1 agent (the paper: 6.91).`;
  const relative = ({ speed, agents }: MeasuredPoint): Mark => ({
    x: agents,
    y: speed.median / base,
    low: speed.low / base,
    high: speed.high / base,
  });
  const paper = paperMarks().map(({ x, y }) => ({ x, y: y / PAPER_SPEED.singleMachine }));
  return {
    id: '8',
    title: 'Figure 8. Against the single-machine crawler',
    sentence,
    panels: [
      {
        kind: 'lines',
        title: '',
        xTitle: AGENTS_TITLE,
        yTitle: 'Times the single machine',
        xTicks: PAPER_AGENTS,
        isLog: false,
        series: [
          series('this box', 'measured', 0, 'line', fullCoverage.map(relative)),
          series('paper', 'paper', 0, 'line', paper),
          series('n times the single machine', 'model', 2, 'line', [
            { x: 1, y: 1 },
            { x: 7, y: 7 },
          ]),
        ],
      },
    ],
    table: {
      columns: columns(
        ['crawler', 0],
        ['pages/s', 1],
        ['lowest', 1],
        ['highest', 1],
        ['times the single machine', 3],
        ['with the start of threads, pages/s', 1],
        ['paper, pages/s', 1],
        ['paper, times', 3],
      ),
      rows: [...(single === null ? [] : [single]), ...fullCoverage].map((point, i) => {
        const y =
          point.agents === 0
            ? PAPER_SPEED.singleMachine
            : paperMarks()[PAPER_AGENTS.indexOf(point.agents as 1)]!.y;
        return [
          point.agents === 0 ? 'single machine' : i === 1 ? '1 agent' : `${point.agents} agents`,
          point.speed.median,
          point.speed.low,
          point.speed.high,
          single === null ? null : point.speed.median / base,
          point.wholeSpeed.median,
          y,
          y / PAPER_SPEED.singleMachine,
        ];
      }),
    },
  };
}

function difference(ratio: number): string {
  return ratio <= 1 ? `${perCent(100 * (1 - ratio))} slower` : `${perCent(100 * (ratio - 1))} faster`;
}
