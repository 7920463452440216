/**
 * The cost model of a parallel crawler (fc2l-udcbot, section 5, equations 2 to 4): an agent is as fast as the
 * single-machine crawler less five overheads, which grow with the number of agents n and of pages m.
 *
 *     fixed                     set-up, between agents and with the coordinator
 *   + a + b log2 m              sending site URLs
 *   + c + d n + e log2 m        site partition information
 *   + f (n - 1) + g log2 m      exchanging page URLs
 *
 * Beyond the paper: agents may be given less bandwidth than they were measured with; then each is slower in proportion.
 */
export interface Coefficients {
  readonly fixed: number;
  readonly a: number;
  readonly b: number;
  readonly c: number;
  readonly d: number;
  readonly e: number;
  readonly f: number;
  readonly g: number;
}

export interface CostModel {
  /** Pages per second of the single-machine crawler. */
  readonly singleMachine: number;
  /** Bits per second that each agent had. */
  readonly bandwidth: number;
  /** Pages that m counts in. */
  readonly unit: number;
  readonly coefficients: Coefficients;
}

/** Pages per second that an agent loses, by reason. */
export interface ModelledOverhead {
  readonly fixed: number;
  readonly siteUrlSending: number;
  readonly sitePartition: number;
  readonly pageUrlExchange: number;
}

export const PAPER_MODEL: CostModel = {
  singleMachine: 1784.22,
  bandwidth: 320e6,
  unit: 1e6,
  coefficients: { fixed: 4.04, a: 1.11, b: 0.36, c: 3.83, d: 0.28, e: 1.59, f: 4.39, g: 5.5 },
};

export function modelledOverhead(model: CostModel, agents: number, pages: number): ModelledOverhead {
  const { fixed, a, b, c, d, e, f, g } = model.coefficients;
  const logM = Math.log2(pages / model.unit);
  return {
    fixed,
    siteUrlSending: a + b * logM,
    sitePartition: c + d * agents + e * logM,
    pageUrlExchange: f * (agents - 1) + g * logM,
  };
}

/** Pages per second of all agents together, never below 0; `total` bits per second may be less than they could use. */
export function modelledSpeed(
  model: CostModel,
  agents: number,
  pages: number,
  total = Number.POSITIVE_INFINITY,
): number {
  const { fixed, siteUrlSending, sitePartition, pageUrlExchange } = modelledOverhead(model, agents, pages);
  const share = Math.min(1, total / (agents * model.bandwidth));
  const overhead = fixed + siteUrlSending + sitePartition + pageUrlExchange;
  return Math.max(0, agents * (model.singleMachine * share - overhead));
}

/** Equation 4: how long a crawl of so many pages takes. */
export function crawlSeconds(model: CostModel, agents: number, pages: number, total?: number): number {
  return pages / modelledSpeed(model, agents, pages, total);
}

/** The number of agents, of `most` at most, that is fastest. */
export function bestAgents(model: CostModel, pages: number, total?: number, most = 100_000): number {
  let best = 1;
  let bestSpeed = modelledSpeed(model, 1, pages, total);
  for (let agents = 2; agents <= most; agents++) {
    const speed = modelledSpeed(model, agents, pages, total);
    if (speed > bestSpeed) {
      best = agents;
      bestSpeed = speed;
    }
  }
  return best;
}

/** Agents that a bandwidth can feed. */
export const agentsFed = (model: CostModel, total: number): number => Math.floor(total / model.bandwidth);
