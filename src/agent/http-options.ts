/** The options of a crawl as the fetchers of the live Web take them. */
import { userAgent } from '../model/crawler-name.js';
import type { CrawlOptions } from '../model/options.js';
import type { HttpWebOptions } from '../web/http/http-options.js';

/** Fetches under way in one agent at most; each is to another host. */
export const MOST_HTTP_VISITS = 256;

export function httpOptions(options: CrawlOptions, version: string, bodyMemory: number): HttpWebOptions {
  return {
    userAgent: userAgent(options['user-agent'], version, options.contact),
    acceptedTypes: options.accept,
    timeout: options.timeout,
    maxBody: options['max-body'],
    bodyMemory: Math.max(bodyMemory, options['max-body']),
    maxConnections: MOST_HTTP_VISITS,
    insecure: options.insecure,
    allowPrivate: options['allow-private'],
    proxy: options.proxy === '' ? undefined : options.proxy,
  };
}
