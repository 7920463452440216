/** When an agent may send what to whom, for real hosts. In an emulated web nobody has to wait. */
import { CRAWL_OPTIONS, type CrawlOptions } from '../model/options.js';
import { IpTable, ipKey } from '../throttle/ip-table.js';
import { type Delays, SitePace } from '../throttle/site-pace.js';
import { isPublicAddress } from '../web/http/address.js';

export interface Politeness {
  /** Milliseconds to wait before a request to an address; 0 if it may start `now`, and then it is taken down. */
  reserve(address: string, now: number): number;
  /** Milliseconds that a host is left alone for after a request. */
  delayAfter(responseTime: number, crawlDelay: number, retryAfter: number): number;
  /** Milliseconds until a failed request is tried again: `attempt` is 1 for the first retry. */
  retryDelay(attempt: number, retryAfter: number): number;
}

export const NO_WAITING: Politeness = { reserve: () => 0, delayAfter: () => 0, retryDelay: () => 0 };

/**
 * Milliseconds between requests to a public address where the pace was set below the defaults, which nobody may do who
 * can't be turned to; 0 for a crawl that keeps to the options alone.
 */
export function publicDelay(options: Pick<CrawlOptions, 'contact' | 'host-delay' | 'ip-delay'>): number {
  const least = (name: 'host-delay' | 'ip-delay'): number => CRAWL_OPTIONS[name].fallback(true);
  const isFaster = options['host-delay'] < least('host-delay') || options['ip-delay'] < least('ip-delay');
  return options.contact === '' && isFaster ? Math.max(least('host-delay'), least('ip-delay')) : 0;
}

export class HostPoliteness implements Politeness {
  readonly #pace: SitePace;
  readonly #ips: IpTable;
  readonly #ipDelay: number;
  readonly #quietUntil: number;
  readonly #publicDelay: number;

  /**
   * Nobody is asked before `quietUntil`: who was asked last, and when, is not known. Requests to a public address start
   * `publicDelay` ms apart at least: a crawler that nobody can be turned to about is not faster than by default.
   */
  constructor(
    delays: Delays,
    ipDelay: number,
    ipTable: SharedArrayBuffer,
    quietUntil: number,
    publicDelay = 0,
  ) {
    this.#pace = new SitePace(delays);
    this.#ips = new IpTable(ipTable);
    this.#ipDelay = ipDelay;
    this.#quietUntil = quietUntil;
    this.#publicDelay = publicDelay;
  }

  reserve(address: string, now: number): number {
    if (now < this.#quietUntil) return this.#quietUntil - now;
    // Behind a proxy the address is not known here.
    if (address === '') return 0;
    const isSlower = this.#publicDelay > this.#ipDelay && isPublicAddress(address);
    const delay = isSlower ? this.#publicDelay : this.#ipDelay;
    return delay === 0 ? 0 : this.#ips.reserve(ipKey(address), now, delay);
  }

  delayAfter(responseTime: number, crawlDelay: number, retryAfter: number): number {
    return this.#pace.delayAfter(responseTime, crawlDelay, retryAfter);
  }

  retryDelay(attempt: number, retryAfter: number): number {
    return this.#pace.retryDelay(attempt, retryAfter);
  }
}
