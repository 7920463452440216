/**
 * What robots.txt says of the URL that a site is visited for. With more sites than there is room for rules, those that came
 * may be forgotten when the site's turn comes, and robots.txt would be asked for again and again; so they decide about that
 * URL as soon as they come, and the frontier keeps the decision. So a URL is matched once, however often its site has to wait.
 */

import { RECORD_HEADER } from '../model/record.js';
import { ALLOWED, type RobotsRules, type Verdict } from '../robots/robots-rules.js';
import type { Frontier } from '../shard/frontier.js';
import type { Visit } from './visit.js';

export class VisitRules {
  readonly #robots: RobotsRules;
  readonly #frontier: Frontier;

  constructor(robots: RobotsRules, frontier: Frontier) {
    this.#robots = robots;
    this.#frontier = frontier;
  }

  /** May the URL be fetched? If so, the visit knows its crawl delay. */
  verdict(visit: Visit): Verdict {
    const permitted = this.#frontier.notes.permittedDelay(visit.site);
    if (permitted >= 0) {
      visit.crawlDelay = permitted;
      return ALLOWED;
    }
    const verdict = this.#robots.verdict(visit.record, RECORD_HEADER, visit.pathStart, visit.urlEnd);
    if (verdict === ALLOWED) {
      visit.crawlDelay = this.#robots.delay;
      this.#frontier.notes.permit(visit.site, visit.crawlDelay);
    }
    return verdict;
  }
}
