/**
 * Whose turn it is: the phases of the sites that a frontier holds in memory, and the queues that they stand in.
 *
 * Invariants
 * 1. A site is in exactly one of the phases below; only READY sites are in `#ready`, or in `#first` if they go before, only
 *    LATER and FIRST ones in `#later`, only EMPTY ones in `#empty`.
 */
import { assert } from '../model/assert.js';
import type { Clock } from '../model/clock.js';
import type { SiteAddresses } from './site-addresses.js';
import { SiteHeap, SiteList } from './site-queues.js';
import type { SiteStates } from './site-states.js';

/** In no queue: handled just now, or no address yet. */
export const IDLE = 0;
const READY = 1;
const LATER = 2;
/** Handed out by `next`. */
const TAKEN = 3;
/** On disk, until there is room (`resident-sites.ts`). */
export const PARKED = 4;
/** As LATER, and then it comes before those that are READY. */
const FIRST = 5;
/** No URLs: may go to the ledger. */
const EMPTY = 6;

/** Sites whose time has come that are looked at in one go, so that nothing else waits for long. */
const DUE_AT_ONCE = 4096;

export class SiteTurns {
  readonly #states: SiteStates;
  readonly #addresses: SiteAddresses;
  readonly #needsAddress: boolean;
  readonly #clock: Clock;
  readonly #ready: SiteList;
  readonly #first: SiteList;
  readonly #empty: SiteList;
  readonly #later: SiteHeap;

  /** `needsAddress`: a site has no turn before its address is known. */
  constructor(states: SiteStates, addresses: SiteAddresses, needsAddress: boolean, clock: Clock) {
    this.#states = states;
    this.#addresses = addresses;
    this.#needsAddress = needsAddress;
    this.#clock = clock;
    this.#ready = new SiteList(states);
    this.#first = new SiteList(states);
    this.#empty = new SiteList(states);
    this.#later = new SiteHeap(states.most);
  }

  /** Sites that may be fetched from now, as of `refresh`. */
  get ready(): number {
    return this.#ready.length + this.#first.length;
  }

  /** Sites that have URLs, and are left alone for now. */
  get resting(): number {
    return this.#later.length;
  }

  /** Sites without URLs. */
  get empty(): number {
    return this.#empty.length;
  }

  /** Milliseconds until the first of those that rest is ready. */
  get delay(): number {
    return Math.max(0, this.#later.firstTime - this.#clock());
  }

  /** Makes those ready whose time has come. */
  refresh(): void {
    if (this.#later.length === 0) return;
    const { phase } = this.#states;
    const now = this.#clock();
    for (let left = DUE_AT_ONCE; left > 0 && this.#later.firstTime <= now; left--) {
      const site = this.#later.shift();
      (phase[site] === FIRST ? this.#first : this.#ready).push(site);
      phase[site] = READY;
    }
  }

  /** The next of those that are ready, now the caller's; 0 if it has to rest after all. REQUIRES: one is ready. */
  take(): number {
    const site = (this.#first.length > 0 ? this.#first : this.#ready).shift();
    if (this.#states.readyAt[site]! <= this.#clock()) {
      this.#states.phase[site] = TAKEN;
      return site;
    }
    this.#states.phase[site] = IDLE;
    this.schedule(site);
    return 0;
  }

  /** Was it handed out, and not given back? */
  isTaken(site: number): boolean {
    return this.#states.phase[site] === TAKEN;
  }

  /** Ends the hold on a site; `readyAt` is when the next request to it may start. */
  release(site: number, readyAt: number): void {
    assert(this.isTaken(site), 'a site that is given back was handed out');
    this.#states.readyAt[site] = readyAt;
    this.#states.phase[site] = IDLE;
    this.schedule(site);
  }

  /** The same; at its time it goes before those that wait for their turn. */
  releaseFirst(site: number, readyAt: number): void {
    assert(this.isTaken(site), 'a site that is given back was handed out');
    this.#states.readyAt[site] = readyAt;
    this.#states.phase[site] = FIRST;
    this.#later.push(site, readyAt);
  }

  /** Puts a site in the queue that it belongs to, if it is IDLE. */
  settle(site: number): void {
    if (this.#states.phase[site] === IDLE) this.schedule(site);
  }

  /** REQUIRES: the site is IDLE. */
  schedule(site: number): void {
    const { count, phase, readyAt } = this.#states;
    assert(phase[site] === IDLE, 'a site that is put into a queue is in none');
    if (count[site] === 0) {
      phase[site] = EMPTY;
      this.#empty.push(site);
      return;
    }
    if (this.#needsAddress && !this.#addresses.has(site)) return;
    if (readyAt[site]! <= this.#clock()) {
      phase[site] = READY;
      this.#ready.push(site);
    } else {
      phase[site] = LATER;
      this.#later.push(site, readyAt[site]!);
    }
  }

  /** Something comes to a site: it counts as one without URLs no longer, until it is settled. */
  rouse(site: number): void {
    const { phase } = this.#states;
    if (phase[site] !== EMPTY) return;
    this.#empty.remove(site);
    phase[site] = IDLE;
  }

  /** For costly assertions: the URLs of all sites in memory, or -1 if invariant 1 or the index of the states is broken. */
  countUrls(): number {
    const { count, keyHigh, keyLow, phase, size } = this.#states;
    const sites = new Array<number>(EMPTY + 1).fill(0);
    let urls = 0;
    for (let site = 1; site <= size; site++) {
      if (!this.#states.isUsed(site)) continue;
      if (this.#states.find(keyLow[site]!, keyHigh[site]!) !== site) return -1;
      sites[phase[site]!]!++;
      urls += count[site]!;
    }
    const isSound =
      sites[READY] === this.ready &&
      sites[LATER]! + sites[FIRST]! === this.resting &&
      sites[EMPTY] === this.empty &&
      sites[PARKED] === 0;
    return isSound ? urls : -1;
  }

  /** Takes out the site that has been without URLs for longest. REQUIRES: there is one. */
  takeEmpty(): number {
    const site = this.#empty.shift();
    this.#states.phase[site] = IDLE;
    return site;
  }
}
