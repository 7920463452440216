/**
 * The options of a crawl: name, what it takes, default and documentation of each, once. The command line, the help
 * text and the README's table come from here.
 */
import { availableParallelism, totalmem } from 'node:os';
import { SMALLEST_RING } from '../model/memory-plan.js';
import { parseBitRate, parseBytes, parseMilliseconds, parseWholeNumber } from '../model/quantity.js';
import { MAX_URL_BYTES } from '../model/url-list.js';
import { CONTACT_TAKES, isContact, isProduct, PRODUCT_TAKES } from './crawler-name.js';
import { countOrOff, flag, list, type Option, oneOf, option, reader, urlPatterns } from './option.js';
import {
  anyText,
  bytes,
  count,
  duration,
  httpUrl,
  LEAST_MEMORY,
  mediaTypes,
  memory,
  powerOfTwo,
  someText,
  textThat,
} from './option-readers.js';

const DEFAULT_TYPES: readonly string[] = [
  'text/html',
  'application/xhtml+xml',
  'text/plain',
  'text/xml',
  'application/xml',
];

const none = (): number => Number.POSITIVE_INFINITY;

export const CRAWL_OPTIONS = {
  agents: option(
    'N',
    'number of cores',
    'worker threads; 0 is the single-machine crawler, without coordinator and rings',
    availableParallelism,
    reader(parseWholeNumber, 0, 512, 'a whole number from 0 to 512'),
  ),
  seeds: list(
    'FILE',
    "an emulated web's own",
    'one URL a line, # comments, .gz accepted, - for standard input, an Open Directory RDF dump recognised; may be repeated',
  ),
  seed: list('URL', '', 'one more seed; may be repeated'),
  out: option(
    'DIR',
    'crawl-<time>',
    'crawl directory; refuses one that holds another crawl',
    () => '',
    someText('a directory'),
  ),
  web: option(
    'SPEC',
    'http',
    'where pages come from: http, disk:DIR, synthetic[:key=value,...]',
    () => 'http',
    anyText,
  ),
  links: option(
    'MODE',
    'full-coverage',
    'what happens to inter-site URLs: full-coverage, two-level',
    () => 'full-coverage' as const,
    oneOf('full-coverage', 'two-level'),
  ) as Option<'full-coverage' | 'two-level'>,
  assign: option(
    'HOW',
    'round-robin',
    'how sites get agents: round-robin',
    () => 'round-robin' as const,
    oneOf('round-robin'),
  ),
  'target-pages': option('N', 'none', 'stop after this many pages', none, count),
  'max-duration': option('TIME', 'none', 'stop after this time, for example 10m', none, duration),
  'max-bytes': option('SIZE', 'none', 'stop after this many bytes of pages, for example 10GB', none, bytes),
  'pages-per-site': option(
    'N',
    '10000 for http, else none',
    'pages fetched from one site at most',
    (isHttp) => (isHttp ? 10_000 : none()),
    count,
  ),
  'depth-per-site': option(
    'N',
    '15 for http, else none',
    'links followed inside one site at most',
    (isHttp) => (isHttp ? 15 : none()),
    reader(parseWholeNumber, 0, 65534, 'a whole number from 0 to 65534'),
  ),
  bandwidth: option(
    'RATE',
    'unlimited',
    'emulated bandwidth per agent, for example 320Mbit',
    none,
    reader(parseBitRate, 1000, Number.MAX_SAFE_INTEGER, 'a rate like 320Mbit'),
  ),
  memory: option(
    'SIZE',
    '1/4 of the machine',
    'bound for all that is kept in memory; the engine takes some 60 MB and 25 MB a thread besides',
    () => Math.max(LEAST_MEMORY, Math.floor(totalmem() / 4)),
    memory,
  ),
  'ring-bytes': option<number | undefined>(
    'SIZE',
    'from --memory',
    'bytes of one ring between two threads, a power of two',
    () => undefined,
    reader(powerOfTwo, SMALLEST_RING, 2 ** 28, `a power of two from ${SMALLEST_RING}`),
  ),
  'max-redirects': option(
    'N',
    '5',
    'redirects followed in a row',
    () => 5,
    reader(parseWholeNumber, 0, 100, 'a whole number from 0 to 100'),
  ),
  store: option(
    'HOW',
    'warc for http, else none',
    'what becomes of pages: warc, none',
    (isHttp) => (isHttp ? 'warc' : 'none'),
    oneOf('warc', 'none'),
  ) as Option<'warc' | 'none'>,
  'warc-size': option(
    'SIZE',
    '1GB',
    'a WARC file of this size is closed, and another begun',
    () => 1e9,
    bytes,
  ),
  'warc-level': option(
    'N',
    '3',
    'how hard pages are compressed, 0 to 9: more takes longer',
    () => 3,
    reader(parseWholeNumber, 0, 9, 'a whole number from 0 to 9'),
  ),
  'min-free': option(
    'SIZE',
    '2GB',
    'with less room on the disk, a crawl that stores pages pauses; 0 for never',
    () => 2e9,
    reader(parseBytes, 0, Number.MAX_SAFE_INTEGER, 'a size like 2GB'),
  ),
  'checkpoint-interval': option(
    'TIME|off',
    '60s',
    'between checkpoints, which a crawl can be resumed from',
    () => 60e3,
    (text) => (text === 'off' ? Number.POSITIVE_INFINITY : duration(text)),
  ),
  report: option(
    'FILE',
    '',
    'the report as JSON (also in the crawl directory)',
    () => '',
    someText('a file'),
  ),
  log: option(
    'on|off',
    'on for http, else off',
    'what became of each URL, as a line of crawl.log',
    (isHttp) => (isHttp ? 'on' : 'off'),
    oneOf('on', 'off'),
  ) as Option<'on' | 'off'>,
  'list-pages': flag('write the distinct URLs downloaded to pages.txt'),
  progress: option(
    'HOW',
    'bar on a terminal, else plain',
    'what is shown while crawling: bar, plain, none',
    () => '' as const,
    oneOf('bar', 'plain', 'none'),
  ) as Option<'bar' | 'plain' | 'none' | ''>,
  'user-agent': option(
    'NAME',
    'drumline',
    'the product token that robots.txt rules are looked up by, with a version or without',
    () => 'drumline',
    textThat(isProduct, PRODUCT_TAKES),
  ),
  contact: option(
    'URL-or-mail',
    '$DRUMLINE_CONTACT',
    "whom a site can turn to, sent along with the name; without one the delays can't be set below their defaults",
    () => '',
    textThat(isContact, CONTACT_TAKES),
  ),
  'host-delay': option(
    'TIME',
    '1s',
    'between the end of a request to a host and the start of the next',
    () => 1000,
    duration,
  ),
  'ip-delay': option(
    'TIME',
    '250ms, or --host-delay if that is less',
    'between the starts of two requests to an IP address, over all agents',
    () => 250,
    reader(parseMilliseconds, 0, 3600e3, 'a time of at most 1h, like 250ms'),
  ),
  timeout: option('TIME', '30s', 'for a whole request', () => 30e3, duration),
  'max-body': option('SIZE', '10MB', 'of a decoded body; the rest is cut off', () => 10e6, bytes),
  retries: option(
    'N',
    '3',
    'tries more after a failure that may pass, with growing pauses',
    () => 3,
    reader(parseWholeNumber, 0, 100, 'a whole number from 0 to 100'),
  ),
  'retry-delay': option(
    'TIME',
    '5s',
    'before the first of these; twice as long before each more',
    () => 5000,
    duration,
  ),
  'max-retry-after': option(
    'TIME',
    '1h',
    'a host that asks for a pause (Retry-After) gets this at most',
    () => 3600e3,
    duration,
  ),
  accept: option(
    'TYPES',
    DEFAULT_TYPES.join(','),
    'content types that are fetched whole; the others end at the headers',
    () => DEFAULT_TYPES,
    mediaTypes,
  ),
  sitemaps: option(
    'on|off',
    'on',
    'take URLs from the sitemaps that robots.txt names',
    () => 'on' as const,
    oneOf('on', 'off'),
  ) as Option<'on' | 'off'>,
  'sitemaps-per-site': option(
    'N',
    '500',
    'sitemaps of one site that are read at most, with 2,000 URLs and 2 MiB each on average',
    () => 500,
    reader(parseWholeNumber, 1, 60_000, 'a whole number from 1 to 60000'),
  ),
  'allow-private': flag('fetch from loopback and private addresses, which are refused otherwise'),
  insecure: flag('do not check TLS certificates'),
  proxy: option(
    'URL',
    '',
    'an HTTP proxy to send requests through; names are looked up by it',
    () => '',
    httpUrl,
  ),
  dns: list('ADDRESS', "the system's", 'a name server to ask; may be repeated'),
  include: urlPatterns('only URLs that match (* any characters, ? one); may be repeated, later rules win'),
  exclude: urlPatterns('no URLs that match; may be repeated and mixed with --include, later rules win'),
  'same-host': flag('stay on the hosts of the seeds'),
  'same-domain': flag('stay on the hosts of the seeds, without a leading www., and their subdomains'),
  'max-depth': option(
    'N',
    'none',
    'links followed from a seed at most',
    none,
    reader(parseWholeNumber, 0, 65534, 'a whole number from 0 to 65534'),
  ),
  'trap-repeated-segments': countOrOff(3, 'leave out URLs with one path segment more often than this'),
  'trap-segments': countOrOff(20, 'leave out URLs with more path segments than this'),
  'trap-url-bytes': countOrOff(
    MAX_URL_BYTES,
    `leave out URLs longer than this; over ${MAX_URL_BYTES} none is taken even if off`,
  ),
  'trap-links': countOrOff(6000, 'links taken from one page at most'),
} as const;

export type CrawlOptions = {
  readonly [K in keyof typeof CRAWL_OPTIONS]: ReturnType<(typeof CRAWL_OPTIONS)[K]['fallback']>;
};

export const isCrawlOption = (name: string): name is keyof CrawlOptions => Object.hasOwn(CRAWL_OPTIONS, name);
