/** How far an evaluation is: a bar with the time left on a terminal, a line for each crawl elsewhere, or nothing. */
import { SingleBar } from 'cli-progress';
import { formatDuration } from '../model/quantity.js';

export interface EvaluationProgress {
  /** So many seconds are to come, in crawls that are done or not. */
  plan(seconds: number): void;
  begin(what: string): void;
  /** A crawl that was planned to take so many seconds is done. */
  done(seconds: number): void;
  stop(): void;
}

const REDRAW = 500;
const SHORT_BAR = 20;

class BarProgress implements EvaluationProgress {
  readonly #bar: SingleBar;
  readonly #timer: NodeJS.Timeout;
  #total = 0;
  #done = 0;
  #what = '';
  #begunAt = performance.now();

  constructor(stream: NodeJS.WriteStream) {
    this.#bar = new SingleBar({
      format: '[{bar}] {percentage}%  {left} left  {what}',
      stream,
      barsize: SHORT_BAR,
      barCompleteChar: '#',
      barIncompleteChar: '.',
      hideCursor: true,
      clearOnComplete: true,
      linewrap: false,
    });
    this.#bar.start(1, 0, { left: '?', what: '' });
    this.#timer = setInterval(() => this.#draw(), REDRAW);
  }

  plan(seconds: number): void {
    this.#total = seconds;
    this.#done = 0;
    this.#bar.setTotal(Math.max(1, seconds));
  }

  begin(what: string): void {
    this.#what = what;
    this.#begunAt = performance.now();
    this.#draw();
  }

  done(seconds: number): void {
    this.#done += seconds;
    this.#begunAt = performance.now();
    this.#draw();
  }

  #draw(): void {
    const seconds = Math.min(this.#total, this.#done + (performance.now() - this.#begunAt) / 1000);
    this.#bar.update(seconds, { left: formatDuration(this.#total - seconds), what: this.#what });
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#bar.stop();
  }
}

class PlainProgress implements EvaluationProgress {
  readonly #stream: NodeJS.WriteStream;
  #left = 0;

  constructor(stream: NodeJS.WriteStream) {
    this.#stream = stream;
  }

  plan(seconds: number): void {
    this.#left = seconds;
  }

  begin(what: string): void {
    this.#stream.write(`${what}; ${formatDuration(this.#left)} left\n`);
  }

  done(seconds: number): void {
    this.#left = Math.max(0, this.#left - seconds);
  }

  stop(): void {}
}

const NO_PROGRESS: EvaluationProgress = { plan: () => {}, begin: () => {}, done: () => {}, stop: () => {} };

export function startEvaluationProgress(
  kind: 'bar' | 'plain' | 'none',
  stream: NodeJS.WriteStream,
): EvaluationProgress {
  if (kind === 'none') return NO_PROGRESS;
  return kind === 'bar' ? new BarProgress(stream) : new PlainProgress(stream);
}
