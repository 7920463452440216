/**
 * When a crawl stops before it is exhausted. In shared memory, so that a target is met to the page: an agent claims a
 * page before it fetches it, and gives the claim back if no page came.
 *
 * | offset | size | name       | writes           | reads  |
 * |--------|------|------------|------------------|--------|
 * | 0      | 4    | stop       | coordinator, agents | all | 0, or the index of the outcome in OUTCOMES
 * | 4      | 4    | paused     | coordinator, agents | all | 1 while nothing is to be fetched
 * | 8      | 8    | claimed    | agents           | agents | pages downloaded or being downloaded
 * | 16     | 8    | downloaded | agents           | agents | pages
 * | 24     | 8    | bytes      | agents           | agents | of pages downloaded
 */
export const OUTCOMES = ['', 'exhausted', 'target', 'duration', 'bytes', 'interrupted', 'failed'] as const;
export type Outcome = Exclude<(typeof OUTCOMES)[number], ''>;

export interface StopLimits {
  readonly targetPages: number;
  readonly maxBytes: number;
}

export const allocateStopMemory = (): SharedArrayBuffer => new SharedArrayBuffer(32);

const STOP = 0;
const PAUSED = 1;

const CLAIMED = 0;
const DOWNLOADED = 1;
const BYTES = 2;

export class StopConditions {
  readonly #stop: Int32Array;
  readonly #sums: BigInt64Array;
  readonly #targetPages: number;
  readonly #maxBytes: number;

  constructor(memory: SharedArrayBuffer, limits: StopLimits) {
    this.#stop = new Int32Array(memory, 0, 2);
    this.#sums = new BigInt64Array(memory, 8, 3);
    this.#targetPages = limits.targetPages;
    this.#maxBytes = limits.maxBytes;
  }

  /** The first reason given counts. */
  request(outcome: Outcome): void {
    Atomics.compareExchange(this.#stop, STOP, 0, OUTCOMES.indexOf(outcome));
  }

  get outcome(): Outcome | null {
    return OUTCOMES[Atomics.load(this.#stop, STOP)] || null;
  }

  get isRequested(): boolean {
    return Atomics.load(this.#stop, STOP) !== 0;
  }

  /** Nothing is fetched until the crawl is resumed: there is no room to store it. */
  pause(): void {
    Atomics.store(this.#stop, PAUSED, 1);
  }

  resume(): void {
    Atomics.store(this.#stop, PAUSED, 0);
  }

  get isPaused(): boolean {
    return Atomics.load(this.#stop, PAUSED) !== 0;
  }

  /** Was the crawl stopped while there was more to do, and can go on? */
  get isResumable(): boolean {
    const { outcome } = this;
    return outcome !== null && outcome !== 'exhausted' && outcome !== 'failed';
  }

  /** So many pages and bytes were downloaded in earlier runs of the crawl. */
  restore(pages: number, bytes: number): void {
    this.#sums[CLAIMED] = BigInt(pages);
    this.#sums[DOWNLOADED] = BigInt(pages);
    this.#sums[BYTES] = BigInt(bytes);
  }

  /** May one more page be fetched? If so, it is claimed. */
  claimPage(): boolean {
    if (this.#targetPages === Number.POSITIVE_INFINITY) return true;
    if (Number(Atomics.add(this.#sums, CLAIMED, 1n)) < this.#targetPages) return true;
    Atomics.sub(this.#sums, CLAIMED, 1n);
    return false;
  }

  /** No page came for a claim. */
  releasePage(): void {
    if (this.#targetPages !== Number.POSITIVE_INFINITY) Atomics.sub(this.#sums, CLAIMED, 1n);
  }

  /** A page came for a claim. */
  countPage(bytes: number): void {
    if (this.#targetPages !== Number.POSITIVE_INFINITY) {
      if (Number(Atomics.add(this.#sums, DOWNLOADED, 1n)) + 1 >= this.#targetPages) this.request('target');
    }
    if (this.#maxBytes !== Number.POSITIVE_INFINITY) {
      if (Number(Atomics.add(this.#sums, BYTES, BigInt(bytes))) + bytes >= this.#maxBytes)
        this.request('bytes');
    }
  }
}
