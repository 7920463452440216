/** The live Web. Whether a host exists, and where, the coordinator asks a NameResolver. */
import type { Fetcher, Web } from '../../model/web.js';
import { HttpFetcher, type HttpFetcherOptions } from './http-fetcher.js';

export class HttpWeb implements Web {
  readonly spec = 'http';
  readonly truth = null;
  readonly #options: HttpFetcherOptions;

  constructor(options: HttpFetcherOptions) {
    this.#options = options;
  }

  seeds(): Iterable<string> {
    return [];
  }

  hasSite(): boolean {
    return true;
  }

  fetcher(): Fetcher {
    return new HttpFetcher(this.#options);
  }

  close(): void {}
}
