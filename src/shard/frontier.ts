/**
 * What an agent fetches next: a queue for each of its sites, breadth first in each, and the sites in turn as their time
 * comes. A site that `next` handed out is the caller's until it is released, so nobody else fetches from it meanwhile.
 *
 * Memory is bounded: URLs go from the log's memory to its file (`url-log.ts`), sites to the ledger on disk
 * (`resident-sites.ts`). `site-turns.ts` has the queues of those in memory.
 */

import { assert, assertCostly } from '../model/assert.js';
import type { Clock } from '../model/clock.js';
import type { Disk } from '../model/disk.js';
import { KeyHash } from '../model/key-hash.js';
import { count, fields, number, orNull, type Shape } from '../model/shape.js';
import { PARKED_STATE, ParkedSites, type ParkedState } from './parked-sites.js';
import { ResidentSites } from './resident-sites.js';
import { SiteAddresses } from './site-addresses.js';
import { LEDGER_STATE, type LedgerState, SiteLedger } from './site-ledger.js';
import { SiteNotes } from './site-notes.js';
import { ROW_BYTES, readRow, rowHigh, rowLow, writeRow } from './site-row.js';
import { SiteStates } from './site-states.js';
import { IDLE, SiteTurns } from './site-turns.js';
import { URL_LOG_STATE, UrlLog, type UrlLogState } from './url-log.js';
import { JOINT, type Joint, UrlMover } from './url-mover.js';

/** Of the memory; the rest is the log's. */
const STATES_SHARE = 0.5;
export interface FrontierPaths {
  /** The files of URLs have numbers. */
  readonly urls: (number: number) => string;
  readonly sites: string;
}

export interface FrontierOptions {
  readonly memoryBytes: number;
  /** Must a site's address be known before it is handed out? */
  readonly needsAddress: boolean;
  readonly clock: Clock;
  readonly hash?: KeyHash;
  /** Will checkpoints be made of it? */
  readonly isSaved?: boolean;
  /** A checkpoint to go on from; `restore` brings the rest of it. */
  readonly state?: FrontierState | undefined;
}

/** What a checkpoint keeps of a frontier beside its records and the files of its URLs and sites. */
export interface FrontierState {
  readonly count: number;
  /** Milliseconds since the crawl began: what times are kept relative to. */
  readonly elapsed: number;
  readonly log: UrlLogState;
  readonly ledger: LedgerState | null;
  readonly joint: Joint | null;
  readonly parked: ParkedState;
}

type RecordVisitor = (bytes: Uint8Array, start: number, end: number) => void;

export const FRONTIER_STATE: Shape<FrontierState> = fields({
  count,
  elapsed: number,
  log: URL_LOG_STATE,
  ledger: orNull(LEDGER_STATE),
  joint: orNull(JOINT),
  parked: PARKED_STATE,
});

export class Frontier {
  /** For sites that `next` handed out. */
  readonly addresses: SiteAddresses;
  readonly notes: SiteNotes;
  readonly #states: SiteStates;
  readonly #ledger: SiteLedger;
  readonly #log: UrlLog;
  readonly #mover: UrlMover;
  readonly #parked: ParkedSites;
  readonly #turns: SiteTurns;
  readonly #resident: ResidentSites;
  readonly #clock: Clock;
  readonly #began: number;
  #count = 0;

  constructor(disk: Disk, paths: FrontierPaths, options: FrontierOptions) {
    const { isSaved = false, memoryBytes, state } = options;
    this.#began = options.clock() - (state?.elapsed ?? 0);
    const hash = options.hash ?? new KeyHash();
    this.#states = new SiteStates(STATES_SHARE * memoryBytes, hash);
    this.addresses = new SiteAddresses(this.#states, options.clock, state?.elapsed ?? 0);
    this.#turns = new SiteTurns(this.#states, this.addresses, options.needsAddress, options.clock);
    this.#ledger = new SiteLedger(disk, paths.sites, this.#began, hash, isSaved);
    const logBytes = (1 - STATES_SHARE) * memoryBytes;
    this.#log = new UrlLog(disk, paths.urls, logBytes, isSaved, state?.log);
    this.#parked = new ParkedSites(this.#log, state?.parked);
    this.#mover = new UrlMover(this.#log, this.#states, this.#ledger, this.#parked, state?.joint);
    this.#resident = new ResidentSites({
      states: this.#states,
      turns: this.#turns,
      ledger: this.#ledger,
      parked: this.#parked,
      mover: this.#mover,
    });
    this.notes = new SiteNotes(this.#states, this.#resident);
    this.#clock = options.clock;
  }

  /** URLs that wait, those being fetched among them. */
  get count(): number {
    return this.#count;
  }

  /** Sites that may be fetched from now. */
  get readySites(): number {
    this.#refresh();
    return this.#turns.ready;
  }

  /** Sites that have URLs, and are left alone for now. */
  get restingSites(): number {
    return this.#turns.resting;
  }

  /** Milliseconds until `next` gives a site; Infinity if only other events can change that. */
  get delay(): number {
    return this.readySites > 0 || this.#resident.mayUnpark ? 0 : this.#turns.delay;
  }

  /** Takes a copy of a PAGE_URL record of the site with this key. */
  push(low: number, high: number, record: Uint8Array, start: number, end: number): void {
    const site = this.#resident.stateOf(low, high);
    const { count, head, tail } = this.#states;
    const place = this.#log.append(record, start, end);
    if (count[site]!++ === 0) head[site] = place;
    else this.#log.link(tail[site]!, place);
    tail[site] = place;
    this.#count++;
    this.#resident.putBack(site);
    this.#mover.step();
  }

  /** The vetted address of a site, or why it has none any more; its URLs wait for it. */
  setAddress(low: number, high: number, address: string): void {
    const site = this.#resident.stateOf(low, high);
    this.addresses.set(site, address);
    this.#resident.putBack(site);
  }

  /** No request to a site may start before `readyAt`, whoever said something else. */
  rest(low: number, high: number, readyAt: number): void {
    const site = this.#resident.stateOf(low, high);
    // Where it waits already, `next` finds out.
    this.#states.readyAt[site] = Math.max(readyAt, this.#states.readyAt[site]!);
    this.#resident.keep(site);
  }

  /** A site whose turn it is, now the caller's; 0 if there is none now. */
  next(): number {
    while (this.readySites > 0) {
      const site = this.#turns.take();
      if (site !== 0) return site;
    }
    return 0;
  }

  /** The oldest URL of a site: its record is `bytes[start, end)`, valid until the next call of anything here. */
  peek(site: number): { readonly bytes: Uint8Array; readonly start: number; readonly end: number } {
    this.#log.read(this.#states.head[site]!);
    return this.#log;
  }

  hasUrl(site: number): boolean {
    return this.#states.count[site]! > 0;
  }

  /** Puts the oldest URL of a site, whose record is `bytes[0, length)`, behind its others. REQUIRES: the site was handed out. */
  putLast(site: number, bytes: Uint8Array, length: number): void {
    const { keyHigh, keyLow } = this.#states;
    this.drop(site);
    this.push(keyLow[site]!, keyHigh[site]!, bytes, 0, length);
  }

  /** Takes the oldest URL of a site out. REQUIRES: it has one, and the site was handed out. */
  drop(site: number): void {
    const { count, head } = this.#states;
    assert(this.#turns.isTaken(site), 'a site whose URL is taken out was handed out');
    assert(count[site]! > 0 && this.#count > 0, 'a site whose URL is taken out has one');
    const place = head[site]!;
    const log = this.#log;
    log.read(place);
    head[site] = this.#mover.afterDrop(site, log.next);
    log.free(place, log.end - log.start);
    count[site]!--;
    this.#count--;
    this.#states.permit[site] = 0;
    this.#mover.step();
  }

  /** Gives a site back; `readyAt` is when the next request to it may start. */
  release(site: number, readyAt: number): void {
    this.#turns.release(site, readyAt);
  }

  /** The same for one with which something was begun: at its time it goes before those that wait for their turn. */
  releaseFirst(site: number, readyAt: number): void {
    this.#turns.releaseFirst(site, readyAt);
  }

  /**
   * Makes all durable: the URLs and the sites on disk in their own files, sites in memory and the directory of those on
   * disk as records. A site in somebody's hands is saved as one that is not.
   */
  save(addSite: RecordVisitor, addDirectory: RecordVisitor): FrontierState {
    assertCostly(
      this.#isSound,
      'sites are in the queues of their phases, with all URLs, when they are saved',
    );
    const row = Buffer.alloc(ROW_BYTES);
    for (let site = 1; site <= this.#states.size; site++) {
      if (!this.#states.isUsed(site)) continue;
      writeRow(row, this.#states, site, this.#began);
      addSite(row, 0, ROW_BYTES);
    }
    return {
      count: this.#count,
      elapsed: this.#clock() - this.#began,
      log: this.#log.save(),
      ledger: this.#ledger.saveTo(addDirectory),
      joint: this.#mover.joint,
      parked: this.#parked.state,
    };
  }

  /** Nobody will go back to what was saved before the last time. */
  confirm(): void {
    this.#log.confirm();
    this.#ledger.confirm();
  }

  /** Brings back what `save` gave away. REQUIRES: made with the same state, and nothing was pushed yet. */
  restore(
    state: FrontierState,
    readSites: (visit: RecordVisitor) => void,
    readDirectory: (visit: RecordVisitor) => void,
  ): void {
    assert(this.#count === 0, 'nothing was pushed to a frontier that goes on from a checkpoint');
    if (state.ledger !== null) this.#ledger.restore(state.ledger, readDirectory);
    readSites((bytes, start) => {
      const row = Buffer.from(bytes.buffer, bytes.byteOffset + start, ROW_BYTES);
      const site = this.#states.add(rowLow(row), rowHigh(row));
      readRow(row, this.#states, site, this.#began);
      this.#states.phase[site] = IDLE;
      this.#turns.schedule(site);
    });
    this.#count = state.count;
    assertCostly(this.#isSound, 'a frontier goes on with the sites and URLs that it was saved with');
    this.#mover.begin();
  }

  close(): void {
    this.#log.close();
    this.#ledger.close();
  }

  /** The URLs of sites on disk are counted, and not in memory. */
  readonly #isSound = (): boolean => {
    const urls = this.#turns.countUrls();
    return this.#parked.count === 0 ? urls === this.#count : urls >= 0 && urls <= this.#count;
  };

  /** Makes those ready whose time has come, and lets parked sites in while there is room. */
  #refresh(): void {
    this.#turns.refresh();
    this.#resident.unpark();
  }
}
