/**
 * An evaluation from start to end: finds out what this box can do, chooses bandwidth and size of the crawls, runs those
 * that are not done yet, and writes the report. Every finished crawl is saved at once.
 */
import { readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DrumlineError } from '../model/errors.js';
import { makeDirectories } from '../model/make-directories.js';
import { formatBitRate } from '../model/quantity.js';
import { openWeb } from '../web/open-web.js';
import { summariseWeb } from '../web/summarise-web.js';
import type { Calibration } from './calibration.js';
import { CrawlProcess } from './crawl-process.js';
import { readEnvironment } from './environment.js';
import type { EvaluationProgress } from './evaluation-progress.js';
import {
  chooseScale,
  expectedSeconds,
  type FigureNumber,
  MOST_AGENTS,
  type PlannedRun,
  pageSteps,
  planRuns,
  pointsFor,
  runKey,
} from './experiment.js';
import { findOut } from './findings.js';
import { spreadOf } from './measured.js';
import { PAPER_BANDWIDTH } from './paper.js';
import { type Results, resumeResults, type Settings, saveResults } from './results-file.js';
import { readResult } from './run-result.js';

export interface EvaluationInput {
  readonly out: string;
  readonly settings: Settings;
  readonly figures: readonly FigureNumber[];
  /** How to repeat it. */
  readonly command: string;
}

/** Of what the box can do without throttle, so much is asked for: an overhead shows only where the network is the limit. */
const MOST_LOAD = 0.7;
/** Of a web's pages, so many are crawled: near the end an agent may run out of work before the others. */
const MOST_OF_WEB = 0.6;
const CALIBRATION_PAGES = 400_000;
const CALIBRATION_SECONDS = 4;
const CRAWL_PREFIX = 'crawl-';

export class Evaluation {
  readonly #input: EvaluationInput;
  readonly #path: string;
  readonly #results: Results;
  readonly #process: CrawlProcess;
  readonly #progress: EvaluationProgress;

  /** Throws if the directory holds another evaluation. */
  constructor(input: EvaluationInput, progress: EvaluationProgress) {
    const { command, out, settings } = input;
    makeDirectories(out);
    this.#input = input;
    this.#progress = progress;
    this.#path = join(out, 'results.json');
    const environment = readEnvironment(out);
    this.#results = resumeResults(this.#path, settings) ?? {
      version: 1,
      command,
      settings,
      environment,
      calibration: null,
      runs: [],
      findings: null,
    };
    removeCrawls(out);
    this.#process = new CrawlProcess(join(out, `${CRAWL_PREFIX}${process.pid}`));
  }

  /** Ends the crawl under way, and `run` with it. */
  kill(): void {
    this.#process.kill();
  }

  async run(): Promise<Results> {
    const { figures, settings } = this.#input;
    const results = this.#results;
    const begun = performance.now();
    results.calibration ??= await this.#calibrate(begun);
    saveResults(this.#path, results);
    const calibration = results.calibration;
    const rate = rateOf(calibration);
    const done = new Set(results.runs.map(runKey));
    const planned = planRuns(pointsFor(figures, calibration.scale), settings.repeat);
    const seconds = planned.map((run) => expectedSeconds(run, rate));
    this.#progress.plan(seconds.reduce((sum, value) => sum + value, 0));
    for (const [i, run] of planned.entries()) {
      if (!done.has(runKey(run))) {
        this.#progress.begin(`${describe(run)}, ${run.repetition + 1} of ${settings.repeat}`);
        results.runs.push(await this.#crawl(run, calibration));
        saveResults(this.#path, results);
      }
      this.#progress.done(seconds[i]!);
    }
    // Once more: the crawl of an evaluation that was killed may have written on for a moment.
    removeCrawls(dirname(this.#path));
    results.findings = findOut(calibration, results.runs);
    saveResults(this.#path, results);
    return results;
  }

  async #crawl(run: PlannedRun, { bandwidth, web }: Calibration) {
    const report = await this.#process.run({
      agents: run.agents,
      links: run.links,
      web,
      memory: this.#input.settings.memory,
      more: ['--target-pages', `${run.pages}`, '--bandwidth', `${bandwidth}bit`],
    });
    return readResult(run, report, new Date().toISOString());
  }

  /** Short crawls without throttle say what the box can do; the rest of the time decides how long the others may be. */
  async #calibrate(begun: number): Promise<Calibration> {
    const { figures, settings } = this.#input;
    const isOpen = isSynthetic(settings.web) && !/[:,]pages=/.test(settings.web);
    const web = isOpen ? withPages(settings.web, CALIBRATION_PAGES) : settings.web;
    const crawls: { pages: number; bytes: number; perSecond: number }[] = [];
    this.#progress.plan(settings.repeat);
    for (let i = 0; i < settings.repeat; i++) {
      this.#progress.begin(`what ${MOST_AGENTS} agents can do here, ${i + 1} of ${settings.repeat}`);
      const report = await this.#process.run({
        agents: MOST_AGENTS,
        links: 'full-coverage',
        web,
        memory: settings.memory,
        more: ['--max-duration', `${CALIBRATION_SECONDS}s`],
      });
      const run: PlannedRun = { agents: MOST_AGENTS, links: 'full-coverage', pages: 0, repetition: i };
      const { agentSeconds, bytes, crawledPages } = readResult(run, report, '');
      crawls.push({ pages: crawledPages, bytes, perSecond: crawledPages / agentSeconds });
      this.#progress.done(1);
    }
    if (crawls.some(({ pages }) => pages === 0))
      throw new DrumlineError(
        'NO_PAGES',
        `a crawl of ${web} fetched no page within ${CALIBRATION_SECONDS} s`,
      );
    const bytesPerPage = sum(crawls, 'bytes') / sum(crawls, 'pages');
    const pagesPerSecond = spreadOf(crawls.map(({ perSecond }) => perSecond)).median;
    const bitsPerSecond = pagesPerSecond * bytesPerPage * 8;
    const bandwidth = Math.floor(Math.min(PAPER_BANDWIDTH, (MOST_LOAD * bitsPerSecond) / MOST_AGENTS));
    const rate = bandwidth / 8 / bytesPerPage;
    const left = settings.seconds - (performance.now() - begun) / 1000;
    const mostPages = isOpen ? Number.POSITIVE_INFINITY : MOST_OF_WEB * pagesOf(settings.web);
    const scale = chooseScale(figures, settings.repeat, left, rate, mostPages);
    const largest = Math.max(...pageSteps(scale), scale.pages);
    const chosen = isOpen ? withPages(settings.web, Math.ceil(largest / MOST_OF_WEB)) : settings.web;
    return { pagesPerSecond, bitsPerSecond, bandwidth, bytesPerPage, scale, web: openedSpec(chosen) };
  }
}

/** Pages per second that an agent's bandwidth allows. */
export const rateOf = ({ bandwidth, bytesPerPage }: Calibration): number => bandwidth / 8 / bytesPerPage;

function describe({ agents, links, pages }: PlannedRun): string {
  const who = agents === 0 ? 'single machine' : agents === 1 ? '1 agent' : `${agents} agents`;
  return `${who}, ${agents === 0 ? '' : `${links}, `}${pages.toLocaleString('en-US')} pages`;
}

const sum = <K extends string>(items: readonly Record<K, number>[], name: K): number =>
  items.reduce((total, item) => total + item[name], 0);

const isSynthetic = (web: string): boolean => web === 'synthetic' || web.startsWith('synthetic:');
const withPages = (web: string, pages: number): string =>
  `${web}${web.includes(':') ? ',' : ':'}pages=${pages}`;

function withWeb<T>(spec: string, use: (web: ReturnType<typeof openWeb>) => T): T {
  const web = openWeb(spec);
  try {
    return use(web);
  } finally {
    web.close();
  }
}

const openedSpec = (spec: string): string => withWeb(spec, (web) => web.spec);
const pagesOf = (spec: string): number =>
  withWeb(spec, (web) => web.truth?.pages ?? summariseWeb(web)?.pages ?? 0);

/** How the bandwidth was chosen, as a sentence. */
export function explainBandwidth({ bandwidth, bitsPerSecond }: Calibration): string {
  const asked = `${MOST_AGENTS} x ${formatBitRate(PAPER_BANDWIDTH)}`;
  const can = `Without throttle, ${MOST_AGENTS} agents get ${formatBitRate(bitsPerSecond)} on this box.`;
  const part = `${Math.round(100 * MOST_LOAD)}% of that`;
  return bandwidth >= PAPER_BANDWIDTH
    ? `${can} The paper's ${asked} is not above ${part}, so each agent is given the paper's ${formatBitRate(bandwidth)}.`
    : `${can} The paper's ${asked} is above ${part}, so each agent is given ${formatBitRate(bandwidth)} instead: an overhead can only be seen where the network is the limit.`;
}

/** What an evaluation that was killed left behind. */
function removeCrawls(out: string): void {
  for (const name of readdirSync(out).filter((name) => name.startsWith(CRAWL_PREFIX)))
    rmSync(join(out, name), { recursive: true, force: true });
}
