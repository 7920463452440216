/**
 * Canonical URLs: exactly the URL standard's serialisation of a link resolved against its base, without fragment,
 * credentials and dots at the end of the host, http and https only, at most MAX_URL_BYTES. Links of pages take a faster way
 * where it leads to the same: `parse/url-canonicaliser.ts`.
 */
import { MAX_URL_BYTES } from './url-list.js';

/** The slow, obviously right way, for seeds, odd links, and as the oracle of the fast one; null if not crawlable. */
export function canonicalUrl(href: string, base?: string): string | null {
  const url = parseUrl(href, base);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return null;
  url.hash = '';
  url.username = '';
  url.password = '';
  // The name with the dot is the same host, which would be asked twice as often.
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.replace(/\.+$/, '');
  return url.href.length > MAX_URL_BYTES ? null : url.href;
}

/** `URL.canParse` would spare the exception, but in Node 20 misreads some strings that are not ASCII. */
export function parseUrl(href: string, base?: string): URL | null {
  try {
    return new URL(href, base);
  } catch {
    return null;
  }
}
