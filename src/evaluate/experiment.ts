/** Which crawls an evaluation consists of, how large they are, and in which order they run. */
import type { LinkRule } from '../model/web.js';
import { PAPER_AGENTS, PAPER_MILLIONS } from './paper.js';

/** One kind of crawl; it is repeated. */
export interface Point {
  /** 0 is the single-machine crawler. */
  readonly agents: number;
  readonly links: LinkRule;
  /** The crawl stops after so many. */
  readonly pages: number;
}

export interface PlannedRun extends Point {
  readonly repetition: number;
}

/** How many pages are crawled. */
export interface Scale {
  /**
   * `total`: the paper's way, the same number of pages for any number of agents. `per-agent`: the same for each agent,
   * so that all crawls take as long; a crawl with many agents would be too short to measure otherwise.
   */
  readonly by: 'total' | 'per-agent';
  readonly pages: number;
}

export const FIGURES = [7, 8, 9, 10, 11, 12] as const;
export type FigureNumber = (typeof FIGURES)[number];

export const MOST_AGENTS = Math.max(...PAPER_AGENTS);
/**
 * Of the paper's 1, 2, 4 and 8 million pages, the one that stands for a crawl of the others' length if these are shorter
 * than the paper's: the smallest must not be over before the code of its threads is warm.
 */
const COMMON_MILLIONS = 4;
/** Seconds that a run takes besides crawling: starting, counting what could be reached, cleaning up. */
const SECONDS_PER_RUN = 1;
const SECONDS_PER_AGENT = 0.15;
/** A shorter crawl shows nothing. */
const LEAST_PAGES = 20;

const pagesFor = (agents: number, { by, pages }: Scale): number =>
  Math.round(by === 'total' ? pages : pages * Math.max(1, agents));

const isNeeded = (figures: readonly FigureNumber[], by: readonly FigureNumber[]): boolean =>
  figures.some((figure) => by.includes(figure));

/** The crawls by number of pages, all with the most agents; the smallest is the unit that m counts in. */
export function pageSteps(scale: Scale): number[] {
  const base = pagesFor(MOST_AGENTS, scale);
  return PAPER_MILLIONS.map((m) =>
    Math.round(scale.by === 'total' ? base * m : (base * m) / COMMON_MILLIONS),
  );
}

export const singlePoint = (scale: Scale): Point => ({
  agents: 0,
  links: 'full-coverage',
  pages: pagesFor(0, scale),
});

export const agentPoint = (agents: number, links: LinkRule, scale: Scale): Point => ({
  agents,
  links,
  pages: pagesFor(agents, scale),
});

/** All kinds of crawls that the figures are drawn from, each once. */
export function pointsFor(figures: readonly FigureNumber[], scale: Scale): Point[] {
  const points: Point[] = [];
  if (isNeeded(figures, [8, 9, 10, 11, 12])) points.push(singlePoint(scale));
  if (isNeeded(figures, [7, 8, 9, 11, 12]))
    points.push(...PAPER_AGENTS.map((n) => agentPoint(n, 'full-coverage', scale)));
  if (isNeeded(figures, [7])) points.push(...PAPER_AGENTS.map((n) => agentPoint(n, 'two-level', scale)));
  if (isNeeded(figures, [10, 11, 12]))
    points.push(
      ...pageSteps(scale).map((pages): Point => ({ agents: MOST_AGENTS, links: 'full-coverage', pages })),
    );
  return [...new Map(points.map((point) => [pointKey(point), point])).values()];
}

export const pointKey = ({ agents, links, pages }: Point): string => `${agents} ${links} ${pages}`;

export const runKey = (run: PlannedRun): string => `${pointKey(run)} ${run.repetition}`;

/** Round by round, every second one backwards: a machine that grows slower or faster does so for all alike. */
export function planRuns(points: readonly Point[], repeat: number): PlannedRun[] {
  return Array.from({ length: repeat }, (_, repetition) => {
    const round = points.map((point): PlannedRun => ({ ...point, repetition }));
    return repetition % 2 === 0 ? round : round.reverse();
  }).flat();
}

/** How long a run takes if each agent crawls `rate` pages per second. */
export function expectedSeconds({ agents, pages }: Point, rate: number): number {
  return SECONDS_PER_RUN + SECONDS_PER_AGENT * agents + pages / (rate * Math.max(1, agents));
}

/**
 * The paper's numbers of pages if `seconds` allow, and the web has them; else as many for each agent as they allow.
 * `rate` is pages per second and agent, `mostPages` what can be crawled of the web.
 */
export function chooseScale(
  figures: readonly FigureNumber[],
  repeat: number,
  seconds: number,
  rate: number,
  mostPages: number,
): Scale {
  const paper: Scale = { by: 'total', pages: 1e6 };
  const secondsOf = (scale: Scale): number =>
    repeat * pointsFor(figures, scale).reduce((sum, point) => sum + expectedSeconds(point, rate), 0);
  if (pageSteps(paper).every((pages) => pages <= mostPages) && secondsOf(paper) <= seconds) return paper;
  const probe: Scale = { by: 'per-agent', pages: 1e6 };
  const runs = repeat * pointsFor(figures, probe).length;
  const besides = secondsOf(probe) - crawlingSeconds(figures, repeat, probe, rate);
  const perPage = crawlingSeconds(figures, repeat, probe, rate) / probe.pages;
  const affordable = runs === 0 ? 0 : (seconds - besides) / perPage;
  const share = Math.max(...pageSteps(probe)) / probe.pages;
  const pages = Math.floor(Math.min(affordable, mostPages / share));
  return { by: 'per-agent', pages: Math.max(LEAST_PAGES, pages) };
}

function crawlingSeconds(
  figures: readonly FigureNumber[],
  repeat: number,
  scale: Scale,
  rate: number,
): number {
  return (
    repeat *
    pointsFor(figures, scale).reduce(
      (sum, { agents, pages }) => sum + pages / (rate * Math.max(1, agents)),
      0,
    )
  );
}
