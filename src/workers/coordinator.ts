/**
 * The coordinator (fc2l-udcbot, figure 4): takes the sites that agents report, finds the new ones with the SiteUrlDrum,
 * checks that they exist, assigns them, and makes the assignment known. It sees that the crawl is over. Pages never
 * come here.
 */
import { Drum, type DrumAnswers, UNIQUE } from '../drum/drum.js';
import { DrumBatch } from '../drum/drum-batch.js';
import { DrumlineError } from '../model/errors.js';
import type { Assignment } from '../partition/assignment.js';
import { NOBODY, type SiteTableWriter, UNKNOWN } from '../partition/site-table.js';
import type { MeshEnd } from '../ring/mesh.js';
import {
  MAX_RECORD,
  PAGE_URL,
  RECORD_HEADER,
  recordKeyHigh,
  recordKeyLow,
  recordSiteHigh,
  recordSiteLow,
  recordType,
  SITE_OWNER,
  SITE_URL,
  SITE_VISIT,
  setOwner,
  writeHeader,
} from '../ring/record.js';
import type { SpillQueue } from '../spill/spill-queue.js';
import type { ActivityBoard } from './activity-board.js';
import { writeRootRecord } from './site-reporter.js';
import type { StopConditions } from './stop-conditions.js';

export interface CoordinatorParts {
  readonly agents: number;
  readonly mesh: MeshEnd;
  readonly siteTable: SiteTableWriter;
  readonly siteUrlDrum: { readonly directory: string; readonly memoryBytes: number };
  /** Unique sites that wait for the DNS check and an agent: the paper's Site URL List. */
  readonly siteUrlList: SpillQueue;
  readonly assignment: Assignment;
  readonly activity: ActivityBoard;
  readonly stop: StopConditions;
  /** PAGE_URL records of the seeds, one a call; null when there are no more. */
  readonly nextSeed: () => Uint8Array | null;
  /** Does the host exist? */
  readonly hasSite: (host: string) => boolean;
}

const RECORDS_PER_TURN = 4096;
const SEEDS_PER_TURN = 1024;
const SITES_PER_TURN = 1024;
const decoder = new TextDecoder();

export class Coordinator {
  readonly #parts: CoordinatorParts;
  readonly #drum: Drum;
  readonly #batch = new DrumBatch();
  readonly #record = new Uint8Array(MAX_RECORD + 1);
  readonly #key = new Uint32Array(2);
  #seedsLeft = true;
  #nextAgent = 0;
  /** Sites assigned, and sites refused because their host does not exist. */
  sites = 0;
  refusedSites = 0;

  constructor(parts: CoordinatorParts) {
    this.#parts = parts;
    this.#drum = Drum.open(parts.siteUrlDrum, (answers) => this.#onAnswers(answers));
  }

  get statistics() {
    return this.#drum.statistics;
  }

  /** Coordinates until the crawl is exhausted or a stop was asked for, and tells every agent. */
  async run(): Promise<void> {
    const { mesh, stop } = this.#parts;
    // The last agent may have become idle after the look at the board and before the announcement of sleep, when its
    // ring of the bell had nobody to wake: so the look is part of what is asked once more before sleeping.
    const isAwake = (): boolean => this.#hasWork() || this.#isExhausted();
    while (!stop.isRequested) {
      this.#turn();
      if (this.#hasWork()) await new Promise(setImmediate);
      else if (this.#isExhausted()) stop.request('exhausted');
      else await mesh.bell.sleep(isAwake);
    }
    mesh.wakeAll();
  }

  #turn(): void {
    const { mesh } = this.#parts;
    mesh.receive(RECORDS_PER_TURN, this.#onRecord);
    this.#readSeeds();
    if (this.#batch.count > 0) this.#drum.checkUpdate(this.#batch);
    this.#batch.clear();
    // Agents may be waiting for these sites, so the DRUM fills its buffers only as long as more sites keep coming.
    if (this.#drum.pending > 0 && !mesh.hasMail) this.#drum.flush();
    this.#assignSites();
    mesh.deliver();
  }

  readonly #onRecord = (bytes: Uint8Array, start: number, end: number): void => {
    if (recordType(bytes, start) !== SITE_URL) {
      throw new DrumlineError(
        'BAD_RECORD',
        `record of type ${recordType(bytes, start)} in a ring to the coordinator`,
      );
    }
    this.#batch.add(recordSiteLow(bytes, start), recordSiteHigh(bytes, start), bytes, start, end);
  };

  #readSeeds(): void {
    // What waits for the agents' rings is enough work; more seeds would only go to disk a second time.
    for (let i = 0; this.#seedsLeft && i < SEEDS_PER_TURN && this.#parts.mesh.waiting === 0; i++) {
      const record = this.#parts.nextSeed();
      if (record === null) this.#seedsLeft = false;
      else this.#batch.add(recordSiteLow(record, 0), recordSiteHigh(record, 0), record, 0, record.length);
    }
  }

  #onAnswers(answers: DrumAnswers): void {
    for (let i = 0; i < answers.count; i++) {
      const start = answers.auxStarts[i]!;
      const end = answers.auxEnds[i]!;
      if (answers.outcomes[i] === UNIQUE) this.#parts.siteUrlList.push(answers.aux, start, end);
      else if (recordType(answers.aux, start) === PAGE_URL) this.#forwardSeed(answers.aux, start, end);
    }
  }

  #assignSites(): void {
    const { siteUrlList, siteTable, mesh } = this.#parts;
    let assigned = 0;
    while (assigned < SITES_PER_TURN && siteUrlList.take()) {
      this.#assign(siteUrlList.bytes, siteUrlList.start, siteUrlList.end);
      assigned++;
    }
    if (assigned === 0) return;
    siteTable.announce();
    mesh.wakeAll();
  }

  /** REQUIRES: bytes[start, end) is a SITE_URL record or a seed's PAGE_URL record, the first of its site. */
  #assign(bytes: Uint8Array, start: number, end: number): void {
    const { assignment, hasSite, mesh } = this.#parts;
    const siteLow = recordSiteLow(bytes, start);
    const siteHigh = recordSiteHigh(bytes, start);
    const exists = hasSite(hostOf(bytes, start + RECORD_HEADER, end));
    const owner = exists ? assignment.assign(siteLow, siteHigh) : NOBODY;
    this.#publish(siteLow, siteHigh, owner);
    if (!exists) {
      this.refusedSites++;
      return;
    }
    this.sites++;
    const url = start + RECORD_HEADER;
    const length = writeRootRecord(this.#record, SITE_VISIT, siteLow, siteHigh, bytes, url, end, this.#key);
    mesh.send(owner, this.#record, 0, length);
    const isRoot =
      recordKeyLow(bytes, start) === this.#key[0] && recordKeyHigh(bytes, start) === this.#key[1];
    if (recordType(bytes, start) === PAGE_URL && !isRoot) mesh.send(owner, bytes, start, end);
  }

  /** In the table where every agent sees it, or by a record to each if the table is full. */
  #publish(siteLow: number, siteHigh: number, owner: number): void {
    const { agents, mesh, siteTable } = this.#parts;
    if (siteTable.tryPublish(siteLow, siteHigh, owner)) return;
    writeHeader(this.#record, 0, SITE_OWNER, siteLow, siteHigh, 0, 0);
    setOwner(this.#record, 0, owner);
    for (let agent = 0; agent < agents; agent++) mesh.send(agent, this.#record, 0, RECORD_HEADER);
  }

  /** A seed of a site that is known already: to its agent, or to any agent, which finds out. */
  #forwardSeed(bytes: Uint8Array, start: number, end: number): void {
    const { agents, mesh, siteTable } = this.#parts;
    const owner = siteTable.ownerOf(recordSiteLow(bytes, start), recordSiteHigh(bytes, start));
    if (owner === NOBODY) return;
    if (owner === UNKNOWN) this.#nextAgent = (this.#nextAgent + 1) % agents;
    mesh.send(owner === UNKNOWN ? this.#nextAgent : owner, bytes, start, end);
  }

  readonly #hasWork = (): boolean => {
    const { mesh, siteUrlList, stop } = this.#parts;
    return (
      stop.isRequested ||
      mesh.hasMail ||
      mesh.canDeliver ||
      siteUrlList.count > 0 ||
      (this.#seedsLeft && mesh.waiting === 0)
    );
  };

  #isIdle(): boolean {
    const { mesh, siteUrlList } = this.#parts;
    return !this.#seedsLeft && siteUrlList.count === 0 && this.#drum.pending === 0 && mesh.waiting === 0;
  }

  #isExhausted(): boolean {
    const { activity, mesh } = this.#parts;
    return this.#isIdle() && activity.isExhausted(mesh.sent, mesh.received);
  }

  close(): void {
    this.#drum.close();
    this.#parts.siteUrlList.close();
    this.#parts.mesh.close();
  }
}

/** The host of a canonical URL without its port. */
function hostOf(url: Uint8Array, start: number, end: number): string {
  return new URL(decoder.decode(url.subarray(start, end))).hostname;
}
