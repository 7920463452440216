/** The report of a crawl: the names are a contract with scripts outside; add to them, never rename. */

import type { AgentResult } from '../agent/crawl-task.js';
import type { Outcome } from '../boards/stop-conditions.js';
import type { DrumStatistics } from '../drum/drum.js';
import { addStatistics } from '../drum/drum-statistics.js';
import { ACTIVITIES, type Activity, type AgentCounters, total } from '../model/counters.js';
import { PolitenessLimit, type PolitenessShare } from '../monitor/politeness-limit.js';
import type { CrawlOptions } from '../options/options.js';
import type { StoreCounts } from '../store/page-store.js';
import type { FirstCause, FirstCauses } from '../visit/first-causes.js';

export interface AgentReport {
  readonly agent: number;
  readonly pages: number;
  readonly bytes: number;
  readonly sites: number;
  readonly linksExtracted: number;
  readonly pageUrlsExchanged: number;
  readonly siteUrlsSent: number;
  readonly exchangedBytes: number;
  /** Where the agent's time went, in seconds on the clock. */
  readonly seconds: Readonly<Record<Activity, number>>;
}

/** Of a kind of error: how often, and the first URL that met with it. */
export interface Cause extends FirstCause {
  readonly code: string;
  readonly count: number;
}

export interface Report {
  readonly version: 1;
  readonly outcome: Outcome;
  readonly reason?: string;
  readonly web: string;
  readonly agents: number;
  readonly links: string;
  readonly assign: string;
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly peakRssBytes: number;
  readonly pages: number;
  readonly uniquePages: number;
  readonly bytes: number;
  readonly pagesPerSecond: number;
  readonly reachablePages: number | null;
  readonly coverage: number | null;
  readonly overlap: number;
  readonly sites: number;
  readonly linksExtracted: number;
  readonly pageUrlsExchanged: number;
  readonly siteUrlsSent: number;
  /** Of page and site URLs, on their way between threads. */
  readonly exchangedBytes: number;
  readonly communicationOverhead: number;
  readonly drum: {
    readonly siteUrl: DrumStatistics;
    readonly pageUrl: DrumStatistics;
    readonly sitePartition: DrumStatistics;
  };
  /** Null if nothing is stored. */
  readonly store: StoreCounts | null;
  /** To requests for pages and sitemaps, by class of status. */
  readonly answers: Readonly<Record<string, number>>;
  readonly errors: Readonly<Record<string, number>>;
  /** The errors with the first URL of each, the most frequent first. */
  readonly causes: readonly Cause[];
  /** The share of the time in which hosts were left alone and nothing else could be done, and what asked for most of it. */
  readonly politeness: PolitenessShare;
  /** How often an agent died and was started again. */
  readonly restarts: number;
  readonly perAgent: readonly AgentReport[];
}

export interface ReportInput {
  readonly outcome: Outcome;
  readonly reason: string | null;
  readonly web: string;
  readonly options: CrawlOptions;
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly peakRssBytes: number;
  readonly counters: readonly AgentCounters[];
  readonly results: readonly AgentResult[];
  /** By each agent. */
  readonly stored: readonly StoreCounts[];
  readonly siteUrlDrum: DrumStatistics | null;
  readonly sites: number;
  readonly refusedSites: Readonly<Record<string, number>>;
  readonly firstRefused: Readonly<FirstCauses>;
  readonly reachablePages: number | null;
  /** Pages of an emulated web that an agent visited though another had. */
  readonly visitedByOthers: number;
  readonly restarts: number;
}

function addStores(stores: readonly StoreCounts[]): StoreCounts {
  const sum = { files: 0, records: {} as Record<string, number>, bytes: 0, duplicates: 0, duplicateBytes: 0 };
  for (const store of stores) {
    for (const name of ['files', 'bytes', 'duplicates', 'duplicateBytes'] as const) sum[name] += store[name];
    for (const [type, count] of Object.entries(store.records))
      sum.records[type] = (sum.records[type] ?? 0) + count;
  }
  return sum;
}

function addCounts(all: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const sum: Record<string, number> = {};
  for (const counts of all) {
    for (const [name, count] of Object.entries(counts)) sum[name] = (sum[name] ?? 0) + count;
  }
  return sum;
}

function addErrors({ counters, refusedSites, results }: ReportInput): Record<string, number> {
  const linksDropped = total(counters, 'linksDropped');
  const dropped = linksDropped > 0 ? { LINKS_DROPPED: linksDropped } : {};
  return addCounts([...results.map(({ errors }) => errors), dropped, refusedSites]);
}

function findCauses(
  { firstRefused, results }: ReportInput,
  errors: Readonly<Record<string, number>>,
): readonly Cause[] {
  const firsts: FirstCauses = {};
  for (const one of [...results.map((result) => result.firsts), firstRefused]) Object.assign(firsts, one);
  return Object.entries(firsts)
    .map(([code, { because, url }]) => ({ code, count: errors[code] ?? 0, url, because }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count);
}

function agentReport(counters: AgentCounters, agent: number): AgentReport {
  const seconds = Object.fromEntries(ACTIVITIES.map((name) => [name, counters.get(name) / 1000]));
  return {
    agent,
    pages: counters.get('pages'),
    bytes: counters.get('bytes'),
    sites: counters.get('sites'),
    linksExtracted: counters.get('linksExtracted'),
    pageUrlsExchanged: counters.get('pageUrlsExchanged'),
    siteUrlsSent: counters.get('siteUrlsSent'),
    exchangedBytes: counters.get('exchangedBytes'),
    seconds: seconds as Record<Activity, number>,
  };
}

export function makeReport(input: ReportInput): Report {
  const { counters, options, results, seconds, reachablePages } = input;
  const pages = total(counters, 'pages');
  const uniquePages = pages - total(counters, 'repeatedPages') - input.visitedByOthers;
  const pageUrlsExchanged = total(counters, 'pageUrlsExchanged');
  const errors = addErrors(input);
  return {
    version: 1,
    outcome: input.outcome,
    ...(input.reason === null ? {} : { reason: input.reason }),
    web: input.web,
    agents: options.agents,
    links: options.links,
    assign: options.assign,
    seconds,
    cpuSeconds: input.cpuSeconds,
    peakRssBytes: input.peakRssBytes,
    pages,
    uniquePages,
    bytes: total(counters, 'bytes'),
    pagesPerSecond: seconds > 0 ? pages / seconds : 0,
    reachablePages,
    coverage: reachablePages === null ? null : reachablePages === 0 ? 1 : uniquePages / reachablePages,
    overlap: uniquePages === 0 ? 0 : (pages - uniquePages) / uniquePages,
    sites: input.sites,
    linksExtracted: total(counters, 'linksExtracted'),
    pageUrlsExchanged,
    siteUrlsSent: total(counters, 'siteUrlsSent'),
    exchangedBytes: total(counters, 'exchangedBytes'),
    communicationOverhead: pages === 0 ? 0 : pageUrlsExchanged / pages,
    drum: {
      siteUrl: addStatistics([input.siteUrlDrum]),
      pageUrl: addStatistics(results.map(({ pageUrlDrum }) => pageUrlDrum)),
      sitePartition: addStatistics(results.map(({ sitePartitionDrum }) => sitePartitionDrum)),
    },
    store: options.store === 'none' ? null : addStores(input.stored),
    answers: addCounts(results.map(({ answers }) => answers)),
    errors,
    causes: findCauses(input, errors),
    politeness: new PolitenessLimit(counters).look(),
    restarts: input.restarts,
    perAgent: counters.map(agentReport),
  };
}
