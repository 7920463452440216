/**
 * Where robots.txt of sites was redirected to: between the answer and the next request the site is left alone, and its
 * visit is over. A site that has something noted here goes before others when its time comes, so notes are few; if they
 * are not, the oldest is forgotten, and its site asks for robots.txt from the beginning.
 */
import { RECORD_HEADER } from '../model/record.js';
import type { Visit } from './visit.js';

/** A canonical URL, with the key of its site. */
export interface RedirectTarget {
  readonly url: Uint8Array;
  readonly siteLow: number;
  readonly siteHigh: number;
}

export interface RobotsRedirect {
  /** Scheme, host and port whose robots.txt was asked for: the site's next URL may be of another origin. */
  readonly origin: string;
  readonly target: RedirectTarget;
  /** Redirects followed so far. */
  readonly hops: number;
}

const MOST = 16_384;
const decoder = new TextDecoder();

export class RobotsRedirects {
  /** By the number of the site in the frontier, which holds as long as the site has a URL. */
  readonly #bySite = new Map<number, RobotsRedirect>();

  has(site: number): boolean {
    return this.#bySite.size > 0 && this.#bySite.has(site);
  }

  /** Robots.txt of the visit's origin is to be asked for at `target`, so many redirects away. */
  note(visit: Visit, target: RedirectTarget, hops: number): void {
    this.#bySite.delete(visit.site);
    this.#bySite.set(visit.site, { origin: originOf(visit), target, hops });
    if (this.#bySite.size <= MOST) return;
    for (const oldest of this.#bySite.keys()) {
      this.#bySite.delete(oldest);
      return;
    }
  }

  /** What was noted for the visit's origin; null if nothing. */
  find(visit: Visit): RobotsRedirect | null {
    const noted = this.#bySite.get(visit.site);
    return noted !== undefined && noted.origin === originOf(visit) ? noted : null;
  }

  forget(site: number): void {
    this.#bySite.delete(site);
  }
}

const originOf = ({ record, pathStart }: Visit): string =>
  decoder.decode(record.subarray(RECORD_HEADER, pathStart));
