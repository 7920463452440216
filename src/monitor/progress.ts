/** What a person sees while a crawl runs: bars on a terminal, plain lines elsewhere, or nothing. */
import { MultiBar, type SingleBar } from 'cli-progress';
import { type AgentCounters, total } from '../model/counters.js';
import { formatBytes, formatCount, formatDuration } from '../model/quantity.js';
import { LIMITING, type Pause, PolitenessLimit } from './politeness-limit.js';

export interface Progress {
  /** Shows the state as it is now, if it is time to. */
  tick(): void;
  stop(): void;
}

export interface ProgressInput {
  readonly counters: readonly AgentCounters[];
  /** Pages expected in all, if known. */
  readonly expected: number | null;
  /** What politeness is called if it limits the crawl: the option, as it was given. */
  readonly pauses: Readonly<Record<Pause, string>>;
  /** Where it goes: standard error, so that standard output holds results only. */
  readonly stream: NodeJS.WriteStream;
}

const BAR_INTERVAL = 200;
const PLAIN_INTERVAL = 5000;
/** The width that a line takes without its bar: with all figures, and on a narrow terminal. */
const FULL_WIDTH = 70;
const NARROW_WIDTH = 37;
/** What limits the crawl stands behind the total where there is room. */
const LIMIT_WIDTH = 40;
const SHORTEST_BAR = 6;
const LONGEST_BAR = 24;

/** Pages and bytes per second over the last few looks, so that the figures are calm. */
class Rate {
  readonly #looks: { at: number; value: number }[] = [];

  look(value: number, at: number): number {
    this.#looks.push({ at, value });
    if (this.#looks.length > 10) this.#looks.shift();
    const first = this.#looks[0]!;
    return at === first.at ? 0 : ((value - first.value) * 1000) / (at - first.at);
  }
}

/** URLs that wait to be fetched, or for an agent to fetch them. */
const waiting = (agents: readonly AgentCounters[]): number =>
  total(agents, 'queued') + total(agents, 'unassigned');

/** What politeness asks for, while it is what limits the crawl. */
class Limit {
  readonly #politeness: PolitenessLimit;
  readonly #names: ProgressInput['pauses'];

  constructor(counters: readonly AgentCounters[], names: ProgressInput['pauses']) {
    this.#politeness = new PolitenessLimit(counters);
    this.#names = names;
  }

  text(): string {
    const { by, share } = this.#politeness.look();
    return by === null || share < LIMITING ? '' : `, limited by ${this.#names[by]}`;
  }
}

interface Row {
  readonly bar: SingleBar;
  readonly agents: readonly AgentCounters[];
  readonly pages: Rate;
  readonly bytes: Rate;
}

class BarProgress implements Progress {
  readonly #bars: MultiBar;
  readonly #rows: Row[];
  readonly #limit: Limit;
  readonly #timer: NodeJS.Timeout;

  constructor({ counters, expected, pauses, stream }: ProgressInput) {
    this.#limit = new Limit(counters, pauses);
    const columns = stream.columns ?? 80;
    const wide = columns >= FULL_WIDTH + SHORTEST_BAR;
    const barSize = Math.min(LONGEST_BAR, columns - (wide ? FULL_WIDTH : NARROW_WIDTH));
    const figures = wide ? '{pages} pages {speed}/s {rate}/s queue {queue}' : '{pages} {speed}/s';
    this.#bars = new MultiBar({
      format: `{name} ${figures}`,
      stream,
      hideCursor: true,
      clearOnComplete: true,
      fps: 1000 / BAR_INTERVAL,
      linewrap: false,
      barsize: Math.max(1, barSize),
      barCompleteChar: '#',
      barIncompleteChar: '.',
    });
    // More lines than the terminal has would scroll at every redraw.
    const fits = counters.length > 1 && counters.length + 2 <= (stream.rows ?? 24);
    const agents = fits
      ? counters.map((agent, i) => this.#row([agent], `agent ${i}`.padEnd(9), null, ''))
      : [];
    const limit = columns >= FULL_WIDTH + LONGEST_BAR + LIMIT_WIDTH ? '{limit}' : '';
    const bar = expected === null || barSize < SHORTEST_BAR ? '' : '[{bar}] {percentage}% ';
    this.#rows = [
      ...agents,
      this.#row(counters, 'total'.padEnd(9), expected, `{name} ${bar}${figures}${limit}`),
    ];
    this.#timer = setInterval(() => this.tick(), BAR_INTERVAL);
  }

  #row(agents: readonly AgentCounters[], name: string, expected: number | null, format: string): Row {
    const start = { name, pages: '0', speed: '0', rate: '0 B', queue: '0', limit: '' };
    const bar = this.#bars.create(expected ?? 1, 0, start, format === '' ? {} : { format });
    return { bar, agents, pages: new Rate(), bytes: new Rate() };
  }

  tick(): void {
    const now = performance.now();
    const limit = this.#limit.text();
    for (const { bar, agents, pages, bytes } of this.#rows) {
      const count = total(agents, 'pages');
      bar.update(Math.min(count, bar.getTotal()), {
        pages: formatCount(count).padStart(9),
        speed: formatCount(pages.look(count, now)).padStart(6),
        rate: formatBytes(bytes.look(total(agents, 'bytes'), now)).padStart(7),
        queue: formatCount(waiting(agents)),
        limit,
      });
    }
  }

  stop(): void {
    clearInterval(this.#timer);
    this.tick();
    this.#bars.stop();
  }
}

class PlainProgress implements Progress {
  readonly #input: ProgressInput;
  readonly #limit: Limit;
  readonly #startedAt = performance.now();
  readonly #pages = new Rate();
  readonly #bytes = new Rate();
  readonly #timer: NodeJS.Timeout;

  constructor(input: ProgressInput) {
    this.#input = input;
    this.#limit = new Limit(input.counters, input.pauses);
    this.#look();
    this.#timer = setInterval(() => this.tick(), PLAIN_INTERVAL);
  }

  tick(): void {
    const { counters, expected, stream } = this.#input;
    const { now, pages, pagesPerSecond, bytesPerSecond } = this.#look();
    const share = expected === null ? '' : ` of ${formatCount(expected)}`;
    stream.write(
      `${formatDuration((now - this.#startedAt) / 1000)}: ${formatCount(pages)}${share} pages, ` +
        `${formatCount(pagesPerSecond)} pages/s, ` +
        `${formatBytes(bytesPerSecond)}/s, ` +
        `queue ${formatCount(waiting(counters))}${this.#limit.text()}\n`,
    );
  }

  #look() {
    const { counters } = this.#input;
    const now = performance.now();
    const pages = total(counters, 'pages');
    const pagesPerSecond = this.#pages.look(pages, now);
    return { now, pages, pagesPerSecond, bytesPerSecond: this.#bytes.look(total(counters, 'bytes'), now) };
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}

const NO_PROGRESS: Progress = { tick: () => {}, stop: () => {} };

export function startProgress(kind: 'bar' | 'plain' | 'none', input: ProgressInput): Progress {
  if (kind === 'none') return NO_PROGRESS;
  return kind === 'bar' ? new BarProgress(input) : new PlainProgress(input);
}
