/** How the live Web is fetched. Apart from the fetcher, so that options can be read without loading undici. */

export interface ConnectorOptions {
  /** Milliseconds until a connection stands, with TLS. */
  readonly connectTimeout: number;
  /** Takes any certificate. */
  readonly insecure: boolean;
  /** Authorities in PEM that are trusted instead of the usual ones. */
  readonly ca?: string | undefined;
  readonly proxy?: string | undefined;
}

export interface HttpFetcherOptions extends ConnectorOptions {
  readonly userAgent: string;
  /** Media types, `*` stands for any letters. */
  readonly acceptedTypes: readonly string[];
  /** Milliseconds for the whole of a fetch, until its headers, and between two pieces of its body. */
  readonly timeout: number;
  readonly headersTimeout: number;
  readonly bodyTimeout: number;
  /** Bytes of a body at most, received and decoded. */
  readonly maxBody: number;
  /** Bytes for large bodies under way, together. */
  readonly bodyMemory: number;
  /** Behind a proxy, addresses that are not public are asked for, too; elsewhere whoever gives the address has vetted it. */
  readonly allowPrivate: boolean;
  /** Connections kept open at most; more only while more requests are under way. */
  readonly maxConnections: number;
}

/** What a crawl gives: its identity, and what differs from the defaults. */
export type HttpWebOptions = Partial<HttpFetcherOptions> & Pick<HttpFetcherOptions, 'userAgent'>;

export const HTTP_DEFAULTS: Omit<HttpFetcherOptions, 'userAgent'> = {
  acceptedTypes: ['text/html', 'application/xhtml+xml', 'text/plain', 'text/xml', 'application/xml'],
  timeout: 30_000,
  connectTimeout: 10_000,
  headersTimeout: 20_000,
  bodyTimeout: 10_000,
  maxBody: 10_000_000,
  bodyMemory: 64_000_000,
  maxConnections: 256,
  insecure: false,
  allowPrivate: false,
};
