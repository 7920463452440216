/** An agent's part of a checkpoint: what it takes to go on from there as if nothing had happened. */

import type { StopConditions } from '../boards/stop-conditions.js';
import type { VisitedPages } from '../boards/visited-pages.js';
import type { CheckpointFiles } from '../checkpoint/checkpoint-files.js';
import { NEEDED_FILE, type NeededFile } from '../checkpoint/needed-file.js';
import { RecordFileWriter, readRecordFile, saveRecords } from '../checkpoint/record-file.js';
import type { DrumStatistics } from '../drum/drum.js';
import { addStatistics, DRUM_STATISTICS } from '../drum/drum-statistics.js';
import type { AgentCounters } from '../model/counters.js';
import type { Disk } from '../model/disk.js';
import { saveJson } from '../model/json-file.js';
import type { RecordVisitor } from '../model/record.js';
import { fields, list, named, number, orNull, type Shape } from '../model/shape.js';
import type { SitePartition } from '../partition/site-partition.js';
import { FRONTIER_STATE, type FrontierState } from '../shard/frontier.js';
import type { SpillQueue } from '../spill/spill-queue.js';
import { type AgentBooks, BOOKS_STATE, type BooksState } from '../visit/agent-books.js';
import type { PageCrawler } from '../visit/page-crawler.js';
import type { AgentFiles } from './agent-files.js';

export interface AgentState {
  readonly counters: Readonly<Record<string, number>>;
  readonly books: BooksState;
  readonly frontier: FrontierState;
  /** That are needed beside those in the checkpoint's directory. */
  readonly files: readonly NeededFile[];
  /** What the DRUMs did until then, over all runs of the crawl. */
  readonly pageUrlDrum: DrumStatistics;
  readonly sitePartitionDrum: DrumStatistics | null;
}

export const AGENT_STATE: Shape<AgentState> = fields({
  counters: named(number),
  books: BOOKS_STATE,
  frontier: FRONTIER_STATE,
  files: list(NEEDED_FILE),
  pageUrlDrum: DRUM_STATISTICS,
  sitePartitionDrum: orNull(DRUM_STATISTICS),
});

export interface SavedParts {
  readonly agent: number;
  readonly crawler: PageCrawler;
  readonly books: AgentBooks;
  readonly counters: AgentCounters;
  readonly stop: StopConditions;
  /** Null where pages are not numbered. */
  readonly visited: VisitedPages | null;
  readonly files: AgentFiles;
  /** Null for the single-machine crawler. */
  readonly partition: SitePartition | null;
  readonly unassigned: SpillQueue | null;
  /** Records taken out of the rings that were not looked at yet. */
  readonly inbox: SpillQueue | null;
}

const CHUNK_BYTES = 1 << 16;

function saveBytes(disk: Disk, path: string, bytes: Uint8Array): void {
  saveRecords(disk, path, (add) => {
    for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
      add(bytes, at, Math.min(bytes.length, at + CHUNK_BYTES));
    }
  });
}

function loadBytes(disk: Disk, path: string, bytes: Uint8Array): void {
  let at = 0;
  readRecordFile(disk, path, (chunk, start, end) => {
    bytes.set(chunk.subarray(start, end), at);
    at += end - start;
  });
}

export class AgentCheckpoint {
  readonly #disk: Disk;
  readonly #parts: SavedParts;
  /** What the DRUMs did in earlier runs. */
  #before: { pageUrl: DrumStatistics | null; sitePartition: DrumStatistics | null } = {
    pageUrl: null,
    sitePartition: null,
  };

  constructor(disk: Disk, parts: SavedParts) {
    this.#disk = disk;
    this.#parts = parts;
  }

  get pageUrlStatistics(): DrumStatistics {
    return addStatistics([this.#before.pageUrl, this.#parts.crawler.checker.statistics]);
  }

  get sitePartitionStatistics(): DrumStatistics | null {
    const { partition } = this.#parts;
    return partition === null ? null : addStatistics([this.#before.sitePartition, partition.statistics]);
  }

  /** REQUIRES: nothing is pending in a DRUM or waiting in an outbox. */
  save(files: CheckpointFiles): void {
    const { agent, books, counters, crawler, inbox, partition, unassigned, visited } = this.#parts;
    const disk = this.#disk;
    crawler.checker.save(files.pageUrlDrum(agent));
    partition?.save(files.sitePartitionDrum(agent));
    if (unassigned !== null) saveRecords(disk, files.unassigned(agent), (add) => unassigned.forEach(add));
    if (inbox !== null) saveRecords(disk, files.inbox(agent), (add) => inbox.forEach(add));
    if (visited !== null) saveBytes(disk, files.visitedPages(agent), visited.bytes);
    saveRecords(disk, files.sitemaps(agent), (add) => crawler.sitemaps.forEach(add));
    const sites = new RecordFileWriter(disk, files.frontierSites(agent));
    const directory = new RecordFileWriter(disk, files.frontierDirectory(agent));
    const frontier = crawler.frontier.save(sites.add, directory.add);
    sites.close();
    directory.close();
    const booksState = books.save(files.digestDrum, files.generation);
    const state: AgentState = {
      counters: counters.save(),
      books: booksState,
      frontier,
      files: this.#parts.files.save({ ...booksState, frontier }),
      pageUrlDrum: this.pageUrlStatistics,
      sitePartitionDrum: this.sitePartitionStatistics,
    };
    saveJson(disk, files.agent(agent), AGENT_STATE, state);
  }

  /** Nobody will go back to an earlier checkpoint. */
  confirm(): void {
    const { books, crawler, partition } = this.#parts;
    books.confirm();
    crawler.checker.confirm();
    crawler.frontier.confirm();
    partition?.confirm();
  }

  /** Begins anew after an agent that died before there was a checkpoint. */
  reset(): void {
    const { counters, stop, visited } = this.#parts;
    counters.restore({});
    stop.restore(0, 0);
    visited?.bytes.fill(0);
  }

  /** REQUIRES: frontier and DRUMs were opened from the same checkpoint. */
  restore(files: CheckpointFiles, state: AgentState): void {
    const { agent, books, counters, crawler, inbox, stop, unassigned, visited } = this.#parts;
    const disk = this.#disk;
    const read = (path: string) => (visit: RecordVisitor) => readRecordFile(disk, path, visit);
    const fill = (queue: SpillQueue | null, path: string): void => {
      if (queue !== null) readRecordFile(disk, path, (bytes, start, end) => queue.push(bytes, start, end));
    };
    counters.restore(state.counters);
    stop.restore(counters.get('pages'), counters.get('bytes'));
    if (visited !== null) loadBytes(disk, files.visitedPages(agent), visited.bytes);
    books.restore(state.books);
    this.#parts.files.restore(state.files);
    crawler.frontier.restore(
      state.frontier,
      read(files.frontierSites(agent)),
      read(files.frontierDirectory(agent)),
    );
    readRecordFile(disk, files.sitemaps(agent), crawler.sitemaps.restore);
    fill(unassigned, files.unassigned(agent));
    fill(inbox, files.inbox(agent));
    this.#before = { pageUrl: state.pageUrlDrum, sitePartition: state.sitePartitionDrum };
  }
}
