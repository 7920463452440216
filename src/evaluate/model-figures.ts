/** Figures 11 and 12: the cost model, against what was measured and beyond it. */
import { formatLong } from './answers.js';
import { bestAgents, type CostModel, crawlSeconds, modelledSpeed, PAPER_MODEL } from './cost-model.js';
import type { Figure, Mark } from './figure.js';
import { distinct, type Findings, modelError } from './findings.js';
import type { MeasuredPoint } from './measured.js';
import { PAPER_AGENTS, PAPER_MILLIONS, paperSpeed, WEB_PAGES } from './paper.js';
import { columns, measuredSeries, perCent, SPEED_TITLE, series, speedPanel } from './speed-series.js';

/** Agents between two rows of figure 12, and the most of its curves. */
const STEP = 20;
const MOST = 300;

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
      speedPanel('by agents', PAPER_AGENTS, [
        measuredSeries('measured', 0, 'dots', fullCoverage),
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
      ]),
      {
        kind: 'lines',
        title: 'by pages, 7 agents',
        xTitle: 'Pages crawled, thousands',
        yTitle: SPEED_TITLE,
        xTicks: byPages.map(thousands),
        isLog: true,
        series: [
          measuredSeries('measured', 0, 'dots', byPages, thousands),
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
      speedPanel(
        '',
        [1, 50, 100, 150, 200, 250, 300],
        [
          measuredSeries('measured', 0, 'dots', fullCoverage),
          ...(model === null ? [] : [series('model of this box', 'model', 0, 'line', curve(model))]),
          series("paper's model", 'paper', 1, 'line', curve(PAPER_MODEL)),
        ],
      ),
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
