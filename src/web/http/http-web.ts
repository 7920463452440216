/**
 * The live Web. Whether a host exists, and where, the coordinator asks a NameResolver. How it is fetched is told from
 * outside, so that a thread that fetches nothing need not load undici.
 */
import type { Fetcher, Web } from '../../model/web.js';

export class HttpWeb implements Web {
  readonly spec = 'http';
  readonly truth = null;
  readonly #makeFetcher: () => Fetcher;

  constructor(makeFetcher: () => Fetcher) {
    this.#makeFetcher = makeFetcher;
  }

  seeds(): Iterable<string> {
    return [];
  }

  hasSite(): boolean {
    return true;
  }

  fetcher(): Fetcher {
    return this.#makeFetcher();
  }

  close(): void {}
}
