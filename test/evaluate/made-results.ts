/** Results as an evaluation would save them, made from a cost model that is known. */

import type { Calibration } from '#drumline/evaluate/calibration.js';
import { type CostModel, modelledOverhead } from '#drumline/evaluate/cost-model.js';
import { FIGURES, pageSteps, planRuns, pointsFor, type Scale } from '#drumline/evaluate/experiment.js';
import { findOut } from '#drumline/evaluate/findings.js';
import type { Results } from '#drumline/evaluate/results-file.js';
import type { RunResult } from '#drumline/evaluate/run-result.js';

export const SCALE: Scale = { by: 'per-agent', pages: 16_000 };
const BYTES = 22_300;
const SPEED = 1400;

/** Coefficients like the paper's, with m in the smallest crawl by pages. */
export const KNOWN: CostModel = {
  singleMachine: SPEED,
  bandwidth: SPEED * BYTES * 8,
  unit: pageSteps(SCALE)[0]!,
  coefficients: { fixed: 4, a: 1.1, b: 0.4, c: 3.8, d: 0.3, e: 1.6, f: 4.4, g: 5.5 },
};

function madeRuns(): RunResult[] {
  return planRuns(pointsFor(FIGURES, SCALE), 3).map((run): RunResult => {
    const { agents, links, pages, repetition } = run;
    const { fixed, pageUrlExchange, sitePartition, siteUrlSending } =
      agents === 0
        ? { fixed: 0, pageUrlExchange: 0, sitePartition: 0, siteUrlSending: 0 }
        : modelledOverhead(KNOWN, agents, pages);
    const lost = fixed + siteUrlSending + sitePartition + (links === 'two-level' ? 0 : pageUrlExchange);
    // The middle one of the three is exact.
    const seconds = (pages / (Math.max(1, agents) * (SPEED - lost))) * (1 + 0.004 * (repetition - 1));
    return {
      ...run,
      at: '2026-01-31T08:00:00.000Z',
      crawledPages: pages,
      bytes: pages * BYTES,
      seconds: seconds + 0.05 * agents,
      cpuSeconds: seconds,
      peakRssBytes: 3e8,
      agentSeconds: seconds,
      overheadShares: {
        agentSetUp: (0.1 * fixed) / SPEED,
        coordinatorSetUp: (0.9 * fixed) / SPEED,
        siteUrlSending: siteUrlSending / SPEED,
        sitePartition: sitePartition / SPEED,
        pageUrlExchange: pageUrlExchange / SPEED,
      },
      pageUrlsExchanged: pages * (1 - 1 / Math.max(1, agents)),
      siteUrlsSent: pages / 20,
      exchangedBytes: pages * 80,
    };
  });
}

export function madeResults(): Results {
  const calibration: Calibration = {
    pagesPerSecond: 14_000,
    bitsPerSecond: 14_000 * BYTES * 8,
    bandwidth: KNOWN.bandwidth,
    bytesPerPage: BYTES,
    scale: SCALE,
    web: 'synthetic:pages=190000,sites=3800,seed=1',
  };
  const runs = madeRuns();
  return {
    version: 1,
    command: 'drumline evaluate --quick',
    settings: { web: 'synthetic', memory: '1GB', repeat: 3, seconds: 510 },
    environment: {
      drumline: '0.1.0',
      node: 'v20.19.0',
      system: 'linux',
      cpu: 'a processor',
      cores: 2,
      memoryBytes: 16e9,
      disk: 'ext4',
      diskFreeBytes: 1e11,
      date: '2026-01-31T08:00:00.000Z',
    },
    calibration,
    runs,
    findings: findOut(calibration, runs),
  };
}
