/** 100 crawls in a row of a 2,000-page web with 4 agents: none hangs, none ends early. */
import { wholeCrawl } from './whole-crawl.js';

const CRAWLS = 100;
const HANGING_MS = 60_000;

export async function run(): Promise<void> {
  let slowest = 0;
  for (let seed = 1; seed <= CRAWLS; seed++) {
    const web = `synthetic:pages=2000,seed=${seed}`;
    const { coverage, outcome, overlap, seconds } = wholeCrawl(['--agents', '4', '--web', web], HANGING_MS);
    if (outcome !== 'exhausted' || coverage !== 1 || overlap !== 0)
      throw new Error(`seed ${seed}: ${outcome}, coverage ${coverage}, overlap ${overlap}`);
    slowest = Math.max(slowest, seconds);
  }
  console.log(
    `${CRAWLS} crawls, seeds 1 to ${CRAWLS}: coverage 1 and overlap 0 in each, the slowest ${slowest.toFixed(2)} s`,
  );
}
