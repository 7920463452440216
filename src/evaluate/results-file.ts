/**
 * results.json: what an evaluation set out to do, what every finished crawl gave, and in the end what came of it. Written
 * after each crawl by rename, so that an evaluation that is killed goes on behind the last finished crawl.
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { DrumlineError, oneLine, UsageError } from '../model/errors.js';
import type { Calibration } from './calibration.js';
import type { Environment } from './environment.js';
import type { Findings } from './findings.js';
import type { RunResult } from './run-result.js';

/** What must be the same for crawls to be compared with each other. */
export interface Settings {
  readonly web: string;
  readonly memory: string;
  readonly repeat: number;
  readonly seconds: number;
}

export interface Results {
  readonly version: 1;
  readonly command: string;
  readonly settings: Settings;
  environment: Environment;
  calibration: Calibration | null;
  readonly runs: RunResult[];
  /** Of an evaluation that is finished. */
  findings: Findings | null;
}

export function saveResults(path: string, results: Results): void {
  writeFileSync(`${path}.new`, `${JSON.stringify(results, null, 2)}\n`);
  renameSync(`${path}.new`, path);
}

/** Null if there is no such file. */
export function loadResults(path: string): Results | null {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  try {
    const results = JSON.parse(text) as Results;
    if (results.version === 1 && Array.isArray(results.runs)) return results;
  } catch (error) {
    throw new DrumlineError('DAMAGED_FILE', `${path}: ${oneLine(error)}`);
  }
  throw new DrumlineError('DAMAGED_FILE', `${path} holds no results of an evaluation`);
}

/** What was begun before, if it can be gone on with; throws if it was another evaluation. */
export function resumeResults(path: string, settings: Settings): Results | null {
  const before = loadResults(path);
  if (before === null) return null;
  for (const [name, value] of Object.entries(settings)) {
    const old = before.settings[name as keyof Settings];
    if (old !== value)
      throw new UsageError(
        `--out takes a new directory or one to go on with, but ${path} was begun with ${name} ${old}, not ${value}`,
      );
  }
  return before;
}
