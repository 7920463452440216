/** Serves a synthetic web: pages, redirects, robots.txt, and 404 for every other URL. */
import { type FetchCallback, type FetchedPage, type Fetcher, WHOLE_ANSWER } from '../model/web.js';
import { mix } from './synthetic-hash.js';
import type { PageMaker } from './synthetic-page.js';
import type { SyntheticRobots } from './synthetic-robots.js';
import type { SyntheticSites } from './synthetic-sites.js';
import { LONGEST_URL, type SyntheticUrls } from './synthetic-urls.js';

const encoder = new TextEncoder();
const MISSING = encoder.encode(
  '<!doctype html><title>Not found</title><p>There is nothing at this address.</p>\n',
);
const MOVED = encoder.encode('<!doctype html><title>Moved</title><p>This page lives elsewhere.</p>\n');
const HTML = 'text/html; charset=utf-8';
const REDIRECT_STATUS = [301, 302, 307, 308];
const REDIRECT_SALT = 61;
const UP = '../../';

class Answer implements FetchedPage {
  status = 0;
  body: Uint8Array = MISSING;
  bodyLength = 0;
  contentType = HTML;
  location = '';
  pageNumber = -1;
  readonly failure = WHOLE_ANSWER.failure;
  readonly isTemporary = WHOLE_ANSWER.isTemporary;
  readonly retryAfter = WHOLE_ANSWER.retryAfter;
  readonly robotsTag = WHOLE_ANSWER.robotsTag;
  readonly link = WHOLE_ANSWER.link;
  readonly isTruncated = WHOLE_ANSWER.isTruncated;
  readonly rawHeaders = WHOLE_ANSWER.rawHeaders;
  readonly statusLine = WHOLE_ANSWER.statusLine;
  readonly received = WHOLE_ANSWER.received;
}

export class SyntheticFetcher implements Fetcher {
  readonly #sites: SyntheticSites;
  readonly #urls: SyntheticUrls;
  readonly #robots: SyntheticRobots;
  readonly #maker: PageMaker;
  readonly #answer = new Answer();
  readonly #bytes = new Uint8Array(LONGEST_URL);
  readonly #location = new DataView(this.#bytes.buffer);

  constructor(sites: SyntheticSites, urls: SyntheticUrls, robots: SyntheticRobots, maker: PageMaker) {
    this.#sites = sites;
    this.#urls = urls;
    this.#robots = robots;
    this.#maker = maker;
  }

  fetch(url: Uint8Array, start: number, end: number, _address: string, done: FetchCallback): void {
    const urls = this.#urls;
    const kind = urls.read(url, start, end);
    const robots = kind === 'robots' ? this.#robots.file(urls.site) : null;
    if (kind === 'page') {
      this.#maker.make(urls.site, urls.local);
      this.#fill(200, this.#maker.body, this.#maker.bodyLength);
      this.#answer.pageNumber = this.#sites.root(urls.site) + urls.local;
    } else if (kind === 'redirect') {
      const draw = mix(REDIRECT_SALT, this.#sites.root(urls.site) + 2 * urls.local + urls.hops);
      this.#fill(REDIRECT_STATUS[draw & 3]!, MOVED, MOVED.length);
      this.#answer.location = this.#locationOf(urls.site, urls.local, urls.hops, draw >>> 2);
    } else if (robots !== null) {
      this.#fill(200, robots, robots.length);
      this.#answer.contentType = 'text/plain';
    } else {
      this.#fill(404, MISSING, MISSING.length);
    }
    done(this.#answer);
  }

  close(): void {}

  #fill(status: number, body: Uint8Array, bodyLength: number): void {
    const answer = this.#answer;
    answer.status = status;
    answer.body = body;
    answer.bodyLength = bodyLength;
    answer.contentType = HTML;
    answer.location = '';
    answer.pageNumber = -1;
  }

  /** The next URL on the way to the page: whole, from the root, or relative to `/go/HOPS/`. */
  #locationOf(site: number, local: number, hops: number, draw: number): string {
    const urls = this.#urls;
    const form = draw % 3;
    let at = 0;
    if (form === 0) at = urls.putHost(site, this.#location, urls.putScheme(site, this.#location, 0));
    const end =
      hops === 1
        ? urls.putPath(site, local, this.#location, at)
        : urls.putRedirectPath(hops - 1, local, this.#location, at);
    const path = form === 2 ? 1 : 0;
    const text = String.fromCharCode(...this.#bytes.subarray(path, end));
    return form === 2 ? UP + text : text;
  }
}
