/** The live Web. Whether a host exists, and where, the coordinator asks a NameResolver. */
import type { Fetcher, Web } from '../../model/web.js';
import { HttpFetcher } from './http-fetcher.js';
import type { HttpWebOptions } from './http-options.js';

export class HttpWeb implements Web {
  readonly spec = 'http';
  readonly truth = null;
  readonly #options: HttpWebOptions;

  constructor(options: HttpWebOptions) {
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
