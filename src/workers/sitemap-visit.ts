/** Reads a fetched sitemap (`src/parse/sitemap-reader.ts`) and names what stands in it. */
import { DrumlineError } from '../model/errors.js';
import type { FetchedPage } from '../model/web.js';
import { SitemapReader } from '../parse/sitemap-reader.js';

const decoder = new TextDecoder();

/** Resolves to '' or the code of what went wrong; URLs named before that stand. */
export async function readSitemap(
  page: FetchedPage,
  onUrl: (url: string, isSitemap: boolean) => void,
): Promise<string> {
  // The page's buffer is used again as soon as its callback returns.
  const body = page.body.slice(0, page.bodyLength);
  const reader = new SitemapReader({
    entry: (loc, length, _lastModified, isSitemap) =>
      onUrl(decoder.decode(loc.subarray(0, length)), isSitemap),
  });
  try {
    await reader.read([body]);
    return '';
  } catch (error) {
    if (error instanceof DrumlineError && error.disposition === 'drop-url') return error.code;
    throw error;
  }
}
