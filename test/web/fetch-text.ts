/** A fetched page as strings, for tests. */
import type { Fetcher } from '#drumline/model/web.js';

export interface TextPage {
  readonly status: number;
  readonly text: string;
  readonly contentType: string;
  readonly location: string;
  readonly pageNumber: number;
}

export function fetchText(fetcher: Fetcher, url: string): TextPage {
  const padded = new TextEncoder().encode(`<<${url}>>`);
  const pages: TextPage[] = [];
  fetcher.fetch(padded, 2, padded.length - 2, '', (page) => {
    const text = Buffer.from(page.body.subarray(0, page.bodyLength)).toString('latin1');
    const { status, contentType, location, pageNumber } = page;
    pages.push({ status, text, contentType, location, pageNumber });
  });
  if (pages.length !== 1) throw new Error(`${url}: called back ${pages.length} times`);
  return pages[0]!;
}

/** Follows redirects; returns the last answer and how many there were before it. */
export function fetchThrough(fetcher: Fetcher, url: string): { page: TextPage; hops: number } {
  let at = url;
  for (let hops = 0; ; hops++) {
    const page = fetchText(fetcher, at);
    if (page.location === '') return { page, hops };
    at = new URL(page.location, at).href;
  }
}
