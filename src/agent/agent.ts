/**
 * An agent (fc2l-udcbot, figures 5 and 6): fetches the pages of its sites, checks the URLs it finds, and sends on what
 * belongs to others. Departures from the paper: many sites at once instead of one after the other, and everything as
 * it comes instead of in rounds.
 *
 * A URL enters the frontier only at the agent that owns its site, and only when that agent's PageUrlDrum called it
 * unique, which happens once: so no page is fetched twice, by whatever way its URL came.
 */

import type { ActivityPoster } from '../boards/activity-board.js';
import type { CheckpointPoster } from '../boards/checkpoint-board.js';
import type { StopConditions } from '../boards/stop-conditions.js';
import type { CheckpointFiles } from '../checkpoint/checkpoint-files.js';
import type { Journal } from '../checkpoint/journal.js';
import { type AgentCounters, SampledTime } from '../model/counters.js';
import { DrumlineError } from '../model/errors.js';
import type { RecordVisitor } from '../model/record.js';
import {
  PAGE_URL,
  RECORD_HEADER,
  recordAddress,
  recordDepth,
  recordSiteHigh,
  recordSiteLow,
  recordType,
  recordUrlEnd,
  SITE_ADDRESS,
  SITE_OWNER,
  SITE_VISIT,
} from '../model/record.js';
import type { SitePartition } from '../partition/site-partition.js';
import { NOBODY, UNKNOWN } from '../partition/site-table.js';
import type { MeshEnd } from '../ring/mesh.js';
import type { RecordScope } from '../route/record-scope.js';
import type { SiteReporter } from '../route/site-reporter.js';
import type { SpillQueue } from '../spill/spill-queue.js';
import { sharedClock } from '../throttle/shared-clock.js';
import type { AgentBooks } from '../visit/agent-books.js';
import type { PageCrawler } from '../visit/page-crawler.js';
import type { AgentCheckpoint } from './agent-checkpoint.js';

export interface AgentParts {
  readonly agent: number;
  /** The coordinator's thread in the mesh. */
  readonly coordinator: number;
  readonly crawler: PageCrawler;
  readonly scope: RecordScope;
  readonly partition: SitePartition;
  readonly unassigned: SpillQueue;
  /** Records that were taken out of the rings for a checkpoint, to be looked at first. */
  readonly inbox: SpillQueue;
  readonly checkpoint: AgentCheckpoint;
  /** Null if no checkpoints are made. */
  readonly journal: Journal | null;
  /** Null if no checkpoints are made. */
  readonly board: CheckpointPoster | null;
  /** The checkpoint that the crawl goes on from, 0 if it begins. */
  readonly start: number;
  readonly files: (generation: number) => CheckpointFiles;
  readonly reporter: SiteReporter;
  readonly mesh: MeshEnd;
  readonly activity: ActivityPoster;
  readonly stop: StopConditions;
  readonly books: AgentBooks;
  readonly counters: AgentCounters;
}

/** Taken from one ring in one turn. */
const RECORDS_PER_TURN = 512;
/** A thread that waits for servers spends at most this share of its time on looking for owners. */
const SWEEP_SHARE = 0.1;
/** While a checkpoint is made, in case that a bell was missed. */
const HARD_SLEEP = 20;

export class Agent {
  readonly #parts: AgentParts;
  /** The partition's version at the last sweep of the unassigned list, and how much the sweep left there. */
  #sweptVersion = 0;
  #leftBySweep = 0;
  #nextSweepAt = 0;
  /** The checkpoint made last, and the last one that is whole. */
  #generation: number;
  #confirmed: number;
  /** The coordinator's first record came: before that, waiting belongs to the set-up. */
  #hasBegun: boolean;
  readonly #sending: SampledTime;

  constructor(parts: AgentParts) {
    this.#parts = parts;
    this.#generation = parts.start;
    this.#confirmed = parts.start;
    this.#hasBegun = parts.start > 0;
    this.#sending = new SampledTime(parts.counters, 'pageUrlExchange');
  }

  /** Crawls until the coordinator, or a stop condition, says stop. */
  async run(): Promise<void> {
    const { stop, counters, mesh } = this.#parts;
    counters.lap('coordinatorSetUp');
    while (!stop.isRequested) {
      this.#keepCheckpoints();
      this.#turn();
      if (this.#hasWork()) await new Promise(setImmediate);
      else {
        if (this.#isIdle()) this.#postIdle();
        await mesh.bell.sleep(this.#hasWork, Math.min(this.#parts.crawler.delay, this.#sweepDelay()));
        counters.lap(this.#hasBegun ? 'asleep' : 'coordinatorSetUp');
      }
    }
    // A stop that an agent asked for has to reach the threads that sleep.
    mesh.wakeAll();
    if (stop.isResumable) this.#waitForCheckpoint();
  }

  /** A crawl that is stopped before its end makes a last checkpoint. */
  #waitForCheckpoint(): void {
    const { activity, board, mesh, stop } = this.#parts;
    if (board === null) return;
    const isNow = (): boolean => board.requested !== this.#generation || !stop.isResumable;
    while (stop.isResumable && !board.isLast(this.#generation)) {
      activity.alive();
      if (isNow()) this.#keepCheckpoints();
      else mesh.bell.sleepHard(isNow, HARD_SLEEP);
    }
  }

  #keepCheckpoints(): void {
    const { board, checkpoint, journal } = this.#parts;
    if (board === null) return;
    // Before it is looked which one is whole: by then the one before the requested one is, and known to be.
    const { requested } = board;
    if (board.confirmed !== this.#confirmed) {
      this.#confirmed = board.confirmed;
      checkpoint.confirm();
      journal?.confirm(this.#confirmed);
    }
    if (requested !== this.#generation) {
      this.#generation = requested;
      this.#makeCheckpoint(board, requested);
    }
  }

  /**
   * Takes part in a checkpoint (`checkpoint-board.ts`). The thread does nothing else meanwhile: a page that arrives now
   * is read afterwards, and its URL is still in the frontier.
   */
  #makeCheckpoint(board: CheckpointPoster, generation: number): void {
    const { activity, checkpoint, coordinator, counters, crawler, files, inbox, journal, mesh } = this.#parts;
    const { partition, stop } = this.#parts;
    // It will take records.
    activity.postBusy();
    while (crawler.checker.pending + partition.pending > 0) {
      crawler.checker.flush();
      partition.flush();
    }
    const isOver = (): boolean => board.drained === generation || stop.outcome === 'failed';
    while (!isOver()) {
      activity.alive();
      mesh.deliver();
      let taken = 0;
      for (let sender = 0; sender <= coordinator; sender++)
        taken += this.#receiveFrom(sender, (bytes, start, end) => inbox.push(bytes, start, end));
      board.postFlushed(generation, mesh.waiting);
      mesh.wake(coordinator);
      if (taken === 0) mesh.bell.sleepHard(() => isOver() || mesh.hasMail || mesh.canDeliver, HARD_SLEEP);
    }
    if (stop.outcome === 'failed') return;
    checkpoint.save(files(generation));
    journal?.turn(generation);
    board.postSaved(generation);
    mesh.wake(coordinator);
    counters.lap('checkpoint');
  }

  #turn(): void {
    const { activity, coordinator, counters, crawler, inbox, mesh, partition } = this.#parts;
    activity.postBusy();
    counters.lap('rest');
    while (inbox.take()) this.#onRecord(inbox.bytes, inbox.start, inbox.end);
    if (this.#receiveFrom(coordinator, this.#onRecord) > 0) this.#hasBegun = true;
    counters.lap('sitePartition');
    for (let other = 0; other < coordinator; other++) this.#receiveFrom(other, this.#onRecord);
    counters.lap('pageUrlExchange');
    this.#sweepUnassigned();
    crawler.fetchSome();
    crawler.check();
    if (partition.flush()) counters.lap('sitePartition');
    mesh.deliverTo(coordinator);
    counters.lap('siteUrlSending');
    for (let other = 0; other < coordinator; other++) mesh.deliverTo(other);
    counters.lap('pageUrlExchange');
    counters.set('unassigned', this.#parts.unassigned.count);
  }

  /** Takes records out of a ring; they are in the journal before their room is freed. */
  #receiveFrom(sender: number, visit: RecordVisitor): number {
    const { journal, mesh } = this.#parts;
    if (journal === null) return mesh.receiveFrom(sender, RECORDS_PER_TURN, visit);
    return mesh.receiveFrom(
      sender,
      RECORDS_PER_TURN,
      (bytes, start, end) => {
        journal.add(bytes, start, end);
        visit(bytes, start, end);
      },
      journal.write,
    );
  }

  readonly #onRecord = (bytes: Uint8Array, start: number, end: number): void => {
    const { crawler, partition, counters } = this.#parts;
    switch (recordType(bytes, start)) {
      case SITE_VISIT:
        counters.add('sites', 1);
        crawler.frontier.setAddress(
          recordSiteLow(bytes, start),
          recordSiteHigh(bytes, start),
          recordAddress(bytes, start, end),
        );
        crawler.checker.offerRecord(bytes, start, end);
        break;
      case SITE_ADDRESS:
        crawler.frontier.setAddress(
          recordSiteLow(bytes, start),
          recordSiteHigh(bytes, start),
          recordAddress(bytes, start, end),
        );
        break;
      case PAGE_URL:
        crawler.checker.offerRecord(bytes, start, end);
        break;
      case SITE_OWNER:
        partition.learn(bytes, start);
        break;
      default:
        throw new DrumlineError('BAD_RECORD', `record of unknown type ${recordType(bytes, start)} in a ring`);
    }
  };

  /** A URL that is new to this agent: does it belong to the crawl, and whose is it? The answer goes to `onOwner`. */
  readonly onUnique = (bytes: Uint8Array, start: number, end: number): void => {
    const reason = this.#parts.scope.check(bytes, start, end);
    if (reason === '') this.#parts.partition.find(bytes, start, end);
    else this.#parts.books.leftOut(bytes, start, end, reason, '');
  };

  /** The three cases of full coverage (figure 6, Agent_SolveCoverageProblem). */
  readonly onOwner = (owner: number, bytes: Uint8Array, start: number, end: number): void => {
    const { agent, books, counters, crawler, mesh, reporter, unassigned } = this.#parts;
    const siteLow = recordSiteLow(bytes, start);
    const siteHigh = recordSiteHigh(bytes, start);
    if (owner === agent) crawler.frontier.push(siteLow, siteHigh, bytes, start, end);
    else if (owner === NOBODY) books.leftOut(bytes, start, end, 'SITE_REFUSED', '');
    else if (owner === UNKNOWN) {
      unassigned.push(bytes, start, end);
      const urlEnd = recordUrlEnd(bytes, start, end);
      reporter.report(siteLow, siteHigh, bytes, start + RECORD_HEADER, urlEnd, recordDepth(bytes, start));
    } else {
      const begun = this.#sending.begin();
      mesh.send(owner, bytes, start, end);
      this.#sending.end(begun);
      counters.add('pageUrlsExchanged', 1);
      counters.add('exchangedBytes', end - start);
    }
  };

  /**
   * Looks for owners of what waits in the unassigned list, if the partition changed. A thread that has enough to fetch
   * waits until the list has doubled, so that the cost per URL stays constant; one that has not, but waits for servers,
   * spends a small share of its time on it.
   */
  #sweepUnassigned(): void {
    const { counters, partition, unassigned } = this.#parts;
    if (this.#sweepDelay() > 0) return;
    const before = sharedClock();
    this.#sweptVersion = partition.version;
    for (let left = unassigned.count; left > 0 && unassigned.take(); left--) {
      partition.find(unassigned.bytes, unassigned.start, unassigned.end);
    }
    partition.flush();
    this.#leftBySweep = unassigned.count;
    const now = sharedClock();
    this.#nextSweepAt = now + (now - before) / SWEEP_SHARE;
    counters.lap('sitePartition');
  }

  /** Milliseconds until the unassigned list is to be looked through; Infinity until something else happens. */
  #sweepDelay(): number {
    const { crawler, partition, unassigned } = this.#parts;
    if (unassigned.count === 0 || partition.version === this.#sweptVersion) return Number.POSITIVE_INFINITY;
    if (unassigned.count >= 2 * this.#leftBySweep + 64) return 0;
    if (!crawler.isStarving) return Number.POSITIVE_INFINITY;
    return crawler.isWaiting ? Math.max(0, this.#nextSweepAt - sharedClock()) : 0;
  }

  readonly #hasWork = (): boolean => {
    const { board, crawler, inbox, mesh, partition, stop } = this.#parts;
    return (
      crawler.delay === 0 ||
      inbox.count > 0 ||
      (board !== null && (board.requested !== this.#generation || board.confirmed !== this.#confirmed)) ||
      mesh.hasMail ||
      mesh.canDeliver ||
      partition.pending > 0 ||
      this.#sweepDelay() === 0 ||
      stop.isRequested
    );
  };

  #isIdle(): boolean {
    const { crawler, inbox, mesh, partition, unassigned } = this.#parts;
    return (
      crawler.isIdle &&
      inbox.count === 0 &&
      partition.pending === 0 &&
      unassigned.count === 0 &&
      mesh.waiting === 0
    );
  }

  #postIdle(): void {
    const { activity, coordinator, mesh } = this.#parts;
    activity.postIdle();
    mesh.wake(coordinator);
  }

  close(): void {
    const { activity, crawler, inbox, journal, mesh, partition, unassigned } = this.#parts;
    // Who only closes is not judged: all that it does is to wait for the disk.
    activity.beginWait();
    crawler.close();
    journal?.close();
    partition.close();
    unassigned.close();
    inbox.close();
    mesh.close();
  }
}
