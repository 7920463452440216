/** What the papers measured. Numbers as printed; where a figure has no numbers, its curve is the paper's own model. */
import { modelledSpeed, PAPER_MODEL } from './cost-model.js';

/** The numbers of agents, and of millions of pages, of the experiments (fc2l-udcbot, section 4.2). */
export const PAPER_AGENTS = [1, 2, 3, 5, 7] as const;
export const PAPER_MILLIONS = [1, 2, 4, 8] as const;
export const PAPER_BANDWIDTH = 320e6;
export const PAPER_PAGE_BYTES = 22_300;

/** Pages per second (section 4.3). */
export const PAPER_SPEED = {
  singleMachine: 1784.22,
  /** 0.58% below the single machine. */
  oneAgent: 1784.22 * (1 - 0.0058),
  sevenAgents: 12_251.75,
  sevenAgentsTwoLevel: 12_399,
} as const;

export const PAPER_SPEED_UP = 6.91;
export const PAPER_ONE_AGENT_LOSS = 0.0058;
export const PAPER_FULL_COVERAGE_LOSS = 0.012;

/** Figure 10: pages per second that an agent of seven loses, by millions of pages. */
export const PAPER_OVERHEADS_BY_PAGES = {
  agentSetUp: [0.45, 0.45, 0.45, 0.45],
  coordinatorSetUp: [3.59, 3.59, 3.59, 3.59],
  siteUrlSending: [0.54, 0.88, 1.23, 1.59],
  sitePartition: [4.72, 6.31, 7.74, 9.16],
  pageUrlExchange: [24.97, 30.47, 35.15, 40.06],
} as const;

/** Cho and Garcia-Molina, figure 7, site-hash: URLs exchanged per page by crawling processes, as far as the text says. */
export const CHO_URLS_PER_PAGE = [
  [2, 0.4],
  [16, 0.8],
] as const;
/** The WLE crawler: per cent of the bandwidth for exchanging URLs. */
export const WLE_MOST_PER_CENT = 3;

/** Figure 12: a crawl of 30 billion pages. */
export const WEB_PAGES = 30e9;

/** The paper's model for its own experiments, in pages per second of all agents. */
export const paperSpeed = (agents: number, millions: number): number =>
  modelledSpeed(PAPER_MODEL, agents, millions * 1e6);
