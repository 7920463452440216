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

/** The first pause before a retry; doubled for each more. */
const FIRST_RETRY_MS = 5000;
const LONGEST_RETRY_MS = 600e3;
/** Servers may ask for a year; a site that is given up then costs less than one kept waiting. */
const LONGEST_RETRY_AFTER_MS = 3600e3;

export class SitePace {
  readonly #hostDelay: number;

  /** `hostDelay` in milliseconds. */
  constructor(hostDelay: number) {
    this.#hostDelay = hostDelay;
  }

  /**
   * Milliseconds from the end of a request to a host until the next may start. `crawlDelay` is what the site's
   * robots.txt asks for, or 0.
   */
  delayAfter(responseTime: number, crawlDelay: number): number {
    const forSlow = Math.min(RESPONSE_FACTOR * responseTime, LONGEST_RESPONSE_PAUSE * this.#hostDelay);
    return Math.ceil(Math.max(this.#hostDelay, crawlDelay, forSlow));
  }

  /**
   * Milliseconds from the end of a failed request until it is tried again: `attempt` is 1 for the first retry,
   * `retryAfter` what the server asked for, or -1.
   */
  retryDelay(attempt: number, retryAfter: number): number {
    const backOff = Math.min(FIRST_RETRY_MS * 2 ** (attempt - 1), LONGEST_RETRY_MS);
    return Math.ceil(Math.max(this.#hostDelay, backOff, Math.min(retryAfter, LONGEST_RETRY_AFTER_MS)));
  }
}
