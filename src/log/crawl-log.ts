/**
 * What one thread did, a JSON object a line, in the order of time; docs/crawl-log.md lists the fields. Each thread writes
 * a part of its own without a lock, and the parts are merged when the crawl ends. Lines are buffered; what a crash cuts
 * off is at most the buffer, and a torn last line is cut when the part is opened again.
 */
import { hostEnd } from '../model/canonical-url-bytes.js';
import type { Disk, DiskFile } from '../model/disk.js';
import { printable } from '../model/terminal.js';
import { MAX_URL_BYTES } from '../model/url-list.js';

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

const BUFFER_BYTES = 1 << 16;
/** Four times a URL of nothing but escapes, with its host and where it was found, and the other fields, which are cut. */
const MAX_LINE = 6 * MAX_URL_BYTES + 16384;
const MAX_FIELD = 300;
const LINE_FEED = 0x0a;
const QUOTE = 0x22;
const SLASH = 0x2f;
const BACKSLASH = 0x5c;

export class CrawlLog {
  readonly #file: DiskFile;
  readonly #agent: number;
  readonly #origin: number;
  readonly #buffer = Buffer.allocUnsafeSlow(BUFFER_BYTES);
  #used = 0;
  #written: number;

  /**
   * Goes on where the file ends. `origin` is the time since 1970, in ms, at which the clock showed 0: taken once for all
   * threads, so that a clock that is set while the crawl runs makes no gaps.
   */
  constructor(disk: Disk, path: string, agent: number, origin: number) {
    this.#agent = agent;
    this.#origin = origin;
    this.#file = disk.open(path, 'update');
    this.#written = this.#wholeLines();
    this.#file.truncate(this.#written);
  }

  request(request: LoggedRequest): void {
    const { kind, url, start, end, started, ended, retries, reason, digest, warc } = request;
    this.#begin(ended, kind, url, start, end);
    let rest = `,"host":${quote(hostOf(url, start), MAX_URL_BYTES)}`;
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
    this.#end(`,"host":${quote(hostOf(url, start), MAX_URL_BYTES)},"reason":${quote(reason, MAX_FIELD)}`);
  }

  /** Hands all lines to the file. */
  flush(): void {
    if (this.#used === 0) return;
    this.#file.write(this.#buffer, 0, this.#used, this.#written);
    this.#written += this.#used;
    this.#used = 0;
  }

  /** Makes all lines durable; returns the bytes they take. */
  save(): number {
    this.flush();
    this.#file.sync();
    return this.#written;
  }

  /** Makes all lines durable. */
  close(): void {
    try {
      this.save();
    } finally {
      this.#file.close();
    }
  }

  /** Rounded down: a gap of a whole number of milliseconds never looks smaller than it was. */
  #time(clock: number): number {
    return Math.floor(this.#origin + clock);
  }

  #begin(now: number, kind: string, url: Uint8Array, start: number, end: number): void {
    if (this.#used + MAX_LINE > BUFFER_BYTES) this.flush();
    const time = new Date(this.#time(now)).toISOString();
    const buffer = this.#buffer;
    const head = `{"time":"${time}","agent":${this.#agent},"kind":"${kind}","url":"`;
    let at = this.#used + buffer.write(head, this.#used, 'latin1');
    for (let from = start; from < end; from++) {
      const byte = url[from]!;
      if (byte === QUOTE || byte === BACKSLASH) buffer[at++] = BACKSLASH;
      buffer[at++] = byte;
    }
    buffer[at++] = QUOTE;
    this.#used = at;
  }

  #end(rest: string): void {
    this.#used += this.#buffer.write(`${rest}}\n`, this.#used);
  }

  /** Where the last whole line of the file ends. */
  #wholeLines(): number {
    let end = this.#file.size();
    while (end > 0) {
      const start = Math.max(0, end - BUFFER_BYTES);
      this.#file.read(this.#buffer, 0, end - start, start);
      const at = this.#buffer.subarray(0, end - start).lastIndexOf(LINE_FEED);
      if (at >= 0) return start + at + 1;
      end = start;
    }
    return 0;
  }
}

/** ASCII that stands for itself between quotes: nearly all there is. */
const PLAIN = /^[ !#-[\]-~]*$/;

/** As JSON that people can look at, cut to a length that keeps the line within its bound. */
function quote(text: string, longest: number): string {
  const cut = text.length > longest ? text.slice(0, longest) : text;
  return PLAIN.test(cut) ? `"${cut}"` : printable(JSON.stringify(cut));
}

/** The host of a canonical URL, without port: the site. */
function hostOf(url: Uint8Array, start: number): string {
  const from = url.indexOf(SLASH, start) + 2;
  return Buffer.from(url.buffer, url.byteOffset + from, hostEnd(url, from) - from).toString('latin1');
}
