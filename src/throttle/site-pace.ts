/**
 * How long a host is left alone: after each request, and before a failed one is tried again. Whole milliseconds, rounded
 * up, so that what is logged is what was kept.
 *
 * A server that answers slowly is given more time: the pause grows with its response time, to a bound that is a multiple
 * of `--host-delay`, so that `--host-delay 0` means no pause at all.
 */

/** The pause is this many times as long as the response took ... */
const RESPONSE_FACTOR = 5;
/** ... but at most this many times `--host-delay`. */
const LONGEST_RESPONSE_PAUSE = 10;

const LONGEST_RETRY_MS = 600e3;

/** Milliseconds each, as the options of the same names. */
export interface Delays {
  readonly hostDelay: number;
  /** The first pause before a retry; doubled for each more. */
  readonly retryDelay: number;
  /** Servers may ask for a year: Retry-After counts to this. */
  readonly maxRetryAfter: number;
}

export class SitePace {
  readonly #delays: Delays;

  constructor(delays: Delays) {
    this.#delays = delays;
  }

  /**
   * Milliseconds from the end of a request to a host until the next may start. `crawlDelay` is what the site's
   * robots.txt asks for, or 0; `retryAfter` what the server asked for, or -1.
   */
  delayAfter(responseTime: number, crawlDelay: number, retryAfter: number): number {
    const { hostDelay, maxRetryAfter } = this.#delays;
    const forSlow = Math.min(RESPONSE_FACTOR * responseTime, LONGEST_RESPONSE_PAUSE * hostDelay);
    return Math.ceil(Math.max(hostDelay, crawlDelay, forSlow, Math.min(retryAfter, maxRetryAfter)));
  }

  /**
   * Milliseconds from the end of a failed request until it is tried again: `attempt` is 1 for the first retry,
   * `retryAfter` what the server asked for, or -1.
   */
  retryDelay(attempt: number, retryAfter: number): number {
    const { hostDelay, maxRetryAfter, retryDelay } = this.#delays;
    const backOff = Math.min(retryDelay * 2 ** (attempt - 1), Math.max(retryDelay, LONGEST_RETRY_MS));
    return Math.ceil(Math.max(hostDelay, backOff, Math.min(retryAfter, maxRetryAfter)));
  }
}
