/** Agents that died: how many in how short a time, and of which pages. */
import type { Clock } from '../model/clock.js';

/** So many within so many milliseconds are no accident any more. */
const MOST_DEATHS = 5;
const WITHIN = 60_000;
/** A page is blamed when it was in an agent's hands so often. */
const MOST_FOR_A_PAGE = 2;
/** Suspects and quarantined pages that are remembered; of more the oldest are forgotten. */
const MOST_REMEMBERED = 1000;

export class AgentDeaths {
  readonly #clock: Clock;
  /** When the last few died. */
  #times: number[] = [];
  readonly #suspects = new Map<string, number>();
  readonly #quarantined: Set<string>;
  count: number;

  /** `count` and `quarantined` as of earlier runs of the crawl. */
  constructor(clock: Clock, count = 0, quarantined: readonly string[] = []) {
    this.#clock = clock;
    this.count = count;
    this.#quarantined = new Set(quarantined);
  }

  /**
   * An agent died while it read the page with this key, '' if none. Returns false if there were too many; one that was
   * killed on purpose is no sign of trouble.
   */
  add(hand: string, isDeliberate: boolean): boolean {
    this.count++;
    if (isDeliberate) return true;
    const now = this.#clock();
    this.#times = [...this.#times.filter((time) => now - time < WITHIN), now];
    if (hand !== '') this.#suspect(hand);
    return this.#times.length < MOST_DEATHS;
  }

  /** Keys of pages that must not be read again. */
  get quarantined(): string[] {
    return [...this.#quarantined];
  }

  #suspect(hand: string): void {
    const times = (this.#suspects.get(hand) ?? 0) + 1;
    this.#suspects.set(hand, times);
    if (times >= MOST_FOR_A_PAGE) this.#quarantined.add(hand);
    forgetOldest(this.#suspects);
    forgetOldest(this.#quarantined);
  }
}

function forgetOldest(keys: Map<string, number> | Set<string>): void {
  if (keys.size <= MOST_REMEMBERED) return;
  for (const oldest of keys.keys()) {
    keys.delete(oldest);
    return;
  }
}
