/** Runs the program as its users do, in a directory that is removed afterwards. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Report } from '#drumline/run/report.js';

export const MAIN = fileURLToPath(import.meta.resolve('#drumline/main.js'));

export const readReport = (out: string): Report =>
  JSON.parse(readFileSync(join(out, 'report.json'), 'utf8')) as Report;

/** The program of another checkout that was built, to compare with: `--base DIR`. */
export const mainOf = (checkout: string): string => join(checkout, 'dist', 'main.js');

/** Throws if the crawl fails, or takes longer than `timeout` ms. */
export function wholeCrawl(words: readonly string[], timeout?: number, main = MAIN): Report {
  const directory = mkdtempSync(join(tmpdir(), 'drumline-bench-'));
  const out = join(directory, 'crawl');
  try {
    execFileSync(process.execPath, [main, ...words, '--progress', 'none', '--out', out], { timeout });
    return readReport(out);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
