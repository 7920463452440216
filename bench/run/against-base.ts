/**
 * This build against another one (the commit before, built in a directory of its own), interleaved: each round runs
 * base, this, base again. The two runs of the same build tell how much of a difference is noise.
 */
import { median } from './whole-crawl.js';

export interface Cost {
  /** Processor time a page. */
  readonly cpu: number;
  /** Bytes at the peak; 0 if not measured. */
  readonly memory: number;
}

export interface Compared {
  readonly name: string;
  readonly measure: (isBase: boolean) => Cost | Promise<Cost>;
}

/** Rounds go on until the spread of the base against itself is below this, or there were enough. */
const SPREAD = 0.01;
const MOST_ROUNDS = 4;

/** Runs at least `rounds` rounds, at most four times as many, and prints the ratios of the medians. */
export async function againstBase(compared: readonly Compared[], rounds: number): Promise<void> {
  const results = compared.map(() => ({ first: [] as Cost[], here: [] as Cost[], second: [] as Cost[] }));
  const steady = (i: number): boolean => results[i]!.here.length >= rounds && spread(results[i]!) < SPREAD;
  for (let round = 0; round < MOST_ROUNDS * rounds; round++) {
    for (const [i, { measure }] of compared.entries()) {
      if (steady(i)) continue;
      const { first, here, second } = results[i]!;
      first.push(await measure(true));
      here.push(await measure(false));
      second.push(await measure(true));
    }
  }
  for (const [i, { name }] of compared.entries()) {
    const { first, here, second } = results[i]!;
    const base = [...first, ...second];
    const cpu = cpuOf(here) / cpuOf(base);
    const memory = median(here.map((cost) => cost.memory)) / median(base.map((cost) => cost.memory));
    console.log(
      `${name}: CPU a page ${cpu.toFixed(3)} of the base's ${(cpuOf(base) * 1e6).toFixed(0)} us` +
        `${Number.isFinite(memory) ? `, memory ${memory.toFixed(3)}` : ''}; ` +
        `the base against itself ${(1 + spread(results[i]!)).toFixed(3)}, ${here.length} rounds`,
    );
  }
}

const cpuOf = (costs: readonly Cost[]): number => median(costs.map(({ cpu }) => cpu));

function spread({ first, second }: { first: readonly Cost[]; second: readonly Cost[] }): number {
  const ratio = cpuOf(first) / cpuOf(second);
  return Math.abs(Math.max(ratio, 1 / ratio) - 1);
}
