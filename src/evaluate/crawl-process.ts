/** Runs one crawl as a process of its own, as a user would, and hands back its report. */
import { spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { programCommand } from '../model/assets.js';
import { DrumlineError } from '../model/errors.js';
import type { Report } from '../run/report.js';

export interface CrawlCommand {
  readonly agents: number;
  readonly links: string;
  readonly web: string;
  readonly memory: string;
  /** More options, as words. */
  readonly more: readonly string[];
}

export class CrawlProcess {
  readonly #directory: string;
  #kill: (() => void) | null = null;
  #isKilled = false;

  /** `directory` is made for each crawl and removed after it. */
  constructor(directory: string) {
    this.#directory = directory;
  }

  async run({ agents, links, memory, more, web }: CrawlCommand): Promise<Report> {
    if (this.#isKilled) throw new DrumlineError('INTERRUPTED', 'no more crawls are run');
    rmSync(this.#directory, { recursive: true, force: true });
    const [program, ...words] = programCommand();
    const options = { agents: `${agents}`, links, web, memory, out: this.#directory };
    const child = spawn(
      program!,
      [
        ...words,
        'crawl',
        ...Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]),
        ...['--checkpoint-interval', 'off', '--progress', 'none', ...more],
      ],
      // The channel carries nothing: a crawl whose evaluation was killed sees it close, and ends.
      { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] },
    );
    this.#kill = () => child.kill('SIGKILL');
    let said = '';
    child.stderr?.on('data', (data) => {
      said = (said + data).slice(-2000);
    });
    try {
      const code = await new Promise<number | null>((resolve, reject) => {
        child.on('error', reject);
        child.on('close', resolve);
      });
      if (code !== 0)
        throw new DrumlineError('CRAWL_FAILED', `a crawl ended with ${code ?? 'a signal'}: ${said.trim()}`);
      return JSON.parse(readFileSync(join(this.#directory, 'report.json'), 'utf8')) as Report;
    } finally {
      this.#kill = null;
      rmSync(this.#directory, { recursive: true, force: true });
    }
  }

  /** Ends the crawl under way, whose `run` is rejected, as every later one is. */
  kill(): void {
    this.#isKilled = true;
    this.#kill?.();
  }
}
