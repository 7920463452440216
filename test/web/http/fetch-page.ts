/** Fetches with a live fetcher, for tests: pages outlive the callback here. */
import type { TestContext } from 'node:test';
import type { FetchedPage } from '#drumline/model/web.js';
import { HttpFetcher } from '#drumline/web/http/http-fetcher.js';
import type { HttpFetcherOptions } from '#drumline/web/http/http-options.js';

type Headed = Omit<FetchedPage, 'body' | 'received'>;
export type Page = Headed & { readonly text: string };

export function openFetcher(t: TestContext, options: Partial<HttpFetcherOptions> = {}): HttpFetcher {
  const fetcher = new HttpFetcher({ userAgent: 'tested/1 (+mailto:me@example.org)', ...options });
  t.after(() => fetcher.close());
  return fetcher;
}

export function fetchPage(fetcher: HttpFetcher, url: string, address = '127.0.0.1'): Promise<Page> {
  const padded = Buffer.from(`<<${url}>>`);
  return new Promise((resolve, reject) => {
    let calls = 0;
    fetcher.fetch(padded, 2, padded.length - 2, address, (page) => {
      if (++calls > 1) reject(new Error(`${url}: called back ${calls} times`));
      resolve({
        ...snapshot(page),
        text: Buffer.from(page.body.subarray(0, page.bodyLength)).toString('latin1'),
      });
    });
    // The URL's bytes are the caller's again.
    padded.fill(0);
  });
}

function snapshot(page: FetchedPage): Headed {
  const { status, statusLine, rawHeaders, contentType, location, robotsTag, link, retryAfter } = page;
  const { failure, isTemporary, isTruncated, bodyLength, pageNumber } = page;
  const head = { status, statusLine, rawHeaders, contentType, location, robotsTag, link, retryAfter };
  return { ...head, failure, isTemporary, isTruncated, bodyLength, pageNumber };
}
