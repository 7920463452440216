/** Which agent gets a new site. Behind an interface: consistent hashing and site hash will stand beside round robin. */
export interface Assignment {
  readonly name: string;
  /** The agent for a site that has none yet. */
  assign(siteLow: number, siteHigh: number): number;
  /** What a checkpoint keeps of it. */
  readonly state: number;
  restore(state: number): void;
}

/** The paper's: unique sites go to the agents in turn (fc2l-udcbot, figure 4, step 2.1). */
export class RoundRobin implements Assignment {
  readonly name = 'round-robin';
  readonly #agents: number;
  #next = 0;

  constructor(agents: number) {
    this.#agents = agents;
  }

  assign(): number {
    const agent = this.#next;
    this.#next = (agent + 1) % this.#agents;
    return agent;
  }

  get state(): number {
    return this.#next;
  }

  restore(state: number): void {
    this.#next = state % this.#agents;
  }
}

export const ASSIGNMENTS: Readonly<Record<string, (agents: number) => Assignment>> = {
  'round-robin': (agents) => new RoundRobin(agents),
};
