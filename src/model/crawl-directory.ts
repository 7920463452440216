/** Names every path in a crawl directory; nothing else does. */
import { join } from 'node:path';

/** A thread's part of a log or list: what it wrote in the run that went on from the checkpoint `start`. */
export interface Part {
  readonly path: string;
  readonly thread: number;
  readonly start: number;
}

export class CrawlDirectory {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  /** Names the last whole checkpoint. */
  get current(): string {
    return join(this.path, 'CURRENT');
  }

  /** Held by the process that crawls here. */
  get lock(): string {
    return join(this.path, 'LOCK');
  }

  get report(): string {
    return join(this.path, 'report.json');
  }

  /** The seeds as accepted, canonical, one a line. */
  get seeds(): string {
    return join(this.path, 'seeds.txt');
  }

  get pageList(): string {
    return join(this.path, 'pages.txt');
  }

  /** What one agent listed since a run began, which went on from the checkpoint `start`. */
  pageListPart(agent: number, start: number): string {
    return join(this.path, `pages-${agent}-${start}.part`);
  }

  /** The parts of pages.txt among the names in this directory. */
  pageListParts(names: readonly string[]): Part[] {
    return this.#parts(names, /^pages-(\d+)-(\d+)\.part$/);
  }

  /** WARC files, and the index of what they hold. */
  get warc(): string {
    return join(this.path, 'warc');
  }

  /** What a crawl had stored that began again, without a checkpoint to go on from; `which` counts these from 1. */
  setAside(which: number): string {
    return join(this.path, `warc-set-aside-${which}`);
  }

  get index(): string {
    return join(this.path, 'index.cdxj');
  }

  /** What one agent indexes until the parts are merged. */
  indexPart(agent: number): string {
    return join(this.path, `index-${agent}.cdxj-part`);
  }

  /** The parts of the index among the names in this directory. */
  indexParts(names: readonly string[]): string[] {
    return names.filter((name) => /^index-\d+\.cdxj-part$/.test(name)).map((name) => join(this.path, name));
  }

  /** How far each part is merged into the index. */
  get mergedIndex(): string {
    return join(this.work, 'index.merged');
  }

  /** The options of the crawl as JSON, by name. */
  get options(): string {
    return join(this.path, 'options.json');
  }

  get crawlLog(): string {
    return join(this.path, 'crawl.log');
  }

  /** What some of many parts are merged into first. */
  crawlLogRound(round: number): string {
    return `${this.crawlLog}.round-${round}`;
  }

  crawlLogRounds(names: readonly string[]): string[] {
    return names.filter((name) => /^crawl\.log\.round-\d+$/.test(name)).map((name) => join(this.path, name));
  }

  /** What an audit sorts and memory has no room for, on the disk that the log is on. */
  auditRows(process: number): string {
    return join(this.path, `audit-${process}.rows`);
  }

  /** As `pageListPart`, of crawl.log; the coordinator's number follows the agents'. */
  crawlLogPart(thread: number, start: number): string {
    return join(this.path, `crawl-${thread}-${start}.log-part`);
  }

  /** The parts of crawl.log among the names in this directory. */
  crawlLogParts(names: readonly string[]): Part[] {
    return this.#parts(names, /^crawl-(\d+)-(\d+)\.log-part$/);
  }

  #parts(names: readonly string[], pattern: RegExp): Part[] {
    return names.flatMap((name) => {
      const match = pattern.exec(name);
      return match === null
        ? []
        : [{ path: join(this.path, name), thread: Number(match[1]), start: Number(match[2]) }];
    });
  }

  /** What tells that a crawl was here, even if somebody tidied up. */
  get results(): readonly string[] {
    const { crawlLog, current, index, options, pageList, report, seeds, warc, work } = this;
    return [seeds, report, current, work, options, warc, index, crawlLog, pageList];
  }

  /** Of a crawl that is over: its results are whole, and nothing but removing is left. */
  get joined(): string {
    return join(this.work, 'joined');
  }

  /** DRUMs and queues. */
  get work(): string {
    return join(this.path, 'work');
  }

  /** Long pauses that hosts were granted: they hold for a crawl that begins again, too. */
  get pauses(): string {
    return join(this.work, 'pauses');
  }

  get siteUrlDrum(): string {
    return join(this.work, 'coordinator', 'site-url-drum');
  }

  get siteUrlList(): string {
    return join(this.work, 'coordinator', 'site-url-list.queue');
  }

  /** Sites whose addresses are asked for again. */
  get addressList(): string {
    return join(this.work, 'coordinator', 'address-list.queue');
  }

  /** Sites whose names could not be looked up for now, by how often that was tried. */
  nameRetries(queue: number): string {
    return join(this.work, 'coordinator', `name-retries-${queue}.queue`);
  }

  pageUrlDrum(agent: number): string {
    return join(this.agentWork(agent), 'page-url-drum');
  }

  sitePartitionDrum(agent: number): string {
    return join(this.agentWork(agent), 'site-partition-drum');
  }

  /** Digests of what was stored. */
  get digestDrum(): string {
    return join(this.work, 'digest-drum');
  }

  /** The frontier's URLs, and the states of its sites that memory has no room for. */
  frontier(agent: number): {
    readonly urls: (number: number) => string;
    readonly sites: string;
  } {
    return {
      urls: (number) => join(this.agentWork(agent), `frontier-${number}.queue`),
      sites: join(this.agentWork(agent), 'frontier.sites'),
    };
  }

  /** Rules of robots.txt that an agent's memory has no room for. */
  robotsRules(agent: number): string {
    return join(this.agentWork(agent), 'robots.rules');
  }

  /** Bodies of sitemaps that an agent is to read. */
  sitemaps(agent: number): string {
    return join(this.agentWork(agent), 'sitemaps');
  }

  unassigned(agent: number): string {
    return join(this.agentWork(agent), 'unassigned.queue');
  }

  inbox(thread: number): string {
    return join(this.work, `inbox-${thread}.queue`);
  }

  outbox(thread: number, to: number): string {
    return join(this.work, 'outbox', `${thread}-to-${to}.queue`);
  }

  /** What an agent took out of its rings since a checkpoint. */
  journal(agent: number): string {
    return join(this.work, 'journal', `${agent}`);
  }

  /** All that one agent keeps for itself. */
  agentWork(agent: number): string {
    return join(this.work, `agent-${agent}`);
  }
}
