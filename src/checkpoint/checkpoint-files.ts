/** Names every file of a checkpoint. */
import { join } from 'node:path';
import type { CrawlDirectory } from '../model/crawl-directory.js';

const NAME = /^checkpoint-(\d{8,})$/;

/** The generation that a directory's name stands for, or 0. */
export function generationOf(name: string): number {
  return Number(NAME.exec(name)?.[1] ?? 0);
}

export class CheckpointFiles {
  readonly directory: string;
  readonly generation: number;

  constructor(crawl: CrawlDirectory, generation: number) {
    this.generation = generation;
    this.directory = join(crawl.path, `checkpoint-${String(generation).padStart(8, '0')}`);
  }

  get coordinator(): string {
    return join(this.directory, 'coordinator.json');
  }

  /** All that the checkpoint needs; written last. */
  get manifest(): string {
    return join(this.directory, 'manifest');
  }

  /** Of the crawl as a whole. */
  get run(): string {
    return join(this.directory, 'run.json');
  }

  get siteUrlDrum(): string {
    return join(this.directory, 'site-url.manifest');
  }

  /** Sites that wait for the DNS check and an agent. */
  get siteUrlList(): string {
    return join(this.directory, 'site-url-list.records');
  }

  /** Whose each site is. */
  get siteTable(): string {
    return join(this.directory, 'site-table.records');
  }

  /** Records that a thread took out of its rings and did not look at yet. */
  inbox(thread: number): string {
    return join(this.directory, `inbox-${thread}.records`);
  }

  agent(agent: number): string {
    return join(this.directory, `agent-${agent}.json`);
  }

  /** Which pages of an emulated web it visited. */
  visitedPages(agent: number): string {
    return join(this.directory, `agent-${agent}-visited.records`);
  }

  pageUrlDrum(agent: number): string {
    return join(this.directory, `agent-${agent}-page-url.manifest`);
  }

  sitePartitionDrum(agent: number): string {
    return join(this.directory, `agent-${agent}-site-partition.manifest`);
  }

  /** Digests of what was stored. */
  get digestDrum(): string {
    return join(this.directory, 'digest.manifest');
  }

  unassigned(agent: number): string {
    return join(this.directory, `agent-${agent}-unassigned.records`);
  }

  /** Sitemaps that were fetched and not read yet. */
  sitemaps(agent: number): string {
    return join(this.directory, `agent-${agent}-sitemaps.records`);
  }

  frontierSites(agent: number): string {
    return join(this.directory, `agent-${agent}-sites.records`);
  }

  /** Where in their file the sites are that memory has no room for. */
  frontierDirectory(agent: number): string {
    return join(this.directory, `agent-${agent}-site-directory.records`);
  }
}
