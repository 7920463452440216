/**
 * An agent (fc2l-udcbot, figures 5 and 6): fetches the pages of its sites, checks the URLs it finds, and sends on what
 * belongs to others. Departures from the paper: many sites at once instead of one after the other, and everything as
 * it comes instead of in rounds.
 *
 * A URL enters the frontier only at the agent that owns its site, and only when that agent's PageUrlDrum called it
 * unique, which happens once: so no page is fetched twice, by whatever way its URL came.
 */

import type { ActivityPoster } from '../boards/activity-board.js';
import type { StopConditions } from '../boards/stop-conditions.js';
import type { Journal } from '../checkpoint/journal.js';
import { assert } from '../model/assert.js';
import type { Clock } from '../model/clock.js';
import { type AgentCounters, SampledTime } from '../model/counters.js';
import { DrumlineError } from '../model/errors.js';
import type { RecordVisitor } from '../model/record.js';
import {
  LEFT_OUT,
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
import { AGAIN, HELD, type Next, OVER, type TurnTaker } from '../model/turn.js';
import type { SitePartition } from '../partition/site-partition.js';
import { NOBODY, UNKNOWN } from '../partition/site-table.js';
import type { MeshEnd } from '../ring/mesh.js';
import type { SiteReporter } from '../route/site-reporter.js';
import type { SpillQueue } from '../spill/spill-queue.js';
import type { AgentBooks } from '../visit/agent-books.js';
import type { PageCrawler } from '../visit/page-crawler.js';
import { AgentCut, type AgentCutParts } from './agent-cut.js';

export interface AgentParts {
  readonly agent: number;
  /** The coordinator's thread in the mesh. */
  readonly coordinator: number;
  readonly crawler: PageCrawler;
  readonly partition: SitePartition;
  readonly unassigned: SpillQueue;
  /** Records that were taken out of the rings for a checkpoint, to be looked at first. */
  readonly inbox: SpillQueue;
  /** Null if no checkpoints are made. */
  readonly journal: Journal | null;
  /** What it takes part in checkpoints with; null if none are made. */
  readonly cut: Pick<AgentCutParts, 'board' | 'checkpoint' | 'files' | 'start'> | null;
  readonly hasBegun: boolean;
  readonly clock: Clock;
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

export class Agent implements TurnTaker {
  readonly #parts: AgentParts;
  /** The partition's version at the last sweep of the unassigned list, and how much the sweep left there. */
  #sweptVersion = 0;
  #leftBySweep = 0;
  #nextSweepAt = 0;
  /** Null if no checkpoints are made. */
  readonly #cut: AgentCut | null;
  #wasAsleep = false;
  /** Asleep because hosts were left alone. */
  #wasHeld = false;
  /** It fetches no more, and waits at most for the checkpoint that the crawl ends with. */
  #isEnding = false;
  /** The coordinator's first record came: before that, waiting belongs to the set-up. */
  #hasBegun: boolean;
  readonly #sending: SampledTime;

  constructor(parts: AgentParts) {
    this.#parts = parts;
    const { cut, journal } = parts;
    this.#cut =
      cut === null || journal === null
        ? null
        : new AgentCut({ ...parts, ...cut, journal, putAside: () => this.#putAside() });
    this.#hasBegun = parts.hasBegun;
    this.#sending = new SampledTime(parts.counters, 'pageUrlExchange');
  }

  /** One go; OVER when the coordinator, or a stop condition, says stop. */
  turn(): Next {
    const { crawler, stop } = this.#parts;
    if (this.#wasAsleep) this.#wake();
    this.#wasAsleep = false;
    if (this.#cut !== null && !this.#cut.goOn()) return HELD;
    if (stop.isRequested) return this.#end();
    this.#crawl();
    if (this.hasWork()) return AGAIN;
    if (this.#isIdle()) this.#postIdle();
    this.#wasAsleep = true;
    this.#wasHeld = crawler.isHeld;
    return Math.min(crawler.delay, this.#sweepDelay());
  }

  #wake(): void {
    const { counters } = this.#parts;
    const before = counters.get('asleep');
    counters.lap(this.#hasBegun ? 'asleep' : 'coordinatorSetUp');
    if (this.#wasHeld) counters.add('heldMs', counters.get('asleep') - before);
  }

  /** A crawl that is stopped before its end makes a last checkpoint. */
  #end(): Next {
    const { activity, mesh, stop } = this.#parts;
    // A stop that an agent asked for has to reach the threads that sleep.
    if (!this.#isEnding) mesh.wakeAll();
    this.#isEnding = true;
    if (this.#cut === null || !stop.isResumable || this.#cut.isLast) return OVER;
    activity.alive();
    return HELD;
  }

  /** Keeps what is in the rings until a checkpoint is made. */
  #putAside(): void {
    const { coordinator, inbox } = this.#parts;
    for (let sender = 0; sender <= coordinator; sender++)
      this.#receiveFrom(sender, (bytes, start, end) => inbox.push(bytes, start, end));
  }

  #crawl(): void {
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
    const { activity, journal, mesh } = this.#parts;
    assert(!activity.isIdle, 'an agent is not idle when it takes records');
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
    const siteLow = recordSiteLow(bytes, start);
    const siteHigh = recordSiteHigh(bytes, start);
    switch (recordType(bytes, start)) {
      case SITE_VISIT:
        counters.add('sites', 1);
        crawler.frontier.setAddress(siteLow, siteHigh, recordAddress(bytes, start, end));
        crawler.checker.offerRecord(bytes, start, end);
        break;
      case SITE_ADDRESS:
        crawler.learnAddress(siteLow, siteHigh, recordAddress(bytes, start, end));
        break;
      case PAGE_URL:
      case LEFT_OUT:
        crawler.checker.offerRecord(bytes, start, end);
        break;
      case SITE_OWNER:
        partition.learn(bytes, start);
        break;
      default:
        throw new DrumlineError('BAD_RECORD', `record of unknown type ${recordType(bytes, start)} in a ring`);
    }
  };

  /** A URL of the crawl that is new to this agent: whose is it? The answer goes to `onOwner`. */
  readonly onUnique = (bytes: Uint8Array, start: number, end: number): void =>
    this.#parts.partition.find(bytes, start, end);

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
    const before = this.#parts.clock();
    this.#sweptVersion = partition.version;
    for (let left = unassigned.count; left > 0 && unassigned.take(); left--) {
      partition.find(unassigned.bytes, unassigned.start, unassigned.end);
    }
    partition.flush();
    this.#leftBySweep = unassigned.count;
    const now = this.#parts.clock();
    this.#nextSweepAt = now + (now - before) / SWEEP_SHARE;
    counters.lap('sitePartition');
  }

  /** Milliseconds until the unassigned list is to be looked through; Infinity until something else happens. */
  #sweepDelay(): number {
    const { crawler, partition, unassigned } = this.#parts;
    if (unassigned.count === 0 || partition.version === this.#sweptVersion) return Number.POSITIVE_INFINITY;
    if (unassigned.count >= 2 * this.#leftBySweep + 64) return 0;
    if (!crawler.isStarving) return Number.POSITIVE_INFINITY;
    return crawler.isWaiting ? Math.max(0, this.#nextSweepAt - this.#parts.clock()) : 0;
  }

  readonly hasWork = (): boolean => {
    const { crawler, inbox, mesh, partition, stop } = this.#parts;
    if (this.#cut?.isUnderWay) return this.#cut.hasWork();
    if (this.#isEnding) return (this.#cut?.isCalled ?? false) || !stop.isResumable;
    return (
      crawler.delay === 0 ||
      inbox.count > 0 ||
      (this.#cut?.isCalled ?? false) ||
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
