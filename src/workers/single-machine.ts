/**
 * The single-machine crawler, the paper's baseline (fc2l-udcbot, section 4.3.2): one DRUM for all pages, no coordinator
 * and no rings. A new site's root page goes through the same DRUM as every page.
 */
import type { AgentCounters } from '../model/counters.js';
import { RECORD_HEADER, recordSiteHigh, recordSiteLow } from '../ring/record.js';
import type { PageCrawler } from './page-crawler.js';
import type { SiteReporter } from './site-reporter.js';
import type { StopConditions } from './stop-conditions.js';

export interface SingleMachineParts {
  readonly crawler: PageCrawler;
  readonly stop: StopConditions;
  readonly counters: AgentCounters;
  /** As the coordinator's. */
  readonly nextSeed: () => Uint8Array | null;
  /** Takes the sites that are found, and offers their root pages to the crawler. */
  readonly sites: SiteReporter;
}

const SEEDS_PER_TURN = 64;

export class SingleMachine {
  readonly #parts: SingleMachineParts;
  #seedsLeft = true;

  constructor(parts: SingleMachineParts) {
    this.#parts = parts;
  }

  async run(): Promise<void> {
    const { counters, crawler, stop } = this.#parts;
    counters.lap('setUp');
    while (!stop.isRequested) {
      if (crawler.isStarving) this.#readSeeds();
      crawler.fetchSome();
      crawler.check();
      if (crawler.isIdle && !this.#seedsLeft) stop.request('exhausted');
      const delay = crawler.delay;
      if (delay > 0 && delay !== Number.POSITIVE_INFINITY) {
        await new Promise((resolve) => setTimeout(resolve, delay));
        counters.lap('asleep');
      } else await new Promise(setImmediate);
    }
  }

  #readSeeds(): void {
    const { crawler, sites } = this.#parts;
    for (let i = 0; this.#seedsLeft && i < SEEDS_PER_TURN; i++) {
      const record = this.#parts.nextSeed();
      if (record === null) this.#seedsLeft = false;
      else {
        sites.report(
          recordSiteLow(record, 0),
          recordSiteHigh(record, 0),
          record,
          RECORD_HEADER,
          record.length,
          0,
        );
        crawler.checker.offerRecord(record, 0, record.length);
      }
    }
  }

  close(): void {
    this.#parts.crawler.close();
  }
}
