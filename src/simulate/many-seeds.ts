/** Goes through many seeds, and says what failed, what occurred how often, and how fast it was. */
import { simulateCrawl } from './simulate-crawl.js';

export interface Seeds {
  readonly first: number;
  readonly count: number;
  /** From one seed to the next: several processes share them out. */
  readonly step: number;
}

export interface Tally {
  crawls: number;
  pages: number;
  cpuSeconds: number;
  /** Of all decisions of all crawls, whatever order they were gone through in. */
  hash: number;
  readonly failures: { readonly seed: number; readonly reason: string }[];
  readonly counts: Record<string, number>;
}

export const newTally = (): Tally => ({
  crawls: 0,
  pages: 0,
  cpuSeconds: 0,
  hash: 0,
  failures: [],
  counts: {},
});

/** `onFailure` hears of each as it is found. */
export async function simulateSeeds(
  { count, first, step }: Seeds,
  onFailure: (seed: number, reason: string) => void = () => {},
): Promise<Tally> {
  const tally = newTally();
  const cpuBefore = process.cpuUsage();
  for (let i = 0; i < count; i++) {
    const seed = first + i * step;
    tally.crawls++;
    try {
      const { pages, trace } = await simulateCrawl(seed);
      tally.pages += pages;
      tally.hash = (tally.hash + Math.imul(Number.parseInt(trace.hash, 16), seed | 1)) >>> 0;
      for (const [name, times] of trace.counts) tally.counts[name] = (tally.counts[name] ?? 0) + times;
    } catch (error) {
      const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
      tally.failures.push({ seed, reason });
      onFailure(seed, reason);
    }
  }
  const { system, user } = process.cpuUsage(cpuBefore);
  tally.cpuSeconds = (user + system) / 1e6;
  return tally;
}

export function addTally(sum: Tally, part: Tally): void {
  sum.crawls += part.crawls;
  sum.pages += part.pages;
  sum.cpuSeconds += part.cpuSeconds;
  sum.hash = (sum.hash + part.hash) >>> 0;
  sum.failures.push(...part.failures);
  for (const [name, times] of Object.entries(part.counts)) sum.counts[name] = (sum.counts[name] ?? 0) + times;
}

/** The table at the end: everything that can happen, also what did not. */
export function tallyLines(
  { counts, cpuSeconds, crawls, failures, hash, pages }: Tally,
  known: readonly string[],
): string[] {
  const names = [...new Set([...known, ...Object.keys(counts).sort()])];
  const width = Math.max(...names.map((name) => name.length));
  return [
    ...names.map((name) => `${name.padEnd(width)}  ${counts[name] ?? 0}`),
    `${crawls} crawls, ${(pages / crawls).toFixed(0)} pages each, ${(crawls / cpuSeconds).toFixed(1)} crawls a second of processor time`,
    `decisions ${hash.toString(16).padStart(8, '0')}, ${failures.length} failed`,
  ];
}
