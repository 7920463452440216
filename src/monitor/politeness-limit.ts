/**
 * Is it politeness that limits a crawl? Agents count the time in which they had nothing to do but to leave hosts alone, and
 * how long the pauses were by what asked for them. Where agents differ, those that fetch most count most.
 */
import { ACTIVITIES, type AgentCounters, type CounterName } from '../model/counters.js';

/** Pauses are counted by what made them as long as they were. */
const PAUSES = ['hostDelayMs', 'ipDelayMs', 'askedMs'] as const satisfies readonly CounterName[];
export type Pause = (typeof PAUSES)[number];

export interface PolitenessShare {
  /** Of the time, in which hosts were left alone and nothing else could be done. */
  readonly share: number;
  /** What asked for most of it; null if there were no pauses. */
  readonly by: Pause | null;
}

/** Where time goes once there is something to crawl. */
const CRAWLING = ACTIVITIES.filter((name) => !name.toLowerCase().endsWith('setup'));

/** From this share on it is what limits the crawl. */
export const LIMITING = 0.5;

type Figures = Readonly<Record<'heldMs' | 'pages' | 'totalMs' | Pause, number>>;

const NOTHING: Figures = { heldMs: 0, pages: 0, totalMs: 0, hostDelayMs: 0, ipDelayMs: 0, askedMs: 0 };

function figuresOf(agent: AgentCounters): Figures {
  let totalMs = 0;
  for (const activity of CRAWLING) totalMs += agent.get(activity);
  const get = (name: CounterName): number => agent.get(name);
  return {
    ...{ heldMs: get('heldMs'), pages: get('pages'), totalMs },
    ...{ hostDelayMs: get('hostDelayMs'), ipDelayMs: get('ipDelayMs'), askedMs: get('askedMs') },
  };
}

export class PolitenessLimit {
  readonly #agents: readonly AgentCounters[];
  #last: readonly Figures[] = [];

  constructor(agents: readonly AgentCounters[]) {
    this.#agents = agents;
  }

  /** Since the last look; the first is at all there was. */
  look(): PolitenessShare {
    const before = this.#last;
    this.#last = this.#agents.map(figuresOf);
    const sums: Record<Pause, number> = { hostDelayMs: 0, ipDelayMs: 0, askedMs: 0 };
    let held = 0;
    let whole = 0;
    for (const [i, now] of this.#last.entries()) {
      const last = before[i] ?? NOTHING;
      const weight = 1 + now.pages - last.pages;
      held += weight * (now.heldMs - last.heldMs);
      whole += weight * (now.totalMs - last.totalMs);
      for (const pause of PAUSES) sums[pause] += now[pause] - last[pause];
    }
    const [by] = [...PAUSES].sort((a, b) => sums[b] - sums[a]);
    return { share: whole > 0 ? held / whole : 0, by: sums[by!] > 0 ? by! : null };
  }
}
