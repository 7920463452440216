/** Codes of crawl.log and the report in words. */
import { SCOPE_REASONS } from '../scope/scope.js';

/** Why something was given up, as people read it; other codes speak for themselves. */
export const REASONS: Readonly<Record<string, string>> = {
  ...SCOPE_REASONS,
  ROBOTS: 'robots.txt of its origin disallows it',
  ROBOTS_UNREACHABLE: 'robots.txt of its origin could not be fetched, so nothing there is allowed',
  SITEMAPS_PER_SITE: 'its site had its --sitemaps-per-site',
  SITEMAP_DEPTH: 'it is a sitemap that is named more than three sitemaps deep',
  PAGES_PER_SITE: 'its site had its --pages-per-site',
  DEPTH_PER_SITE: 'it is more links away from where its site was entered than --depth-per-site',
  REDIRECTS: 'more redirects in a row than --max-redirects',
  REDIRECT_TARGET: 'it redirects to no http or https URL',
  DNS_NOT_FOUND: 'the name of its host does not exist',
  DNS_FAILED: 'the name of its host could not be looked up',
  PRIVATE_ADDRESS: 'its host is on a private address (--allow-private)',
  BAD_PORT: 'its port is one that no web server is asked for on',
  DEAD_PORTS: 'it is on a port of its own, and several ports of its host could not be reached',
  UNWANTED_TYPE: 'its content type is none of --accept',
  CONNECT: 'no connection could be made',
  CONNECT_TIMEOUT: 'no connection could be made in time',
  HEADERS_TIMEOUT: 'the server did not begin to answer in time',
  BODY_TIMEOUT: 'the server stopped in the middle of its answer',
  TIMEOUT: 'the answer was not complete within --timeout',
  RESET: 'the server broke the connection off',
  TLS: 'the connection could not be secured, or the certificate is not valid (--insecure)',
  BAD_RESPONSE: 'what the server sent is no HTTP response',
  HEADERS_TOO_LARGE: "the response's headers are too large",
  BAD_ENCODING: 'the body could not be decoded',
};
