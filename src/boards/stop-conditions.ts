/**
 * When a crawl stops before it is exhausted. In shared memory, so that a target is met to the page: an agent claims a
 * page before it fetches it, and gives the claim back if no page came. Each agent has a line of its own, so that what
 * an agent held that died is known, and sums are taken over all of them.
 *
 * | offset         | size | name       | writes              | reads  |
 * |----------------|------|------------|---------------------|--------|
 * | 0              | 4    | stop       | coordinator, agents | all    | 0, or the index of the outcome in OUTCOMES
 * | 4              | 4    | paused     | coordinator, agents | all    | RUNNING, PAUSED or TRYING
 * | 64 (agent + 1) | 8    | claimed    | agent               | agents | pages downloaded or being downloaded
 * |            + 8 | 8    | downloaded | agent               | agents | pages
 * |           + 16 | 8    | bytes      | agent               | agents | of pages downloaded
 */
import { assert } from '../model/assert.js';
import type { CrawlOptions } from '../options/options.js';

export const OUTCOMES = ['', 'exhausted', 'target', 'duration', 'bytes', 'interrupted', 'failed'] as const;
export type Outcome = Exclude<(typeof OUTCOMES)[number], ''>;

export type StopLimits = Pick<CrawlOptions, 'target-pages' | 'max-bytes'>;

const STOP = 0;
const PAUSE = 1;
const RUNNING = 0;
const PAUSED = 1;
const TRYING = 2;
const LINE = 8;
const CLAIMED = 0;
const DOWNLOADED = 1;
const BYTES = 2;
const FAILED = OUTCOMES.indexOf('failed');

export const allocateStopMemory = (agents: number): SharedArrayBuffer =>
  new SharedArrayBuffer((agents + 1) * LINE * 8);

export class StopConditions {
  readonly #stop: Int32Array;
  readonly #sums: BigInt64Array;
  readonly #line: number;
  readonly #targetPages: number;
  readonly #maxBytes: number;

  /** For an agent, or for a thread that only asks and requests. */
  constructor(memory: SharedArrayBuffer, limits: StopLimits, agent = -1) {
    this.#stop = new Int32Array(memory, 0, 2);
    this.#sums = new BigInt64Array(memory);
    this.#line = (agent + 1) * LINE;
    this.#targetPages = limits['target-pages'];
    this.#maxBytes = limits['max-bytes'];
  }

  /** The first reason given counts, but for a failure: nobody waits for a crawl that failed. */
  request(outcome: Outcome): void {
    if (outcome === 'failed') Atomics.store(this.#stop, STOP, FAILED);
    else Atomics.compareExchange(this.#stop, STOP, 0, OUTCOMES.indexOf(outcome));
  }

  get outcome(): Outcome | null {
    return OUTCOMES[Atomics.load(this.#stop, STOP)] || null;
  }

  get isRequested(): boolean {
    return Atomics.load(this.#stop, STOP) !== 0;
  }

  /** Nothing is fetched until the crawl is resumed: there is no room to store it. */
  pause(): void {
    Atomics.store(this.#stop, PAUSE, PAUSED);
  }

  /** Whoever waits for room may see whether there is some, and pauses the crawl again if there is none. */
  tryAgain(): void {
    Atomics.compareExchange(this.#stop, PAUSE, PAUSED, TRYING);
  }

  /** There was room; unless somebody paused the crawl meanwhile. */
  resume(): void {
    Atomics.compareExchange(this.#stop, PAUSE, TRYING, RUNNING);
  }

  get isPaused(): boolean {
    return Atomics.load(this.#stop, PAUSE) === PAUSED;
  }

  /** May there be too little room for a checkpoint? */
  get isShortOfRoom(): boolean {
    return Atomics.load(this.#stop, PAUSE) !== RUNNING;
  }

  /** Was the crawl stopped while there was more to do, and can go on? */
  get isResumable(): boolean {
    const { outcome } = this;
    return outcome !== null && outcome !== 'exhausted' && outcome !== 'failed';
  }

  /** Were the limits reached before the crawl went on from where it was? Then nobody will come upon them any more. */
  requestIfReached(): void {
    if (this.#sum(DOWNLOADED) >= this.#targetPages) this.request('target');
    else if (this.#sum(BYTES) >= this.#maxBytes) this.request('bytes');
  }

  /** Was what the crawl stopped for undone by the death of an agent, which goes on from a checkpoint before it? */
  get isUndone(): boolean {
    const { outcome } = this;
    return (
      (outcome === 'target' && this.#sum(DOWNLOADED) < this.#targetPages) ||
      (outcome === 'bytes' && this.#sum(BYTES) < this.#maxBytes)
    );
  }

  /** This agent has downloaded so much until now, and holds no claim. */
  restore(pages: number, bytes: number): void {
    Atomics.store(this.#sums, this.#line + CLAIMED, BigInt(pages));
    Atomics.store(this.#sums, this.#line + DOWNLOADED, BigInt(pages));
    Atomics.store(this.#sums, this.#line + BYTES, BigInt(bytes));
  }

  /** May one more page be fetched? If so, it is claimed. Of two agents that want the last one, both may get a no. */
  claimPage(): boolean {
    if (this.#targetPages === Number.POSITIVE_INFINITY) return true;
    if (this.#add(CLAIMED, 1) <= this.#targetPages) return true;
    this.releasePage();
    return false;
  }

  /** No page came for a claim. */
  releasePage(): void {
    if (this.#targetPages === Number.POSITIVE_INFINITY) return;
    const claimed = Atomics.sub(this.#sums, this.#line + CLAIMED, 1n);
    assert(
      claimed > Atomics.load(this.#sums, this.#line + DOWNLOADED),
      'a claim that is given back was made',
    );
  }

  /** A page came for a claim. */
  countPage(bytes: number): void {
    if (this.#targetPages !== Number.POSITIVE_INFINITY && this.#add(DOWNLOADED, 1) >= this.#targetPages)
      this.request('target');
    if (this.#maxBytes !== Number.POSITIVE_INFINITY && this.#add(BYTES, bytes) >= this.#maxBytes)
      this.request('bytes');
  }

  /** Adds to this agent's own; returns the sum over all. Of two that add at once, one at least sees both. */
  #add(slot: number, amount: number): number {
    Atomics.add(this.#sums, this.#line + slot, BigInt(amount));
    return this.#sum(slot);
  }

  #sum(slot: number): number {
    let sum = 0n;
    for (let at = LINE + slot; at < this.#sums.length; at += LINE) sum += Atomics.load(this.#sums, at);
    return Number(sum);
  }
}
