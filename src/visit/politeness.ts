/** When an agent may send what to whom, for real hosts. In an emulated web nobody has to wait. */
import type { Clock } from '../model/clock.js';
import type { AgentCounters } from '../model/counters.js';
import { recordSiteHigh, recordSiteLow } from '../model/record.js';
import { CRAWL_OPTIONS, type CrawlOptions } from '../options/options.js';
import type { HostTable } from '../throttle/host-table.js';
import { type IpTable, ipKey } from '../throttle/ip-table.js';
import { GRANTED, type PauseFile, TAKEN } from '../throttle/pause-file.js';
import { type Delays, SitePace } from '../throttle/site-pace.js';
import { isPublicAddress } from '../web/http/address.js';
import type { Visit } from './visit.js';

export interface Politeness {
  /**
   * Milliseconds to wait before a request of a visit to its address; 0 if it may start `now`. Then that is taken down,
   * and the host is the visit's until `rest`.
   */
  reserve(visit: Visit, now: number): number;
  /** The visit is over: returns when the next may begin, which is in `delay` ms, or 0 for at once. */
  rest(visit: Visit, delay: number): number;
  /** Milliseconds that a host is left alone for after a request. */
  delayAfter(responseTime: number, crawlDelay: number, retryAfter: number): number;
  /** Milliseconds until a failed request is tried again: `attempt` is 1 for the first retry. */
  retryDelay(attempt: number, retryAfter: number): number;
  close(): void;
}

/** Of an emulated web, whose hosts need no rest. */
export const noWaiting = (clock: Clock): Politeness => ({
  reserve: () => 0,
  rest: (_visit, delay) => (delay === 0 ? 0 : clock() + delay),
  delayAfter: () => 0,
  retryDelay: () => 0,
  close: () => {},
});

/**
 * Milliseconds between requests to a public address where the pace was set below the defaults, which nobody may do who
 * can't be turned to; 0 for a crawl that keeps to the options alone.
 */
export function publicDelay(options: Pick<CrawlOptions, 'contact' | 'host-delay' | 'ip-delay'>): number {
  const least = (name: 'host-delay' | 'ip-delay'): number => CRAWL_OPTIONS[name].fallback(true);
  const isFaster = options['host-delay'] < least('host-delay') || options['ip-delay'] < least('ip-delay');
  return options.contact === '' && isFaster ? Math.max(least('host-delay'), least('ip-delay')) : 0;
}

export interface HostPolitenessParts {
  readonly delays: Delays;
  readonly ipDelay: number;
  /** Between requests to a public address, at least: a crawler that nobody can be turned to about is not faster than by default. */
  readonly publicDelay: number;
  /** Of a whole request. */
  readonly timeout: number;
  readonly ips: IpTable;
  readonly hosts: HostTable;
  readonly file: PauseFile;
  /** Take how long the pauses are, by what asked for them. */
  readonly counters: Pick<AgentCounters, 'add'>;
  /** Longer pauses are written to the file. */
  readonly longPause: number;
  /** Nobody is asked before: who was asked last, and when, is not known. */
  readonly quietUntil: number;
  /** The one that all threads share, and the time since 1970, in ms, at which it showed 0. */
  readonly clock: Clock;
  readonly clockOrigin: number;
}

export class HostPoliteness implements Politeness {
  readonly #parts: HostPolitenessParts;
  readonly #pace: SitePace;
  readonly #entry = { low: 0, high: 0, until: 0, pause: 0, kind: 0 };

  constructor(parts: HostPolitenessParts) {
    this.#parts = parts;
    this.#pace = new SitePace(parts.delays);
  }

  reserve(visit: Visit, now: number): number {
    const { hosts, quietUntil } = this.#parts;
    if (now < quietUntil) return quietUntil - now;
    // A visit may make several requests, one after the other.
    const isFirst = visit.cell < 0;
    const pause = this.#pace.delayAfter(0, visit.crawlDelay, -1);
    if (isFirst) {
      const { record } = visit;
      const wait = hosts.take(recordSiteLow(record, 0), recordSiteHigh(record, 0), now, pause);
      if (wait > 0) return wait;
    }
    const wait = this.#reserveAddress(visit.address, now);
    if (wait > 0) {
      this.#parts.counters.add('ipDelayMs', wait);
      if (isFirst) hosts.rest(hosts.cell, now, false);
      return wait;
    }
    if (isFirst) visit.cell = hosts.cell;
    this.#writeDown(visit, now + this.#parts.timeout + pause, pause, TAKEN);
    return 0;
  }

  rest(visit: Visit, delay: number): number {
    const { clock, hosts } = this.#parts;
    if (visit.cell < 0) return delay === 0 ? 0 : clock() + delay;
    const { counters, delays } = this.#parts;
    counters.add(delay > delays.hostDelay ? 'askedMs' : 'hostDelayMs', delay);
    const until = clock() + delay;
    // Before the request is over for others, so that whatever happens next, the pause is known.
    const isOnDisk = this.#writeDown(visit, until, delay, GRANTED);
    hosts.rest(visit.cell, until, isOnDisk);
    visit.cell = -1;
    return until;
  }

  delayAfter(responseTime: number, crawlDelay: number, retryAfter: number): number {
    return this.#pace.delayAfter(responseTime, crawlDelay, retryAfter);
  }

  retryDelay(attempt: number, retryAfter: number): number {
    return this.#pace.retryDelay(attempt, retryAfter);
  }

  close(): void {
    this.#parts.file.close();
  }

  #reserveAddress(address: string, now: number): number {
    const { ipDelay, ips, publicDelay: least } = this.#parts;
    // Behind a proxy the address is not known here.
    if (address === '') return 0;
    const delay = least > ipDelay && isPublicAddress(address) ? least : ipDelay;
    return delay === 0 ? 0 : ips.reserve(ipKey(address), now, delay);
  }

  /** Does the pause stand on disk by itself? */
  #writeDown({ record }: Visit, until: number, pause: number, kind: number): boolean {
    const { clock, clockOrigin, file, longPause } = this.#parts;
    if (pause <= longPause) {
      file.addShort(pause, longPause);
      return false;
    }
    const entry = this.#entry;
    entry.low = recordSiteLow(record, 0);
    entry.high = recordSiteHigh(record, 0);
    entry.until = clockOrigin + until;
    entry.pause = pause;
    entry.kind = kind;
    return file.add(entry, clockOrigin + clock());
  }
}
