/** Why there is no more, at the end of a crawl: what URLs were given up for, and what to do where nothing was fetched at all. */

import { formatCount } from '../model/quantity.js';
import type { CrawlOptions } from '../options/options.js';
import type { Cause, Report } from '../run/report.js';
import { REASONS } from './reasons.js';

const SHOWN = 3;
/** These follow from what happened to the site before. */
const FOLLOWING = new Set(['SITE_REFUSED', 'SITE_DOWN']);

/** The most frequent causes, a line each, and how to ask further. */
export function causeLines(report: Report, directory: string, isLogged: boolean): string[] {
  const causes = report.causes.filter(({ code }) => !FOLLOWING.has(code)).slice(0, SHOWN);
  const lines = causes.map(
    (cause) => `  ${cause.code} ${formatCount(cause.count)}: ${inWords(cause)}; first ${cause.url}`,
  );
  const [first] = causes;
  if (first !== undefined && isLogged)
    lines.push(`  drumline why ${quoted(first.url)} --crawl ${quoted(directory)} says more`);
  return lines;
}

/** Of a crawl that ended without a page: the cause, and what can be done about it. */
export function whyNoPage(report: Report, options: CrawlOptions): string {
  const cause = report.causes.find(({ code }) => !FOLLOWING.has(code)) ?? report.causes[0];
  if (cause === undefined)
    return `no page was fetched: ${report.outcome === 'exhausted' ? 'there was nothing to fetch' : 'the crawl was stopped before the first'}`;
  return `no page was fetched: ${cause.url}: ${inWords(cause)}; ${remedy(cause, options)}`;
}

function inWords({ because, code }: Cause): string {
  const status = /^HTTP_(\d+)$/.exec(code)?.[1];
  if (status !== undefined) return `the answer has status ${status}`;
  const text = REASONS[code] ?? code;
  if (because === '') return text;
  if (code === 'ROBOTS_UNREACHABLE') return `${text} (${REASONS[because] ?? because})`;
  return isAboutScope(code) ? `${because} redirects there, and ${text}` : `${text} (${because})`;
}

const isAboutScope = (code: string): boolean => /^(SCOPE|TRAP)_/.test(code);

function remedy({ because, code }: Cause, options: CrawlOptions): string {
  const failed = code === 'ROBOTS_UNREACHABLE' ? because : code;
  if (options.proxy !== '' && isAboutProxy(failed)) return `look at the proxy, --proxy ${options.proxy}`;
  if (failed === 'UNWANTED_TYPE') return `add its type to --accept`;
  if (isAboutScope(failed))
    return because === '' ? 'widen the scope' : 'start there instead, or widen the scope';
  return REMEDIES[failed] ?? (failed.startsWith('HTTP_5') ? LATER : 'look whether the URL is right');
}

/** What a proxy that refuses, or is not there, looks like from here. */
const isAboutProxy = (code: string): boolean =>
  code.startsWith('CONNECT') || ['HTTP_403', 'HTTP_407', 'HTTP_502', 'HTTP_503', 'HTTP_504'].includes(code);

const LATER = 'try again later';
const SLOW = 'try again later, or with a longer --timeout';

const REMEDIES: Readonly<Record<string, string>> = {
  PRIVATE_ADDRESS: 'give --allow-private to fetch from there',
  DNS_NOT_FOUND: 'look whether it is spelled right',
  DNS_FAILED: 'look at the network, or name a server with --dns',
  NO_SUCH_HOST: 'give a URL of this emulated web',
  CONNECT: 'look whether its server runs, on this port',
  CONNECT_TIMEOUT: 'look whether its server runs, and whether a firewall is between',
  TLS: 'give --insecure to take any certificate',
  ROBOTS: 'its rules are kept, so start elsewhere or ask its owner',
  HEADERS_TIMEOUT: SLOW,
  BODY_TIMEOUT: SLOW,
  TIMEOUT: SLOW,
  RESET: LATER,
  HTTP_429: LATER,
  HTTP_401: 'pages behind a password are not fetched',
};

/** As a shell takes it for one word. */
const quoted = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
