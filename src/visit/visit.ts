/** One site in an agent's hands, with the URL it is visited for: as many visits as fetches may be under way. */
import { assert } from '../model/assert.js';
import { MAX_RECORD, originEnd, RECORD_HEADER, recordUrlEnd } from '../model/record.js';

const ROBOTS_PATH = new TextEncoder().encode('/robots.txt');

/** What a URL was found on: the PAGE_URL record whose URL is `record[RECORD_HEADER, urlEnd)`. */
export interface FoundOn {
  readonly record: Uint8Array;
  readonly urlEnd: number;
}

export class Visit {
  /** The site's number in the frontier, and where it is connected to ('' in an emulated web). */
  site = 0;
  address = '';
  /** The URL's PAGE_URL record is `record[0, length)`; the URL is `record[RECORD_HEADER, urlEnd)`. */
  readonly record = new Uint8Array(MAX_RECORD);
  length = 0;
  urlEnd = 0;
  /** Where its path begins. */
  pathStart = 0;
  /** What robots.txt asks for between requests, in ms. */
  crawlDelay = 0;
  /** When the request under way began. */
  startedAt = 0;
  /** Where it stands that the host is taken, from the first request of the visit on; -1 before. */
  cell = -1;
  /** What is asked for now if it is not the URL itself: `other[0, otherLength)`. */
  readonly other = new Uint8Array(MAX_RECORD);
  otherLength = 0;
  /** Links in the URL's page. */
  outlinks = 0;
  /** Redirects followed from robots.txt. */
  hops = 0;

  take(site: number, address: string, bytes: Uint8Array, start: number, end: number): void {
    assert(end - start <= MAX_RECORD, 'a record that is visited fits a visit');
    this.site = site;
    this.address = address;
    this.length = end - start;
    this.outlinks = 0;
    this.crawlDelay = 0;
    this.cell = -1;
    // A loop is quicker than a call for what is mostly a hundred bytes.
    for (let from = start, to = 0; from < end; ) this.record[to++] = bytes[from++]!;
    this.urlEnd = recordUrlEnd(this.record, 0, this.length);
    this.pathStart = originEnd(this.record, RECORD_HEADER, this.urlEnd);
  }

  /** Asks for robots.txt of the URL's origin next. */
  askForRobots(): void {
    const originBytes = this.pathStart - RECORD_HEADER;
    this.other.set(this.record.subarray(RECORD_HEADER, this.pathStart));
    this.other.set(ROBOTS_PATH, originBytes);
    this.otherLength = originBytes + ROBOTS_PATH.length;
    this.hops = 0;
  }

  /** Asks for where robots.txt was redirected to, with so many redirects. */
  askForOther(url: Uint8Array, hops: number): void {
    this.other.set(url);
    this.otherLength = url.length;
    this.hops = hops;
  }
}

/** As many visits as may be under way, made when they are needed first. */
export class VisitPool {
  readonly #most: number;
  readonly #idle: Visit[] = [];
  #made = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get underWay(): number {
    return this.#made - this.#idle.length;
  }

  get isEmpty(): boolean {
    return this.underWay === this.#most;
  }

  /** REQUIRES: it is not empty. */
  take(): Visit {
    const visit = this.#idle.pop();
    if (visit !== undefined) return visit;
    this.#made++;
    return new Visit();
  }

  giveBack(visit: Visit): void {
    this.#idle.push(visit);
  }
}
