/**
 * What one thread did, a JSON object a line, in the order of time; docs/crawl-log.md lists the fields. Each thread writes
 * a part of its own without a lock, and the parts are merged when the crawl ends.
 */
import { hostText } from '../model/canonical-url-bytes.js';
import type { Disk } from '../model/disk.js';
import { printable } from '../model/terminal.js';
import { MAX_URL_BYTES } from '../model/url-list.js';
import { LogFile } from './log-file.js';

/** One request that was made, whatever came of it. Times are those of the clock that `origin` belongs to. */
export interface LoggedRequest {
  readonly kind: 'page' | 'robots' | 'sitemap';
  /** The canonical URL is `url[start, end)`. */
  readonly url: Uint8Array;
  readonly start: number;
  readonly end: number;
  /** The address connected to; '' if there was none. */
  readonly ip: string;
  readonly started: number;
  readonly ended: number;
  /** 0 if no response came. */
  readonly status: number;
  /** Of the decoded body. */
  readonly bytes: number;
  readonly type: string;
  /** Where a redirect leads, as the server wrote it; '' if it is none. */
  readonly location: string;
  /** Hops from a seed. */
  readonly depth: number;
  /** The page the URL was found on; '' if it is a seed or that is not known. */
  readonly via: string;
  /** Tries before this one. */
  readonly retries: number;
  /** Milliseconds that the host was left alone for afterwards, at least. */
  readonly delay: number;
  /** What failed, as a code; '' if a response came whole. */
  readonly reason: string;
  /** Will it be tried again? Else this line is the last word on the URL. */
  readonly willRetry: boolean;
  readonly digest: string;
  /** Where the page is stored; '' if it is not. */
  readonly warc: string;
  readonly offset: number;
}

/** Four times a URL of nothing but escapes, with its host and where it was found, and the other fields, which are cut. */
const MAX_LINE = 6 * MAX_URL_BYTES + 16384;
const MAX_FIELD = 300;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

export class CrawlLog {
  readonly #file: LogFile;
  readonly #agent: number;
  readonly #origin: number;

  /**
   * Goes on where the file ends. `origin` is the time since 1970, in ms, at which the clock showed 0: taken once for all
   * threads, so that a clock that is set while the crawl runs makes no gaps.
   */
  constructor(disk: Disk, path: string, agent: number, origin: number) {
    this.#agent = agent;
    this.#origin = origin;
    this.#file = new LogFile(disk, path);
  }

  request(request: LoggedRequest): void {
    const { kind, url, start, end, started, ended, retries, reason, digest, warc } = request;
    this.#begin(ended, kind, url, start, end);
    let rest = `,"host":${quote(hostText(url, start), MAX_URL_BYTES)}`;
    if (request.ip !== '') rest += `,"ip":${quote(request.ip, MAX_FIELD)}`;
    rest += `,"started":${this.#time(started)},"ended":${this.#time(ended)}`;
    rest += `,"status":${request.status},"bytes":${request.bytes}`;
    if (request.type !== '') rest += `,"type":${quote(request.type, MAX_FIELD)}`;
    if (request.location !== '') rest += `,"location":${quote(request.location, MAX_FIELD)}`;
    rest += `,"depth":${request.depth}`;
    if (request.via !== '') rest += `,"via":${quote(request.via, MAX_URL_BYTES)}`;
    if (retries > 0) rest += `,"retries":${retries}`;
    rest += `,"delay":${request.delay}`;
    if (digest !== '') rest += `,"digest":${quote(digest, MAX_FIELD)}`;
    if (warc !== '') rest += `,"warc":${quote(warc, MAX_FIELD)},"offset":${request.offset}`;
    if (reason !== '') rest += `,"reason":${quote(reason, MAX_FIELD)}`;
    if (request.willRetry) rest += ',"willRetry":true';
    this.#end(rest);
  }

  /**
   * A URL that is given up without a request, or after the last: `reason` is a code, `detail` what people want to know
   * beside it (the line of robots.txt), or ''. `via` as in a request.
   */
  givenUp(
    url: Uint8Array,
    start: number,
    end: number,
    now: number,
    depth: number,
    via: string,
    reason: string,
    detail: string,
  ): void {
    this.#begin(now, 'url', url, start, end);
    let rest = `,"depth":${depth}`;
    if (via !== '') rest += `,"via":${quote(via, MAX_URL_BYTES)}`;
    rest += `,"reason":${quote(reason, MAX_FIELD)}`;
    if (detail !== '') rest += `,"detail":${quote(detail, MAX_FIELD)}`;
    this.#end(rest);
  }

  /** A whole site that is given up, with all its URLs; `url[start, end)` is the root page of its origin. */
  siteGivenUp(url: Uint8Array, start: number, end: number, now: number, reason: string): void {
    this.#begin(now, 'site', url, start, end);
    this.#end(`,"host":${quote(hostText(url, start), MAX_URL_BYTES)},"reason":${quote(reason, MAX_FIELD)}`);
  }

  /** The disk was full, and lines wait here: the crawl is to pause until `flush` finds room. */
  get isBlocked(): boolean {
    return this.#file.isBlocked;
  }

  /** Milliseconds until `flush` is due, for lines are to reach the file soon. */
  delay(now: number): number {
    return this.#file.delay(now);
  }

  /** Hands all lines to the file; false if the disk has no room for them. */
  flush(): boolean {
    return this.#file.flush();
  }

  /** Makes all lines durable; returns the bytes they take. */
  save(): number {
    return this.#file.save();
  }

  /** Makes all lines durable. */
  close(): void {
    this.#file.close();
  }

  /** Rounded down: a gap of a whole number of milliseconds never looks smaller than it was. */
  #time(clock: number): number {
    return Math.floor(this.#origin + clock);
  }

  #begin(now: number, kind: string, url: Uint8Array, start: number, end: number): void {
    const file = this.#file;
    file.reserve(MAX_LINE, now);
    const { buffer } = file;
    const time = new Date(this.#time(now)).toISOString();
    const head = `{"time":"${time}","agent":${this.#agent},"kind":"${kind}","url":"`;
    let at = file.used + buffer.write(head, file.used, 'latin1');
    for (let from = start; from < end; from++) {
      const byte = url[from]!;
      if (byte === QUOTE || byte === BACKSLASH) buffer[at++] = BACKSLASH;
      buffer[at++] = byte;
    }
    buffer[at++] = QUOTE;
    file.used = at;
  }

  #end(rest: string): void {
    this.#file.used += this.#file.buffer.write(`${rest}}\n`, this.#file.used);
  }
}

/** ASCII that stands for itself between quotes: nearly all there is. */
const PLAIN = /^[ !#-[\]-~]*$/;

/** As JSON that people can look at, cut to a length that keeps the line within its bound. */
function quote(text: string, longest: number): string {
  const cut = text.length > longest ? text.slice(0, longest) : text;
  return PLAIN.test(cut) ? `"${cut}"` : printable(JSON.stringify(cut));
}
