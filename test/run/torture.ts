/** Kills crawls at random moments with SIGKILL, resumes them, kills them again, until each is exhausted; then looks at the books. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Report } from '#drumline/run/report.js';
import { Random } from '#drumline/simulate/random.js';
import { checkArchive, checkKilledIndex } from '../store/check-archive.js';

const MAIN = fileURLToPath(import.meta.resolve('#drumline/main.js'));
const KINDS = ['', ',dead=0.05', ',redirects=0.05', ',dead=0.05,redirects=0.05,robots=0.3'];

/** Numbers from 0 to 1, the same for the same seed. */
function randomizer(seed: number): () => number {
  const random = new Random(seed);
  return () => random.word() / 2 ** 32;
}

export interface TortureOptions {
  readonly kills: number;
  readonly pages: number;
  readonly agents: number;
  readonly seed: number;
  /** Milliseconds between checkpoints. */
  readonly interval: number;
  /** A crawl is let live this many milliseconds at most before it is killed. */
  readonly longest: number;
  /** Are pages stored? Files are small, so that many are closed and begun. */
  readonly store: 'warc' | 'none';
  readonly log: (line: string) => void;
}

/** Returns the number of kills; throws if a crawl is not exact afterwards. */
export async function torture(options: TortureOptions): Promise<number> {
  const random = randomizer(options.seed);
  let kills = 0;
  for (let crawl = 0; kills < options.kills; crawl++) {
    const directory = mkdtempSync(join(tmpdir(), 'drumline-torture-'));
    try {
      const web = `synthetic:pages=${options.pages},seed=${options.seed + crawl}${KINDS[crawl % KINDS.length]}`;
      const out = join(directory, 'crawl');
      const made = await crawlWithKills(web, out, options, random, options.kills - kills);
      kills += made;
      const report = JSON.parse(readFileSync(join(out, 'report.json'), 'utf8')) as Report;
      check(report, out, `${web}, torture seed ${options.seed}`);
      if (options.store === 'warc') checkStored(report, out, `${web}, torture seed ${options.seed}`);
      options.log(
        `${web}: ${made} kills, stored: ${options.store}, coverage ${report.coverage}, overlap ${report.overlap}`,
      );
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  }
  return kills;
}

/** Runs one crawl to its end, killed at most `most` times; returns how often it was. */
async function crawlWithKills(
  web: string,
  out: string,
  options: TortureOptions,
  random: () => number,
  most: number,
): Promise<number> {
  const every = `${options.interval}ms`;
  const first = ['--agents', `${options.agents}`, '--web', web, '--out', out, '--list-pages'];
  first.push('--store', options.store, '--warc-size', '300KB', '--min-free', '0');
  const more = ['--checkpoint-interval', every, '--progress', 'none'];
  let words = [...first, ...more];
  for (let kills = 0; ; kills++) {
    const child = spawn(process.execPath, [MAIN, ...words], { stdio: ['ignore', 'ignore', 'pipe'] });
    let complaint = '';
    child.stderr.on('data', (chunk) => {
      complaint += chunk;
    });
    const exit = once(child, 'exit');
    const isOver =
      kills >= most
        ? false
        : await Promise.race([setTimeout(random() * options.longest, true), exit.then(() => false)]);
    if (isOver) child.kill('SIGKILL');
    const [code, signal] = await exit;
    if (signal === null && code !== 0)
      throw new Error(`${web}: exit ${code} after ${kills} kills: ${complaint}`);
    if (code === 0) return kills;
    const faults = checkKilledIndex(out);
    if (faults.length > 0) throw new Error(`${web}: after ${kills + 1} kills, ${faults[0]}`);
    // Killed before it had written down what it was to do, it begins anew.
    words = existsSync(join(out, 'options.json')) ? ['resume', out, ...more] : [...first, ...more];
    if (words[0] !== 'resume') rmSync(out, { recursive: true, force: true });
  }
}

function check(report: Report, out: string, what: string): void {
  const listed = readFileSync(join(out, 'pages.txt'), 'utf8').trimEnd().split('\n');
  const faults = [
    report.outcome !== 'exhausted' && `outcome ${report.outcome}`,
    report.coverage !== 1 && `coverage ${report.coverage}`,
    report.overlap !== 0 && `overlap ${report.overlap}`,
    report.pages !== report.reachablePages && `${report.pages} pages of ${report.reachablePages}`,
    listed.length !== report.pages && `${listed.length} pages listed of ${report.pages}`,
    new Set(listed).size !== listed.length && 'a page is listed twice',
  ].filter(Boolean);
  if (faults.length > 0) throw new Error(`${what}: ${faults.join(', ')}`);
}

/** Every page is stored once, whole, and found by the index. */
function checkStored(report: Report, out: string, what: string): void {
  const { faults, counts, pages } = checkArchive(out);
  const stored = pages.filter((url) => !url.endsWith('/robots.txt')).sort();
  const listed = readFileSync(join(out, 'pages.txt'), 'utf8').trimEnd().split('\n').sort();
  if (stored.join() !== listed.join())
    faults.push(`${stored.length} pages stored, ${listed.length} downloaded`);
  const { duplicateBytes } = report.store!;
  if (JSON.stringify({ ...counts, duplicateBytes }) !== JSON.stringify(report.store))
    faults.push(`the report says ${JSON.stringify(report.store)}, stored are ${JSON.stringify(counts)}`);
  const left = readdirSync(out).filter((name) => name.endsWith('-part'));
  if (left.length > 0) faults.push(`${left.join()} stayed`);
  if (faults.length > 0) throw new Error(`${what}: ${faults.slice(0, 5).join('; ')}`);
}
