/** Figures 7, 8, 11 and 12: crawling speed. */
import { formatCount } from '../model/quantity.js';
import { formatLong } from './answers.js';
import { bestAgents, type CostModel, crawlSeconds, modelledSpeed, PAPER_MODEL } from './cost-model.js';
import type { Figure, Mark, Series } from './figure.js';
import { distinct, type Findings, modelError } from './findings.js';
import type { MeasuredPoint } from './measured.js';
import { PAPER_AGENTS, PAPER_MILLIONS, PAPER_SPEED, paperSpeed, WEB_PAGES } from './paper.js';

const AGENTS_TITLE = 'Number of agents n';
const SPEED_TITLE = 'Pages per second';

const speedMark = (x: number, { speed }: MeasuredPoint): Mark => ({
  x,
  y: speed.median,
  low: speed.low,
  high: speed.high,
});

const at = (points: readonly MeasuredPoint[], agents: number): MeasuredPoint | undefined =>
  points.find((point) => point.agents === agents);

const perCent = (value: number): string => `${value.toFixed(2)}%`;

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
      {
        kind: 'lines',
        title: '',
        xTitle: AGENTS_TITLE,
        yTitle: SPEED_TITLE,
        xTicks: PAPER_AGENTS,
        isLog: false,
        series: [
          series(
            'full coverage',
            'measured',
            0,
            'line',
            fullCoverage.map((p) => speedMark(p.agents, p)),
          ),
          series(
            'two-level',
            'measured',
            1,
            'line',
            twoLevel.map((p) => speedMark(p.agents, p)),
          ),
          series('paper, full coverage', 'paper', 0, 'line', paperMarks()),
          series('paper, two-level', 'paper', 1, 'dots', [{ x: 7, y: PAPER_SPEED.sevenAgentsTwoLevel }]),
        ],
      },
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

export function figure11({ byPages, fullCoverage, model }: Findings): Figure {
  const points = distinct([...fullCoverage, ...byPages]);
  const worst =
    model === null ? null : Math.max(...points.map((point) => Math.abs(modelError(model, point))));
  const modelled = (list: readonly MeasuredPoint[], x: (point: MeasuredPoint) => number): Mark[] =>
    model === null ? [] : list.map((p) => ({ x: x(p), y: modelledSpeed(model, p.agents, p.pages) }));
  const thousands = ({ pages }: MeasuredPoint): number => pages / 1000;
  return {
    id: '11',
    title: 'Figure 11. The cost model against what was measured',
    sentence:
      worst === null
        ? 'The crawls do not determine a cost model.'
        : `The fitted model is within ${perCent(worst)} of the measured speed at every point.`,
    panels: [
      {
        kind: 'lines',
        title: 'by agents',
        xTitle: AGENTS_TITLE,
        yTitle: SPEED_TITLE,
        xTicks: PAPER_AGENTS,
        isLog: false,
        series: [
          series(
            'measured',
            'measured',
            0,
            'dots',
            fullCoverage.map((p) => speedMark(p.agents, p)),
          ),
          series(
            'model',
            'model',
            1,
            'line',
            modelled(fullCoverage, ({ agents }) => agents),
          ),
          series(
            "paper's model",
            'paper',
            1,
            'line',
            PAPER_AGENTS.map((n) => ({ x: n, y: paperSpeed(n, 1) })),
          ),
        ],
      },
      {
        kind: 'lines',
        title: 'by pages, 7 agents',
        xTitle: 'Pages crawled, thousands',
        yTitle: SPEED_TITLE,
        xTicks: byPages.map(thousands),
        isLog: true,
        series: [
          series(
            'measured',
            'measured',
            0,
            'dots',
            byPages.map((p) => speedMark(thousands(p), p)),
          ),
          series('model', 'model', 1, 'line', modelled(byPages, thousands)),
          series(
            "paper's model, m = 1 to 8",
            'paper',
            1,
            'line',
            byPages.map((p, i) => ({ x: thousands(p), y: paperSpeed(7, PAPER_MILLIONS[i]!) })),
          ),
        ],
      },
    ],
    table: {
      columns: columns(
        ['n', 0],
        ['pages', 0],
        ['measured', 1],
        ['lowest', 1],
        ['highest', 1],
        ['model', 1],
        ['model off by %', 2],
      ),
      rows: points.map((point) => [
        point.agents,
        point.pages,
        point.speed.median,
        point.speed.low,
        point.speed.high,
        model === null ? null : modelledSpeed(model, point.agents, point.pages),
        model === null ? null : modelError(model, point),
      ]),
    },
  };
}

const STEP = 20;
const MOST = 300;

export function figure12({ fullCoverage, model }: Findings): Figure {
  const curve = (of: CostModel): Mark[] =>
    Array.from({ length: MOST }, (_, i) => ({ x: i + 1, y: modelledSpeed(of, i + 1, WEB_PAGES) }));
  const described = (of: CostModel): string => {
    const best = bestAgents(of, WEB_PAGES, undefined, MOST);
    return (
      `${best === MOST ? 'still rises at' : 'is highest at'} ${best} agents, ` +
      `where 30 billion pages take ${formatLong(crawlSeconds(of, best, WEB_PAGES))}`
    );
  };
  const steps = Array.from({ length: MOST / STEP }, (_, i) => STEP * (i + 1));
  return {
    id: '12',
    title: 'Figure 12. Speed by number of agents for 30 billion pages',
    sentence:
      (model === null ? '' : `This box's model ${described(model)}; `) +
      `the paper's ${described(PAPER_MODEL)} (it names 180 and 55.8 hours). ` +
      'Dots are measured, with smaller crawls; the curves are modelled, here as in the paper: nobody ran 300 agents.',
    panels: [
      {
        kind: 'lines',
        title: '',
        xTitle: AGENTS_TITLE,
        yTitle: SPEED_TITLE,
        xTicks: [1, 50, 100, 150, 200, 250, 300],
        isLog: false,
        series: [
          series(
            'measured',
            'measured',
            0,
            'dots',
            fullCoverage.map((p) => speedMark(p.agents, p)),
          ),
          ...(model === null ? [] : [series('model of this box', 'model', 0, 'line', curve(model))]),
          series("paper's model", 'paper', 1, 'line', curve(PAPER_MODEL)),
        ],
      },
    ],
    table: {
      columns: columns(
        ['n', 0],
        ['model, pages/s', 0],
        ['hours', 1],
        ['paper, pages/s', 0],
        ['paper, hours', 1],
      ),
      rows: [1, 7, 31, ...steps]
        .map((n) => [
          n,
          model === null ? null : modelledSpeed(model, n, WEB_PAGES),
          model === null ? null : hours(model, n),
          modelledSpeed(PAPER_MODEL, n, WEB_PAGES),
          hours(PAPER_MODEL, n),
        ])
        .sort((a, b) => a[0]! - b[0]!),
    },
  };
}

function hours(model: CostModel, agents: number): number | null {
  const seconds = crawlSeconds(model, agents, WEB_PAGES);
  return Number.isFinite(seconds) ? seconds / 3600 : null;
}

function difference(ratio: number): string {
  return ratio <= 1 ? `${perCent(100 * (1 - ratio))} slower` : `${perCent(100 * (ratio - 1))} faster`;
}

function series(
  name: string,
  of: Series['of'],
  colour: number,
  style: Series['style'],
  marks: Mark[],
): Series {
  return { name, of, colour, style, marks };
}

export const columns = (...list: (readonly [name: string, digits: number])[]) =>
  list.map(([name, digits]) => ({ name, digits }));
