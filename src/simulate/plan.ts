/** What a seed stands for: a crawl, its options, and what happens to it. */
import type { Random } from './random.js';

export const FAULTS = ['agent dies', 'process killed', 'power cut', 'interrupted'] as const;
export type Fault = (typeof FAULTS)[number];

export interface PlannedFault {
  readonly fault: Fault;
  /** At which call to the world it happens, counted from the start of its run, or from the next checkpoint. */
  readonly at: number;
  readonly isBehindCheckpoint: boolean;
}

export interface SimulationPlan {
  readonly pages: number;
  readonly agents: number;
  readonly links: 'full-coverage' | 'two-level';
  readonly memoryBytes: number;
  readonly ringBytes: number;
  /** Infinity for no checkpoints. */
  readonly checkpointIntervalMs: number;
  readonly hostDelayMs: number;
  /** Of an answer. */
  readonly slowestMs: number;
  /** Of a name's look-up. */
  readonly slowestLookupMs: number;
  readonly faults: readonly PlannedFault[];
}

const AGENTS = [1, 2, 3, 4];
const LINKS = ['full-coverage', 'full-coverage', 'full-coverage', 'two-level'] as const;
const MEMORY_BYTES = [100_000, 300_000, 1_000_000];
const RING_BYTES = [4096, 8192];
/** Checkpoints are what most of the time goes into: often is drawn seldom. */
const INTERVALS_MS = [50, 500, 500, 5000, 5000, Number.POSITIVE_INFINITY];
const HOST_DELAYS_MS = [0, 1, 10];
const SLOWEST_MS = [0, 3, 60];
const SLOWEST_LOOKUPS_MS = [0, 10, 400];
/** What a checkpoint does not have is soon missed. */
const SOON = 400;
/** Calls to the world that a page takes, about: faults are spread over all of a crawl. */
const CALLS_A_PAGE = 40;

const names = {
  agents: (agents: number) => `${agents} agents`,
  links: (links: string) => `links ${links}`,
  memory: (bytes: number) => `memory ${bytes / 1000} kB`,
  rings: (bytes: number) => `rings of ${bytes} bytes`,
  interval: (ms: number) => `checkpoints every ${ms} ms`,
  delay: (ms: number) => `hosts asked every ${ms} ms`,
  slowest: (ms: number) => `answers within ${ms} ms`,
  lookup: (ms: number) => `names within ${ms} ms`,
};

/** Names of everything that can be drawn. */
export const OPTIONS: readonly string[] = [
  ...AGENTS.map(names.agents),
  ...new Set(LINKS.map(names.links)),
  ...MEMORY_BYTES.map(names.memory),
  ...RING_BYTES.map(names.rings),
  ...new Set(INTERVALS_MS.map(names.interval)),
  ...HOST_DELAYS_MS.map(names.delay),
  ...SLOWEST_MS.map(names.slowest),
  ...SLOWEST_LOOKUPS_MS.map(names.lookup),
];

/** Names of what was drawn. */
export const optionNames = (plan: SimulationPlan): readonly string[] => [
  names.agents(plan.agents),
  names.links(plan.links),
  names.memory(plan.memoryBytes),
  names.rings(plan.ringBytes),
  names.interval(plan.checkpointIntervalMs),
  names.delay(plan.hostDelayMs),
  names.slowest(plan.slowestMs),
  names.lookup(plan.slowestLookupMs),
];

export function drawPlan(random: Random): SimulationPlan {
  const pages = 1 + random.below(random.pick([20, 200, 600, 1000]));
  const checkpointIntervalMs = random.pick(INTERVALS_MS);
  // Without checkpoints an agent's death ends the crawl.
  const possible = Number.isFinite(checkpointIntervalMs)
    ? FAULTS
    : FAULTS.filter((fault) => fault !== 'agent dies');
  return {
    pages,
    agents: random.pick(AGENTS),
    links: random.pick(LINKS),
    memoryBytes: random.pick(MEMORY_BYTES),
    ringBytes: random.pick(RING_BYTES),
    checkpointIntervalMs,
    hostDelayMs: random.pick(HOST_DELAYS_MS),
    slowestMs: random.pick(SLOWEST_MS),
    slowestLookupMs: random.pick(SLOWEST_LOOKUPS_MS),
    faults: Array.from({ length: random.below(6) }, () => {
      const isBehindCheckpoint = Number.isFinite(checkpointIntervalMs) && random.chance(0.5);
      const within = isBehindCheckpoint ? SOON : CALLS_A_PAGE * pages + 500;
      return { fault: random.pick(possible), at: 1 + random.below(within), isBehindCheckpoint };
    }),
  };
}
