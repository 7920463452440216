/** When an agent may send what to whom, for real hosts. In an emulated web nobody has to wait. */
import { IpTable, ipKey } from '../throttle/ip-table.js';
import { type Delays, SitePace } from '../throttle/site-pace.js';

export interface Politeness {
  /** Milliseconds to wait before a request to an address; 0 if it may start `now`, and then it is taken down. */
  reserve(address: string, now: number): number;
  /** Milliseconds that a host is left alone for after a request. */
  delayAfter(responseTime: number, crawlDelay: number, retryAfter: number): number;
  /** Milliseconds until a failed request is tried again: `attempt` is 1 for the first retry. */
  retryDelay(attempt: number, retryAfter: number): number;
}

export const NO_WAITING: Politeness = { reserve: () => 0, delayAfter: () => 0, retryDelay: () => 0 };

export class HostPoliteness implements Politeness {
  readonly #pace: SitePace;
  readonly #ips: IpTable;
  readonly #ipDelay: number;
  readonly #quietUntil: number;

  /** Nobody is asked before `quietUntil`: who was asked last, and when, is not known. */
  constructor(delays: Delays, ipDelay: number, ipTable: SharedArrayBuffer, quietUntil: number) {
    this.#pace = new SitePace(delays);
    this.#ips = new IpTable(ipTable);
    this.#ipDelay = ipDelay;
    this.#quietUntil = quietUntil;
  }

  reserve(address: string, now: number): number {
    if (now < this.#quietUntil) return this.#quietUntil - now;
    // Behind a proxy the address is not known here.
    if (this.#ipDelay === 0 || address === '') return 0;
    return this.#ips.reserve(ipKey(address), now, this.#ipDelay);
  }

  delayAfter(responseTime: number, crawlDelay: number, retryAfter: number): number {
    return this.#pace.delayAfter(responseTime, crawlDelay, retryAfter);
  }

  retryDelay(attempt: number, retryAfter: number): number {
    return this.#pace.retryDelay(attempt, retryAfter);
  }
}
