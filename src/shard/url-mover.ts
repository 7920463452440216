/**
 * Moves the URLs that wait out of a file that is mostly empty (`url-log.ts`): a few whenever a URL comes or goes, site by
 * site and in the order of each site's queue, first those of the parked sites, then those of the sites in memory.
 *
 * Nothing that a checkpoint may need is changed on the way: records are copied from the head of a queue on, and what was
 * the last of the copies does not know what follows it until the next copy is there. So while a site is being moved
 * its queue has a joint, which is saved with the checkpoint: after so many records it goes on at the place `rest`.
 *
 * Invariants
 * 1. One site at most has a joint. Of all others the records before some place in the queue are in the old file, and
 *    those from there on in the new one, where all that is pushed goes.
 * 2. Sites with URLs are in memory or parked, so those two are all. The queue of the parked ones is moved by going round it
 *    once: whoever is put at its end is in the new file.
 */
import { count, fields, place, type Shape } from '../model/shape.js';
import type { ParkedSites } from './parked-sites.js';
import type { SiteLedger } from './site-ledger.js';
import type { SiteStates } from './site-states.js';
import type { UrlLog } from './url-log.js';

/** Records that are moved for each URL that comes or goes: enough that the new file is far from full when it is done. */
const MOVES = 8;
/** Sites in memory that are looked at instead of moving one record. */
const LOOKS = 64;
const GUEST = 0;

/** The site that is being moved. */
export interface Joint {
  readonly low: number;
  readonly high: number;
  /** The first so many records of its queue were moved, the last of them to `last`; the next one is at `rest`. */
  moved: number;
  last: number;
  rest: number;
}

export const JOINT: Shape<Joint> = fields({
  low: count,
  high: count,
  moved: count,
  last: place,
  rest: place,
});

export class UrlMover {
  readonly #log: UrlLog;
  readonly #states: SiteStates;
  readonly #ledger: SiteLedger;
  readonly #parked: ParkedSites;
  #joint: Joint | null;
  /** Parked sites that were not looked at: the first ones of the queue. */
  #parkedLeft = 0;
  /** The next site in memory to look at. */
  #hand = 1;
  /** The record that is moved. */
  #record = new Uint8Array(1024);
  #length = 0;

  constructor(
    log: UrlLog,
    states: SiteStates,
    ledger: SiteLedger,
    parked: ParkedSites,
    joint: Joint | null = null,
  ) {
    this.#log = log;
    this.#states = states;
    this.#ledger = ledger;
    this.#parked = parked;
    this.#joint = joint && { ...joint };
  }

  /** What a checkpoint keeps of it. */
  get joint(): Joint | null {
    return this.#joint === null ? null : { ...this.#joint };
  }

  /** After a restore: sites that were moved already are only looked at again. */
  begin(): void {
    this.#parkedLeft = this.#parked.count;
    this.#hand = 1;
  }

  /** A parked site was taken out of its queue. */
  onUnparked(): void {
    if (this.#parkedLeft > 0) this.#parkedLeft--;
  }

  /** The oldest record of a site was dropped, and knows that `next` follows: returns the one that does. */
  afterDrop(site: number, next: number): number {
    const joint = this.#joint;
    if (
      joint === null ||
      this.#states.keyLow[site] !== joint.low ||
      this.#states.keyHigh[site] !== joint.high
    )
      return next;
    if (joint.moved === 0 || --joint.moved > 0) return next;
    return joint.rest;
  }

  /** Does a little of what is to be done. */
  step(): void {
    if (!this.#log.isMoving) {
      if (!this.#log.isWasteful) return;
      this.#log.beginMoving();
      this.begin();
    }
    for (let left = MOVES; left > 0 && this.#log.isMoving; ) left -= this.#some(left);
  }

  /** Returns how many moves it was worth. */
  #some(most: number): number {
    if (this.#joint !== null) return this.#moveSome(this.#joint, most);
    if (this.#log.toMove === 0) this.#log.endMoving();
    else if (this.#parkedLeft > 0) this.#lookAtParked();
    else this.#lookAtSites();
    return 1;
  }

  /** The first parked site goes to the end of its queue. */
  #lookAtParked(): void {
    this.#parkedLeft--;
    this.#parked.take();
    const { high, low } = this.#parked;
    this.#parked.push(low, high);
    this.#startAt(low, high);
  }

  #lookAtSites(): void {
    const { count, head, keyHigh, keyLow, size } = this.#states;
    if (this.#hand > size) throw new Error(`${this.#log.toMove} URLs wait that belong to no site`);
    for (let looks = LOOKS; looks > 0 && this.#hand <= size; looks--) {
      const site = this.#hand++;
      if (!this.#states.isUsed(site) || count[site] === 0 || !this.#log.isOld(head[site]!)) continue;
      this.#startAt(keyLow[site]!, keyHigh[site]!);
      return;
    }
  }

  #startAt(low: number, high: number): void {
    this.#joint = { low, high, moved: 0, last: -1, rest: -1 };
  }

  #moveSome(joint: Joint, most: number): number {
    const { low, high } = joint;
    const states = this.#states;
    let site = states.find(low, high);
    if (site === 0) {
      states.clear(GUEST, low, high);
      this.#ledger.load(states, GUEST, low, high);
      site = GUEST;
    }
    let moves = 0;
    while (moves < most && this.#joint !== null) {
      this.#moveOne(joint, site);
      moves++;
    }
    if (site === GUEST) this.#ledger.save(states, GUEST);
    return moves;
  }

  #moveOne(joint: Joint, site: number): void {
    const { count, head, tail } = this.#states;
    const log = this.#log;
    const left = count[site]! - joint.moved;
    const place = joint.moved === 0 ? head[site]! : joint.rest;
    if (left <= 0 || !log.isOld(place)) {
      // What follows was pushed since, and is where it should be.
      if (left > 0 && joint.moved > 0) log.link(joint.last, place);
      this.#joint = null;
      return;
    }
    log.read(place);
    const { next } = log;
    const copy = this.#copy();
    log.free(place, this.#length);
    if (joint.moved === 0) head[site] = copy;
    else log.link(joint.last, copy);
    joint.last = copy;
    joint.moved++;
    joint.rest = next;
    if (left > 1) return;
    tail[site] = copy;
    this.#joint = null;
  }

  /** Appends the record that was read; by way of a buffer, as the segment that it is in may be written anew. */
  #copy(): number {
    const { bytes, start, end } = this.#log;
    this.#length = end - start;
    if (this.#length > this.#record.length) this.#record = new Uint8Array(this.#length);
    this.#record.set(bytes.subarray(start, end));
    return this.#log.append(this.#record, 0, this.#length);
  }
}
