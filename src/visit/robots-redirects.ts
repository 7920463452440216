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

/** What a note takes in memory beside its URL and origin, by estimate. */
const NOTE_BYTES = 400;
const decoder = new TextDecoder();

export class RobotsRedirects {
  /** By the number of the site in the frontier, which holds as long as the site has a URL. */
  readonly #bySite = new Map<number, RobotsRedirect>();

  readonly #memoryBytes: number;
  #used = 0;

  constructor(memoryBytes: number) {
    this.#memoryBytes = memoryBytes;
  }

  has(site: number): boolean {
    return this.#bySite.size > 0 && this.#bySite.has(site);
  }

  /** Robots.txt of the visit's origin is to be asked for at `target`, so many redirects away. */
  note(visit: Visit, target: RedirectTarget, hops: number): void {
    this.forget(visit.site);
    const noted = { origin: originOf(visit), target, hops };
    this.#bySite.set(visit.site, noted);
    this.#used += sizeOf(noted);
    for (const oldest of this.#bySite.keys()) {
      if (this.#used <= this.#memoryBytes || oldest === visit.site) return;
      this.forget(oldest);
    }
  }

  /** What was noted for the visit's origin; null if nothing. */
  find(visit: Visit): RobotsRedirect | null {
    const noted = this.#bySite.get(visit.site);
    return noted !== undefined && noted.origin === originOf(visit) ? noted : null;
  }

  forget(site: number): void {
    const noted = this.#bySite.get(site);
    if (noted === undefined) return;
    this.#bySite.delete(site);
    this.#used -= sizeOf(noted);
  }
}

const originOf = ({ record, pathStart }: Visit): string =>
  decoder.decode(record.subarray(RECORD_HEADER, pathStart));

const sizeOf = ({ origin, target }: RobotsRedirect): number => NOTE_BYTES + origin.length + target.url.length;
