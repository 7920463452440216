/** 100 crawls in a row of a 2,000-page web with 4 agents: none hangs, none ends early. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Report } from '#drumline/workers/report.js';

const MAIN = fileURLToPath(import.meta.resolve('#drumline/main.js'));
const CRAWLS = 100;
const HANGING_MS = 60_000;

export async function run(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'drumline-many-'));
  let slowest = 0;
  try {
    for (let seed = 1; seed <= CRAWLS; seed++) {
      const out = join(directory, `${seed}`);
      const web = `synthetic:pages=2000,seed=${seed}`;
      const words = [MAIN, '--agents', '4', '--web', web, '--progress', 'none', '--out', out];
      execFileSync(process.execPath, words, { timeout: HANGING_MS });
      const report = JSON.parse(readFileSync(join(out, 'report.json'), 'utf8')) as Report;
      if (report.outcome !== 'exhausted' || report.coverage !== 1 || report.overlap !== 0) {
        throw new Error(
          `seed ${seed}: ${report.outcome}, coverage ${report.coverage}, overlap ${report.overlap}`,
        );
      }
      slowest = Math.max(slowest, report.seconds);
    }
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
  console.log(
    `${CRAWLS} crawls, seeds 1 to ${CRAWLS}: coverage 1 and overlap 0 in each, the slowest ${slowest.toFixed(2)} s`,
  );
}
