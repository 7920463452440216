/** May the URL that a site is visited for be asked for? What can be answered without a request is, here. */

import { keyText } from '../model/key.js';
import { isSitemapRecord, RECORD_HEADER, recordKeyHigh, recordKeyLow } from '../model/record.js';
import { ALLOWED, DISALLOWED, NOT_KNOWN, type RobotsRules, type Verdict } from '../robots/robots-rules.js';
import type { Frontier } from '../shard/frontier.js';
import type { ScopeRule } from '../shard/page-url-checker.js';
import { isBadPort, namedPort } from '../web/http/bad-ports.js';
import { type AddressAsker, isRefusal } from './address-asker.js';
import type { SiteFailures } from './site-failures.js';
import { LATER, NEVER, type SitemapVisits } from './sitemap-visits.js';
import type { Visit } from './visit.js';
import { VisitRules } from './visit-rules.js';

/** The URL may be fetched. */
export const OPEN = 0;
/** robots.txt must be asked for first. */
export const ROBOTS_FIRST = 1;
/** The URL is left out: `reason` and `detail` say why. */
export const SHUT = 2;
/** The site's address is not known, and was asked for. */
export const ADDRESS_FIRST = 3;
/** It is a sitemap, and others must be read before. */
export const SITEMAPS_FIRST = 4;
export type Passage =
  | typeof OPEN
  | typeof ROBOTS_FIRST
  | typeof SHUT
  | typeof ADDRESS_FIRST
  | typeof SITEMAPS_FIRST;

export interface VisitGateParts {
  readonly frontier: Frontier;
  readonly robots: RobotsRules;
  readonly scope: ScopeRule;
  /** Null where sites have no address. */
  readonly asker: AddressAsker | null;
  readonly limits: { readonly pagesPerSite: number; readonly mindsPorts: boolean };
  readonly failures: SiteFailures;
  readonly sitemaps: Pick<SitemapVisits, 'turnOf'>;
  /** Keys of URLs whose pages must not be read. */
  readonly quarantined: ReadonlySet<string>;
}

export class VisitGate {
  readonly #parts: VisitGateParts;
  readonly #rules: VisitRules;
  /** Of the URL that was SHUT last. */
  reason = '';
  detail = '';

  constructor(parts: VisitGateParts) {
    this.#parts = parts;
    this.#rules = new VisitRules(parts.robots, parts.frontier);
  }

  ask(visit: Visit): Passage {
    const { asker, failures, frontier, limits, scope } = this.#parts;
    // The crawl may have gone on with another scope since the URL was found.
    const outside = scope(visit.record, 0, visit.length);
    if (outside !== '') return this.#shut(outside);
    if (asker?.mustWait(visit, frontier.addresses)) return ADDRESS_FIRST;
    if (isRefusal(visit.address)) return this.#shut(visit.address);
    if (frontier.notes.pagesOf(visit.site) >= limits.pagesPerSite) return this.#shut('PAGES_PER_SITE');
    const port = limits.mindsPorts ? namedPort(visit.record, RECORD_HEADER, visit.pathStart) : -1;
    if (isBadPort(port)) return this.#shut('BAD_PORT');
    if (this.#isQuarantined(visit)) return this.#shut('QUARANTINED');
    const passage = this.#askRobots(visit);
    if (passage === ROBOTS_FIRST && port >= 0 && failures.hasDeadPorts(visit.site))
      return this.#shut('DEAD_PORTS');
    return passage === OPEN && isSitemapRecord(visit.record, 0) ? this.#askSitemaps(visit) : passage;
  }

  /** By what robots.txt says alone. If the URL is OPEN, the visit knows its crawl delay. */
  #askRobots(visit: Visit): typeof OPEN | typeof ROBOTS_FIRST | typeof SHUT {
    const verdict: Verdict = this.#rules.verdict(visit);
    if (verdict === ALLOWED) return OPEN;
    if (verdict === NOT_KNOWN) return ROBOTS_FIRST;
    if (verdict === DISALLOWED) return this.#shut('ROBOTS', this.#parts.robots.decisiveLine);
    return this.#shut('ROBOTS_UNREACHABLE');
  }

  /** By what robots.txt says alone, which came or could not be had: true if the URL is OPEN, else it is SHUT. */
  opensByRobots(visit: Visit): boolean {
    const passage = this.#askRobots(visit);
    // The rules came, and there is no room to keep them.
    if (passage === ROBOTS_FIRST) this.#shut('ROBOTS_UNREACHABLE');
    return passage === OPEN;
  }

  #askSitemaps(visit: Visit): Passage {
    const turn = this.#parts.sitemaps.turnOf(visit);
    if (turn === NEVER) return this.#shut('SITEMAPS_PER_SITE');
    return turn === LATER ? SITEMAPS_FIRST : OPEN;
  }

  #shut(reason: string, detail = ''): typeof SHUT {
    this.reason = reason;
    this.detail = detail;
    return SHUT;
  }

  #isQuarantined({ record }: Visit): boolean {
    const { quarantined } = this.#parts;
    return (
      quarantined.size > 0 && quarantined.has(keyText(recordKeyLow(record, 0), recordKeyHigh(record, 0)))
    );
  }
}
