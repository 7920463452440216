/** `drumline evaluate`: the papers' experiments on this box, or questions to a cost model. */

import { join, resolve } from 'node:path';
import { CrawlLock } from '../checkpoint/crawl-lock.js';
import { answerFromModel } from '../evaluate/answers.js';
import { PAPER_MODEL } from '../evaluate/cost-model.js';
import { Evaluation } from '../evaluate/evaluation.js';
import { startEvaluationProgress } from '../evaluate/evaluation-progress.js';
import { FIGURES, type FigureNumber } from '../evaluate/experiment.js';
import { loadResults } from '../evaluate/results-file.js';
import { summariseFindings } from '../evaluate/summary.js';
import { writeReport } from '../evaluate/write-report.js';
import { oneLine, UsageError } from '../model/errors.js';
import { makeDirectories } from '../model/make-directories.js';
import { parseBitRate, parseBytes, parseMilliseconds, parseWholeNumber } from '../model/quantity.js';
import { complain, print } from '../model/terminal.js';
import { openWeb } from '../web/open-web.js';
import type { GivenOptions } from './arguments.js';
import { INTERRUPTED, StopSignals } from './stop-signals.js';

/** Seconds: what a user waits for, and a night. */
const QUICK_SECONDS = 560;
const FULL_SECONDS = 8 * 3600;
const MODEL_OPTIONS = ['model', 'pages', 'agents', 'total-bandwidth'];

export async function evaluateCommand(words: readonly string[], given: GivenOptions): Promise<number> {
  if (words.length > 0) throw new UsageError(`drumline evaluate takes options only, got '${words[0]}'`);
  const options = new Map<string, string | null>();
  for (const [name, value] of given) {
    if (options.has(name)) throw new UsageError(`--${name} is given twice`);
    options.set(name, value);
  }
  const read = <T>(name: string, fallback: T, what: string, parse: (text: string) => T | null): T => {
    const text = options.get(name);
    if (text === undefined || text === null) return fallback;
    const value = parse(text);
    if (value === null) throw new UsageError(`--${name} takes ${what}, got '${text}'`);
    return value;
  };
  if (MODEL_OPTIONS.some((name) => options.has(name))) return answer(options, read);
  return evaluate(options, read);
}

type Read = <T>(name: string, fallback: T, what: string, parse: (text: string) => T | null) => T;

async function evaluate(options: ReadonlyMap<string, string | null>, read: Read): Promise<number> {
  const milliseconds = read('max-duration', 0, 'a time like 10m or 8h', parseMilliseconds);
  const settings = {
    web: options.get('web') ?? 'synthetic',
    memory: read('memory', '1GB', 'a size like 1GB', (text) => (parseBytes(text) === null ? null : text)),
    repeat: read('repeat', 3, 'a whole number from 1', (text) => parseWholeNumber(text) || null),
    seconds: milliseconds / 1000 || (options.has('quick') ? QUICK_SECONDS : FULL_SECONDS),
  };
  const figures = read('figures', [...FIGURES], `numbers of ${FIGURES.join(',')}`, parseFigures);
  const kind = read('progress', process.stderr.isTTY ? 'bar' : 'plain', 'one of bar, plain, none', (text) =>
    text === 'bar' || text === 'plain' || text === 'none' ? text : null,
  );
  // A bad specification is told before anything is written.
  openWeb(settings.web).close();
  const out = resolve(options.get('out') ?? 'evaluation');
  try {
    makeDirectories(out);
  } catch (error) {
    throw new UsageError(`--out takes a directory that can be written, got '${out}': ${oneLine(error)}`);
  }
  const lock = CrawlLock.take(join(out, 'LOCK'));
  const signals = new StopSignals(() => process.exit(INTERRUPTED));
  const progress = startEvaluationProgress(kind, process.stderr);
  try {
    const command = `drumline evaluate ${repeatable(options)}`.trim();
    const evaluation = new Evaluation({ out, settings, figures, command }, progress);
    let isInterrupted = false;
    signals.onFirst(() => {
      isInterrupted = true;
      evaluation.kill();
    });
    try {
      const results = await evaluation.run();
      progress.stop();
      const written = writeReport(out, results, figures);
      print(`${summariseFindings(results)}\n  ${written.join('\n  ')}`);
      return 0;
    } catch (error) {
      if (!isInterrupted) throw error;
      progress.stop();
      complain('interrupted; the same command goes on from here');
      return INTERRUPTED;
    }
  } finally {
    progress.stop();
    signals.close();
    lock.release();
  }
}

function parseFigures(text: string): FigureNumber[] | null {
  const numbers = text.split(',').map(Number);
  return numbers.every((number) => FIGURES.includes(number as FigureNumber))
    ? FIGURES.filter((figure) => numbers.includes(figure))
    : null;
}

/** Options as they were given, but for where the results go. */
function repeatable(options: ReadonlyMap<string, string | null>): string {
  return [...options]
    .filter(([name]) => name !== 'out' && name !== 'progress')
    .map(([name, value]) => (value === null ? `--${name}` : `--${name} ${value}`))
    .join(' ');
}

/** `--model`: no crawl, answers only. */
function answer(options: ReadonlyMap<string, string | null>, read: Read): number {
  for (const name of options.keys())
    if (!MODEL_OPTIONS.includes(name))
      throw new UsageError(`--${name} goes with crawls; with --model there are none`);
  const from = options.get('model') ?? 'paper';
  const model = from === 'paper' ? PAPER_MODEL : loadResults(join(from, 'results.json'))?.findings?.model;
  if (model === undefined || model === null)
    throw new UsageError(`--model takes 'paper' or the directory of a finished evaluation, got '${from}'`);
  const text = answerFromModel(model, {
    pages: read('pages', 30e9, 'a number of pages like 30e9', positive),
    agents: read('agents', null, 'a whole number from 1', (text) => parseWholeNumber(text) || null),
    totalBandwidth: read('total-bandwidth', null, 'a rate like 10Gbit', parseBitRate),
  });
  print(text);
  return 0;
}

function positive(text: string): number | null {
  const value = Number(text);
  return text !== '' && Number.isFinite(value) && value > 0 ? value : null;
}
