/** When a thread that runs out of URLs merges early again, so that merging takes a small share of its time. */

/** Of a thread that has visits under way. */
const SHARE = 0.1;
/** The same if it has URLs enough, of sites that are all being visited: only a site that is new would help it then. */
const BUSY_SHARE = 0.02;

export class FlushPace {
  /** When the last early merge ended, and how long it took. */
  #endedAt = 0;
  #took = 0;

  note(begunAt: number, endedAt: number): void {
    this.#endedAt = endedAt;
    this.#took = endedAt - begunAt;
  }

  /** Milliseconds from `now` until it may merge; `hasUrls` says whether it has URLs enough to fetch. */
  delay(now: number, hasUrls: boolean): number {
    return Math.max(0, this.#endedAt + this.#took / (hasUrls ? BUSY_SHARE : SHARE) - now);
  }
}
