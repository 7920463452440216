/**
 * Which sites of a frontier are in memory and which are in the ledger on disk: idle ones go there, to come back with their
 * next URL; and those for which memory has no room are parked there, and come in turn, when a site in memory has no URLs
 * left.
 *
 * Invariants
 * 1. A site is parked in the ledger if and only if its key is in `#parked`.
 * 2. Number 0 of the states is a guest: the state of a site on disk while something is added to it.
 */
import { assert } from '../model/assert.js';
import type { ParkedSites } from './parked-sites.js';
import type { SiteLedger } from './site-ledger.js';
import type { SiteStates } from './site-states.js';
import { IDLE, PARKED, type SiteTurns } from './site-turns.js';
import type { UrlMover } from './url-mover.js';

const GUEST = 0;
/** Parked sites that are let in in one go, so that nothing else waits for long. */
const UNPARKED_AT_ONCE = 64;

export interface ResidentSiteParts {
  readonly states: SiteStates;
  readonly turns: SiteTurns;
  readonly ledger: SiteLedger;
  readonly parked: ParkedSites;
  readonly mover: UrlMover;
}

export class ResidentSites {
  readonly #states: SiteStates;
  readonly #turns: SiteTurns;
  readonly #ledger: SiteLedger;
  readonly #parked: ParkedSites;
  readonly #mover: UrlMover;

  constructor({ states, turns, ledger, parked, mover }: ResidentSiteParts) {
    this.#states = states;
    this.#turns = turns;
    this.#ledger = ledger;
    this.#parked = parked;
    this.#mover = mover;
  }

  /** The state of a site, new if it has none, until `putBack`: in memory, or as the guest if there is no room. */
  stateOf(low: number, high: number): number {
    const states = this.#states;
    const found = states.find(low, high);
    if (found !== 0) {
      this.#turns.rouse(found);
      return found;
    }
    if (this.#makeRoom()) {
      const site = states.add(low, high);
      // A parked site stays in its queue and on disk: all that is added to it must go there.
      if (!this.#ledger.load(states, site, low, high) || states.phase[site] !== PARKED) return site;
      states.remove(site);
    }
    states.clear(GUEST, low, high);
    this.#ledger.load(states, GUEST, low, high);
    return GUEST;
  }

  /** Ends what `stateOf` began. */
  putBack(site: number): void {
    if (site !== GUEST) {
      this.#turns.settle(site);
      return;
    }
    if (this.#states.phase[GUEST] !== PARKED) {
      this.#states.phase[GUEST] = PARKED;
      this.#parked.push(this.#states.keyLow[GUEST]!, this.#states.keyHigh[GUEST]!);
    }
    this.#ledger.save(this.#states, GUEST);
  }

  /** The same, where no URL was added: a site on disk stays as it is there. */
  keep(site: number): void {
    if (site === GUEST) this.#ledger.save(this.#states, GUEST);
    else this.#turns.settle(site);
  }

  /** There are parked sites, and there is room for one. */
  get mayUnpark(): boolean {
    return this.#parked.count > 0 && (!this.#states.isFull || this.#turns.empty > 0);
  }

  /** Lets parked sites in while there is room. */
  unpark(): void {
    for (let left = UNPARKED_AT_ONCE; left > 0 && this.mayUnpark; left--) this.#unparkOne();
  }

  /** REQUIRES: `mayUnpark`. */
  #unparkOne(): void {
    assert(this.mayUnpark, 'there is room for a site that comes back');
    this.#makeRoom();
    this.#parked.take();
    this.#mover.onUnparked();
    const { high, low } = this.#parked;
    const site = this.#states.add(low, high);
    this.#ledger.load(this.#states, site, low, high);
    this.#states.phase[site] = IDLE;
    // The copy on disk is old from now on, and must not be taken for a parked site.
    this.#ledger.save(this.#states, site);
    this.#turns.schedule(site);
  }

  /** Moves the site that has been without URLs for longest to the ledger, if there is no room; false if that is none. */
  #makeRoom(): boolean {
    const states = this.#states;
    if (!states.isFull) return true;
    if (this.#turns.empty === 0) return false;
    const site = this.#turns.takeEmpty();
    this.#ledger.save(states, site);
    states.remove(site);
    return true;
  }
}
