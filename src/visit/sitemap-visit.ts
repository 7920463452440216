/**
 * Reads fetched sitemaps (`src/parse/sitemap-reader.ts`) and tells what stands in them. Reading may take a while, and
 * the page's buffer is gone by then: so only a few are under way at once, each with a copy of its body.
 */
import { DrumlineError } from '../model/errors.js';
import type { FetchedPage } from '../model/web.js';
import { SitemapReader } from '../parse/sitemap-reader.js';
import type { Visit } from './visit.js';

const MOST_UNDER_WAY = 4;
const decoder = new TextDecoder();

export interface SitemapVisitParts {
  /** A URL stands in the sitemap that was visited; `isSitemap`: it is one, too. */
  readonly onUrl: (visit: Visit, url: string, isSitemap: boolean) => void;
  /** The sitemap was read; `problem` is '' or the code of what went wrong, and URLs told before that stand. */
  readonly onRead: (visit: Visit, problem: string, delay: number) => void;
}

export class SitemapVisits {
  readonly #parts: SitemapVisitParts;
  #underWay = 0;

  constructor(parts: SitemapVisitParts) {
    this.#parts = parts;
  }

  /** May one more be fetched? */
  get canTake(): boolean {
    return this.#underWay < MOST_UNDER_WAY;
  }

  /** A sitemap is fetched. */
  begin(): void {
    this.#underWay++;
  }

  /** It could not be had. */
  giveUp(): void {
    this.#underWay--;
  }

  /** It came: reads it, and ends with `onRead`, which gets `delay`. */
  async read(visit: Visit, page: FetchedPage, delay: number): Promise<void> {
    const body = page.body.slice(0, page.bodyLength);
    const reader = new SitemapReader({
      entry: (loc, length, _lastModified, isSitemap) =>
        this.#parts.onUrl(visit, decoder.decode(loc.subarray(0, length)), isSitemap),
    });
    let problem = '';
    try {
      await reader.read([body]);
    } catch (error) {
      if (!(error instanceof DrumlineError) || error.disposition !== 'drop-url') throw error;
      problem = error.code;
    }
    this.#underWay--;
    this.#parts.onRead(visit, problem, delay);
  }
}
