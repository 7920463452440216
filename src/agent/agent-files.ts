/** The files outside of a checkpoint's directory that an agent's part of it needs. */
import { join } from 'node:path';
import { type NeededFile, NeededFiles } from '../checkpoint/needed-file.js';
import type { CrawlDirectory } from '../model/crawl-directory.js';
import type { Disk } from '../model/disk.js';
import type { FrontierState } from '../shard/frontier.js';
import { frontierFiles } from '../shard/frontier-files.js';
import type { StoreState } from '../store/page-store.js';
import { WarcFiles } from '../store/warc-files.js';

/** How far they go, as of a checkpoint. */
export interface AgentExtents {
  /** Bytes of its part of pages.txt and of crawl.log. */
  readonly list: number;
  readonly log: number;
  /** Null if nothing is stored. */
  readonly store: Pick<StoreState, 'serial' | 'offset' | 'index'> | null;
  readonly frontier: FrontierState;
}

export class AgentFiles {
  readonly #disk: Disk;
  readonly #directory: CrawlDirectory;
  readonly #agent: number;
  readonly #runStart: number;
  #needed: NeededFiles;
  #isNamed = false;

  /** `runStart` is the checkpoint that the run went on from, which its parts of log and list are named after. */
  constructor(disk: Disk, directory: CrawlDirectory, agent: number, runStart: number) {
    this.#disk = disk;
    this.#directory = directory;
    this.#agent = agent;
    this.#runStart = runStart;
    this.#needed = new NeededFiles(disk, directory.path);
  }

  /** Goes on from what a checkpoint had. */
  restore(files: readonly NeededFile[]): void {
    this.#needed = new NeededFiles(this.#disk, this.#directory.path, files);
  }

  /** Makes the names of its directory, and of those in it, durable. */
  #nameDirectories(): void {
    if (this.#isNamed) return;
    const { work } = this.#directory;
    for (const directory of [work, this.#directory.agentWork(this.#agent)])
      this.#disk.syncDirectory(directory);
    this.#isNamed = true;
  }

  /** REQUIRES: they are durable that far. */
  save({ frontier, list, log, store }: AgentExtents): NeededFile[] {
    const directory = this.#directory;
    this.#nameDirectories();
    const files: NeededFile[] = [];
    const begins = (path: string, bytes: number): void => {
      if (bytes > 0) files.push(this.#needed.begins(path, bytes));
    };
    begins(directory.pageListPart(this.#agent, this.#runStart), list);
    begins(directory.crawlLogPart(this.#agent, this.#runStart), log);
    for (const { path, bytes } of frontierFiles(directory.frontier(this.#agent), frontier))
      files.push(this.#needed.holds(path, bytes));
    if (store === null) return files;
    begins(directory.indexPart(this.#agent), store.index);
    const warc = new WarcFiles(directory.warc, this.#agent, 0);
    for (const name of this.#disk.list(directory.warc)) {
      const serial = warc.serialOf(name);
      if (serial < 0 || serial > store.serial) continue;
      const path = join(directory.warc, name);
      if (serial < store.serial) files.push(this.#needed.whole(path));
      else begins(path, store.offset);
    }
    return files;
  }
}
