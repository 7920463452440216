/**
 * What went wrong at a site, in the number that the frontier keeps for it:
 *
 * | bits  | name                                            |
 * |-------|-------------------------------------------------|
 * | 0-7   | tries of the present URL                        |
 * | 8-12  | how dead the site seems lately                  |
 * | 13-15 | its ports that could not be reached, in all     |
 */

import type { FetchedPage } from '../model/web.js';
import type { Frontier } from '../shard/frontier.js';
import type { AgentBooks } from './agent-books.js';

/**
 * URLs in a row that were given up after their retries, before the site is: three without an answer or refused for now
 * (429, 503); one that fails otherwise may be alone in that, so it takes many more of them.
 */
const DEAD = 21;
const NO_ANSWER = 7;
const FAILED = 1;
const TRIES = 0xff;
const SEEMS_DEAD = 0x1f00;
const PORTS = 0xe000;
const ONE_PORT = 0x2000;
/**
 * Pages can name any port of a host, and each would be knocked at. Once so many were in vain, no further port is tried;
 * whatever else the host answers, it does not make up for them.
 */
const DEAD_PORTS = 3 * ONE_PORT;

export class SiteFailures {
  readonly #frontier: Frontier;
  readonly #books: AgentBooks;

  constructor(frontier: Frontier, books: AgentBooks) {
    this.#frontier = frontier;
    this.#books = books;
  }

  /** Failed tries of the site's present URL, or of its robots.txt. */
  tries(site: number): number {
    return this.#frontier.notes.failuresOf(site) & TRIES;
  }

  /** Where nobody answers the host may have moved. */
  countTry(site: number, isSilent: boolean): void {
    this.#frontier.notes.setFailures(site, this.#frontier.notes.failuresOf(site) + 1);
    if (isSilent) this.#frontier.addresses.doubt(site);
  }

  clear(site: number): void {
    this.#frontier.notes.setFailures(site, this.#frontier.notes.failuresOf(site) & PORTS);
  }

  /** Nobody answers at a port that the site's URL names. */
  countDeadPort(site: number): void {
    const before = this.#frontier.notes.failuresOf(site);
    if ((before & PORTS) < DEAD_PORTS) this.#frontier.notes.setFailures(site, before + ONE_PORT);
  }

  /** Were so many ports of the site in vain that no other is tried? */
  hasDeadPorts(site: number): boolean {
    return (this.#frontier.notes.failuresOf(site) & PORTS) >= DEAD_PORTS;
  }

  /** The present URL is done with, and no longer in the frontier. A site that seems dead now is given up. */
  settle(site: number, page: FetchedPage): void {
    const { isTemporary, status } = page;
    const isSilent = status === 0 || status === 429 || status === 503;
    const failures = this.#frontier.notes.failuresOf(site);
    const before = (failures & SEEMS_DEAD) >>> 8;
    const dead = isTemporary ? before + (isSilent ? NO_ANSWER : FAILED) : 0;
    this.#frontier.notes.setFailures(site, (failures & PORTS) | (dead >= DEAD ? 0 : dead << 8));
    if (dead >= DEAD) this.#giveUp(site);
  }

  #giveUp(site: number): void {
    while (this.#frontier.hasUrl(site)) {
      const { bytes, start, end } = this.#frontier.peek(site);
      this.#books.leftOut(bytes, start, end, 'SITE_DOWN', '');
      this.#frontier.drop(site);
    }
  }
}
