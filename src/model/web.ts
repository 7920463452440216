/**
 * The Web is an interface: the live one (`http`), a dump of crawled pages (`disk`), or pages made from
 * their URL (`synthetic`). Every thread opens its own from the same specification.
 */

/** What came back for a URL. Valid only until the callback returns: bodies live in reused buffers. */
export interface FetchedPage {
  readonly status: number;
  /** The body is `body[0, bodyLength)`. */
  readonly body: Uint8Array;
  readonly bodyLength: number;
  /** The Content-Type header's value, or ''. */
  readonly contentType: string;
  /** The Location header's value for a redirect, or ''. */
  readonly location: string;
  /** The page's number in an emulated web (see `Truth`), or -1 where pages are not numbered. */
  readonly pageNumber: number;
  /**
   * '' if a response came whole; else why not: CONNECT, CONNECT_TIMEOUT, HEADERS_TIMEOUT, BODY_TIMEOUT, TIMEOUT, RESET,
   * TLS, BAD_RESPONSE, HEADERS_TOO_LARGE, BAD_ENCODING, UNWANTED_TYPE, BAD_URL, BAD_PORT, NO_ADDRESS, PRIVATE_ADDRESS. Without headers
   * the status is 0.
   */
  readonly failure: string;
  /** Can trying again later help? Network errors, time-outs, 408, 429 and 5xx. */
  readonly isTemporary: boolean;
  /** Milliseconds asked for by Retry-After, or -1. The caller bounds them. */
  readonly retryAfter: number;
  /** The X-Robots-Tag and Link headers, '' if there is none; several are joined, by line feeds and by ', '. */
  readonly robotsTag: string;
  readonly link: string;
  /** The body was cut at the bound on its size. */
  readonly isTruncated: boolean;
  /** Name, value, name, value... as received; empty in an emulated web. */
  readonly rawHeaders: readonly Buffer[];
  /** As received, an octet a character; empty in an emulated web. */
  readonly statusLine: string;
  /** The body as received, its content coding kept; null in an emulated web, where it is the body itself. */
  readonly received: ReceivedBody | null;
}

/** `bytes[0, length)` came; `isTruncated` if there was more. */
export interface ReceivedBody {
  readonly bytes: Uint8Array;
  readonly length: number;
  readonly isTruncated: boolean;
}

/** What an emulated web says about every answer: it came whole, and trying again changes nothing. */
export const WHOLE_ANSWER = {
  failure: '',
  isTemporary: false,
  retryAfter: -1,
  robotsTag: '',
  link: '',
  isTruncated: false,
  rawHeaders: [] as readonly Buffer[],
  statusLine: '',
  received: null,
} as const;

export type FetchCallback = (page: FetchedPage) => void;

export interface Fetcher {
  /** Sent with every request behind host and connection: name, value, name, value... None in an emulated web. */
  readonly requestHeaders?: readonly string[];
  /**
   * Fetches `url[start, end)`, a canonical URL, and calls back once: at once for an emulated web.
   * The URL's bytes are not kept after the call returns. `address` is the vetted IP address to connect to,
   * '' for an emulated web. `takesAnyType`: also what `--accept` would end at the headers; `leastBody`: bytes of
   * the body that are read even if `--max-body` is less.
   */
  fetch(
    url: Uint8Array,
    start: number,
    end: number,
    address: string,
    done: FetchCallback,
    takesAnyType?: boolean,
    leastBody?: number,
  ): void;
  /** Ends everything under way without calling back. */
  close(): void;
}

/** Which links a crawler follows, as far as it matters for what can be reached. */
export type LinkRule = 'full-coverage' | 'two-level';

/** What an emulated web knows about itself. */
export interface Truth {
  /** Pages are numbered from 0 to `pages - 1`. */
  readonly pages: number;
  /**
   * One bit per page number, set if a crawler that obeys robots.txt reaches it from `seeds`. The root page of
   * every site that a followed link or a seed names counts as linked, as a site's visit begins there.
   */
  reachable(seeds: Iterable<string>, links: LinkRule): Uint8Array;
  /** The URL of a page, to say what was missed. */
  urlOf(pageNumber: number): string;
}

/** How many pages a crawler can reach. */
export function countReachable(truth: Truth, seeds: Iterable<string>, links: LinkRule): number {
  let count = 0;
  for (const byte of truth.reachable(seeds, links))
    for (let bits = byte; bits !== 0; bits &= bits - 1) count++;
  return count;
}

export interface WebSummary {
  readonly pages: number;
  readonly sites: number;
  /** Links in all pages, counted as they stand in the markup. */
  readonly links: number;
  /** Bytes of all bodies. */
  readonly bytes: number;
}

export interface Web {
  /** The specification that opens this web again, with every default spelled out. */
  readonly spec: string;
  /** The web's own seeds; none for the live Web. */
  seeds(): Iterable<string>;
  /** Does the host exist? Stands for the DNS check in an emulated web; the live Web asks a NameResolver. */
  hasSite(host: string): boolean;
  fetcher(): Fetcher;
  /** Null where the web can't tell. */
  readonly truth: Truth | null;
  close(): void;
}
