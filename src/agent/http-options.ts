/** The options of a crawl as the fetchers of the live Web take them. */
import { userAgent } from '../options/crawler-name.js';
import type { CrawlOptions } from '../options/options.js';
import type { HttpWebOptions } from '../web/http/http-options.js';

/** Fetches under way in one agent at most; each is to another host. */
const MOST_VISITS = 256;
const LEAST_VISITS = 64;
/** With little memory there are fewer: a large body that waits holds about twice this in its connection. */
const BYTES_A_VISIT = 16 * 1024;

/** How many fetches an agent has under way at most, with so much memory for large bodies. */
export const httpVisits = (bodyMemory: number): number =>
  Math.floor(Math.min(MOST_VISITS, Math.max(LEAST_VISITS, bodyMemory / BYTES_A_VISIT)));

export function httpOptions(options: CrawlOptions, version: string, bodyMemory: number): HttpWebOptions {
  return {
    userAgent: userAgent(options['user-agent'], version, options.contact),
    acceptedTypes: options.accept,
    timeout: options.timeout,
    maxBody: options['max-body'],
    bodyMemory,
    maxConnections: httpVisits(bodyMemory),
    insecure: options.insecure,
    allowPrivate: options['allow-private'],
    proxy: options.proxy === '' ? undefined : options.proxy,
  };
}
