/** Queues of site numbers: those that may be fetched from now, those that have no URLs, and those whose time is yet to come. */
import { assert } from '../model/assert.js';
import type { SiteStates } from './site-states.js';

/**
 * First in, first out, and any of them may be taken out between: a list through the columns `next` and `previous`.
 * REQUIRES: a site is in one list at most.
 */
export class SiteList {
  readonly #states: SiteStates;
  #first = 0;
  #last = 0;
  #length = 0;

  constructor(states: SiteStates) {
    this.#states = states;
  }

  get length(): number {
    return this.#length;
  }

  push(site: number): void {
    const { next, previous } = this.#states;
    next[site] = 0;
    previous[site] = this.#last;
    if (this.#last === 0) this.#first = site;
    else next[this.#last] = site;
    this.#last = site;
    this.#length++;
  }

  /** REQUIRES: not empty. */
  shift(): number {
    assert(this.#length > 0, 'a list of sites that one is taken out of has one');
    const site = this.#first;
    this.remove(site);
    return site;
  }

  /** REQUIRES: it is in this list. */
  remove(site: number): void {
    const { next, previous } = this.#states;
    const before = previous[site]!;
    const after = next[site]!;
    assert(
      before === 0 ? this.#first === site : next[before] === site,
      'a site that is taken out of a list is in it',
    );
    if (before === 0) this.#first = after;
    else next[before] = after;
    if (after === 0) this.#last = before;
    else previous[after] = before;
    this.#length--;
  }
}

/** The site that is ready first comes out first. REQUIRES: a site's time does not change while it is in here. */
export class SiteHeap {
  readonly #sites: Int32Array;
  readonly #times: Float64Array;
  #length = 0;

  /** For so many sites at most. */
  constructor(most: number) {
    this.#sites = new Int32Array(most);
    this.#times = new Float64Array(most);
  }

  get length(): number {
    return this.#length;
  }

  /** When the first site is ready; Infinity if there is none. */
  get firstTime(): number {
    return this.#length === 0 ? Number.POSITIVE_INFINITY : this.#times[0]!;
  }

  push(site: number, time: number): void {
    assert(this.#length < this.#sites.length, 'a heap of sites has room for one more');
    let at = this.#length++;
    while (at > 0) {
      const parent = (at - 1) >>> 1;
      if (this.#times[parent]! <= time) break;
      this.#move(parent, at);
      at = parent;
    }
    this.#sites[at] = site;
    this.#times[at] = time;
  }

  /** REQUIRES: not empty. */
  shift(): number {
    assert(this.#length > 0, 'a heap of sites that one is taken out of has one');
    const first = this.#sites[0]!;
    const last = --this.#length;
    const time = this.#times[last]!;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= last) break;
      if (child + 1 < last && this.#times[child + 1]! < this.#times[child]!) child++;
      if (this.#times[child]! >= time) break;
      this.#move(child, at);
      at = child;
    }
    this.#sites[at] = this.#sites[last]!;
    this.#times[at] = time;
    return first;
  }

  #move(from: number, to: number): void {
    this.#sites[to] = this.#sites[from]!;
    this.#times[to] = this.#times[from]!;
  }
}
