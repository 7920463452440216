/** Figures 9 and 10: what an agent loses to working together with others; and what they say to each other. */
import { modelledOverhead, PAPER_MODEL } from './cost-model.js';
import { MOST_AGENTS } from './experiment.js';
import type { BarPanel, Figure } from './figure.js';
import type { Findings } from './findings.js';
import { overheadOf } from './fit-model.js';
import type { MeasuredPoint } from './measured.js';
import {
  CHO_URLS_PER_PAGE,
  PAPER_AGENTS,
  PAPER_MILLIONS,
  PAPER_OVERHEADS_BY_PAGES,
  WLE_MOST_PER_CENT,
} from './paper.js';
import { OVERHEADS, type Overhead } from './run-result.js';
import { columns } from './speed-series.js';

const NAMES: Record<Overhead, string> = {
  agentSetUp: 'set-up of agents',
  coordinatorSetUp: 'set-up of coordinator and agent',
  siteUrlSending: 'sending site URLs',
  sitePartition: 'site partition information',
  pageUrlExchange: 'exchanging page URLs',
};
const Y_TITLE = 'Pages per second lost by an agent';
const AGENT_SET_UP = PAPER_OVERHEADS_BY_PAGES.agentSetUp[0];

const measuredParts = (point: MeasuredPoint, single: number): number[] =>
  OVERHEADS.map((name) => overheadOf(point, name, single));

const sum = (parts: readonly number[]): number => parts.reduce((total, part) => total + part, 0);

/** The paper prints no numbers for figure 9: these are its model's for a million pages. */
function paperPartsByAgents(agents: number): number[] {
  const { fixed, pageUrlExchange, sitePartition, siteUrlSending } = modelledOverhead(
    PAPER_MODEL,
    agents,
    1e6,
  );
  return [AGENT_SET_UP, fixed - AGENT_SET_UP, siteUrlSending, sitePartition, pageUrlExchange];
}

const paperPartsByPages = (i: number): number[] =>
  OVERHEADS.map((name) => PAPER_OVERHEADS_BY_PAGES[name][i]!);

function overheadFigure(
  id: string,
  title: string,
  xTitle: string,
  points: readonly MeasuredPoint[],
  single: number,
  label: (point: MeasuredPoint) => string,
  paperPoint: (i: number) => { agents: number; pages: number },
  paperParts: (i: number) => number[],
): Figure {
  const panel: BarPanel = {
    kind: 'bars',
    title: '',
    xTitle,
    yTitle: Y_TITLE,
    partNames: OVERHEADS.map((name) => NAMES[name]),
    groups: points.map((point, i) => ({
      label: label(point),
      bars: [
        { parts: measuredParts(point, single), isPaper: false },
        { parts: paperParts(i), isPaper: true },
      ],
    })),
  };
  const last = points.at(-1);
  const share = last === undefined ? 0 : (100 * sum(measuredParts(last, single))) / single;
  const paperLast = sum(paperParts(points.length - 1));
  return {
    id,
    title,
    sentence:
      last === undefined
        ? 'Nothing was measured.'
        : `At ${xTitle.toLowerCase()} ${label(last)}, working together takes ${share.toFixed(2)}% of an agent's time, ` +
          `as much as ${sum(measuredParts(last, single)).toFixed(1)} pages/s (the paper: ${paperLast.toFixed(1)}, ` +
          `which is ${((100 * paperLast) / PAPER_MODEL.singleMachine).toFixed(2)}%). The left bar of a pair is this box.`,
    panels: [panel],
    table: {
      columns: columns(
        ['n', 0],
        ['pages', 0],
        ['where', 0],
        ...OVERHEADS.map((name) => [NAMES[name], 2] as const),
        ['together', 2],
      ),
      rows: points.flatMap((point, i) => {
        const parts = measuredParts(point, single);
        const { agents, pages } = paperPoint(i);
        return [
          [point.agents, point.pages, 'here', ...parts, sum(parts)],
          [agents, pages, 'paper', ...paperParts(i), sum(paperParts(i))],
        ];
      }),
    },
  };
}

export function figure9({ fullCoverage, single }: Findings): Figure {
  return overheadFigure(
    '9',
    'Figure 9. What an agent loses, by number of agents',
    'Number of agents n',
    fullCoverage,
    single?.speed.median ?? 0,
    ({ agents }) => `${agents}`,
    (i) => ({ agents: PAPER_AGENTS[i] ?? 1, pages: 1e6 }),
    (i) => paperPartsByAgents(PAPER_AGENTS[i] ?? 1),
  );
}

export function figure10({ byPages, single }: Findings): Figure {
  return overheadFigure(
    '10',
    'Figure 10. What an agent of seven loses, by number of pages',
    'Thousands of pages',
    byPages,
    single?.speed.median ?? 0,
    ({ pages }) => (pages / 1000).toLocaleString('en-US', { maximumFractionDigits: 1 }),
    (i) => ({ agents: MOST_AGENTS, pages: (PAPER_MILLIONS[i] ?? 1) * 1e6 }),
    (i) => paperPartsByPages(Math.max(0, Math.min(i, PAPER_MILLIONS.length - 1))),
  );
}

export function communicationFigure({ fullCoverage }: Findings): Figure {
  const last = fullCoverage.at(-1);
  return {
    id: 'communication',
    title: 'Communication overhead',
    sentence:
      last === undefined
        ? 'Nothing was measured.'
        : `With ${last.agents} agents, ${last.urlsPerPage.toFixed(2)} URLs are exchanged per page (Cho and Garcia-Molina: 0.4 to ` +
          `0.8, with 1 link per page to other sites where this web has 4), which is ${last.bandwidthPerCent.toFixed(2)}% of ` +
          `the bandwidth (the WLE crawler: under ${WLE_MOST_PER_CENT}%).`,
    panels: [
      {
        kind: 'lines',
        title: 'URLs per page',
        xTitle: 'Number of agents n',
        yTitle: 'URLs exchanged per page',
        xTicks: [1, 2, 3, 5, 7, 16],
        isLog: false,
        series: [
          {
            name: 'this box',
            of: 'measured',
            colour: 0,
            style: 'line',
            marks: fullCoverage.map(({ agents, urlsPerPage }) => ({ x: agents, y: urlsPerPage })),
          },
          {
            name: 'Cho and Garcia-Molina',
            of: 'paper',
            colour: 1,
            style: 'line',
            marks: CHO_URLS_PER_PAGE.map(([x, y]) => ({ x, y })),
          },
        ],
      },
      {
        kind: 'lines',
        title: 'Share of the bandwidth',
        xTitle: 'Number of agents n',
        yTitle: 'Per cent of the bandwidth',
        xTicks: PAPER_AGENTS,
        isLog: false,
        series: [
          {
            name: 'this box',
            of: 'measured',
            colour: 0,
            style: 'line',
            marks: fullCoverage.map(({ agents, bandwidthPerCent }) => ({ x: agents, y: bandwidthPerCent })),
          },
          {
            name: 'WLE crawler, under',
            of: 'paper',
            colour: 1,
            style: 'line',
            marks: [
              { x: 1, y: WLE_MOST_PER_CENT },
              { x: 7, y: WLE_MOST_PER_CENT },
            ],
          },
        ],
      },
    ],
    table: {
      columns: columns(
        ['n', 0],
        ['URLs per page', 3],
        ['per cent of the bandwidth', 3],
        ['Cho, URLs per page', 1],
      ),
      rows: fullCoverage.map(({ agents, bandwidthPerCent, urlsPerPage }) => [
        agents,
        urlsPerPage,
        bandwidthPerCent,
        CHO_URLS_PER_PAGE.find(([n]) => n === agents)?.[1] ?? null,
      ]),
    },
  };
}
