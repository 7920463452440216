/**
 * The options of a crawl: name, what it takes, default and documentation of each, once. The command line, the help
 * text and the README's table come from here.
 */
import { availableParallelism, totalmem } from 'node:os';
import { UsageError } from './errors.js';
import { parseBitRate, parseBytes, parseMilliseconds, parseWholeNumber } from './quantity.js';

interface Option<T> {
  /** What the value is called in the help; '' for a switch. */
  readonly takes: string;
  readonly help: string;
  /** The default as people read it. */
  readonly shown: string;
  readonly fallback: () => T;
  /** May be given several times; `read` sees each value. */
  readonly repeatable: boolean;
  /** Adds one more value; throws a RangeError that says what the option takes. */
  readonly read: (text: string, before: T) => T;
}

function option<T>(
  takes: string,
  shown: string,
  help: string,
  fallback: () => T,
  read: (text: string) => T,
): Option<T> {
  return { takes, shown, help, fallback, repeatable: false, read };
}

function list(takes: string, shown: string, help: string): Option<readonly string[]> {
  return {
    takes,
    shown,
    help,
    fallback: () => [],
    repeatable: true,
    read: (text, before) => [...before, text],
  };
}

function flag(help: string): Option<boolean> {
  return { takes: '', shown: 'off', help, fallback: () => false, repeatable: false, read: () => true };
}

function reader(parse: (text: string) => number | null, least: number, most: number, what: string) {
  return (text: string): number => {
    const value = parse(text);
    if (value === null || value < least || value > most) throw new RangeError(what);
    return value;
  };
}

function oneOf<const T extends string>(...choices: readonly T[]) {
  return (text: string): T => {
    const found = choices.find((choice) => choice === text);
    if (found === undefined)
      throw new RangeError(choices.length === 1 ? choices[0] : `one of ${choices.join(', ')}`);
    return found;
  };
}

const anyText = (text: string): string => text;
const none = (): number => Number.POSITIVE_INFINITY;
const bytes = reader(parseBytes, 1, Number.MAX_SAFE_INTEGER, 'a size like 10MB');
const duration = reader(parseMilliseconds, 0, Number.MAX_SAFE_INTEGER, 'a time like 250ms, 30s or 10m');
const count = reader(parseWholeNumber, 1, Number.MAX_SAFE_INTEGER, 'a whole number from 1');

/** A crawl needs a few buffers of every kind, however small. */
const LEAST_MEMORY = 8e6;
const memory = reader(
  parseBytes,
  LEAST_MEMORY,
  Number.MAX_SAFE_INTEGER,
  'a size of at least 8MB, like 512MB or 4GB',
);
const powerOfTwo = (text: string): number | null => {
  const value = parseBytes(text);
  return value === null || (value & (value - 1)) !== 0 ? null : value;
};

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
    anyText,
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
    'none for an emulated web',
    'pages fetched from one site at most',
    none,
    count,
  ),
  'depth-per-site': option(
    'N',
    'none for an emulated web',
    'links followed inside one site at most',
    none,
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
    'bound for all that is kept in memory',
    () => Math.max(LEAST_MEMORY, Math.floor(totalmem() / 4)),
    memory,
  ),
  'ring-bytes': option<number | undefined>(
    'SIZE',
    'from --memory',
    'bytes of one ring between two threads, a power of two',
    () => undefined,
    reader(powerOfTwo, 4096, 2 ** 28, 'a power of two from 4096'),
  ),
  'max-redirects': option(
    'N',
    '5',
    'redirects followed in a row',
    () => 5,
    reader(parseWholeNumber, 0, 100, 'a whole number from 0 to 100'),
  ),
  report: option('FILE', '', 'the report as JSON (also in the crawl directory)', () => '', anyText),
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
    'the name that robots.txt rules are looked up by',
    () => 'drumline',
    anyText,
  ),
} as const;

export type CrawlOptions = {
  readonly [K in keyof typeof CRAWL_OPTIONS]: ReturnType<(typeof CRAWL_OPTIONS)[K]['fallback']>;
};

export const isCrawlOption = (name: string): name is keyof CrawlOptions => Object.hasOwn(CRAWL_OPTIONS, name);

/** The options given as name and value (null for a switch), defaults for the others. */
export function readCrawlOptions(
  given: readonly (readonly [name: string, value: string | null])[],
): CrawlOptions {
  const values: Record<string, unknown> = {};
  for (const [name, { fallback }] of Object.entries(CRAWL_OPTIONS)) values[name] = fallback();
  const seen = new Set<string>();
  for (const [name, value] of given) {
    if (!isCrawlOption(name)) throw new UsageError(`unknown option --${name}; drumline --help lists them`);
    const spec = CRAWL_OPTIONS[name] as Option<unknown>;
    if (spec.takes === '' && value !== null) throw new UsageError(`--${name} takes no value, got '${value}'`);
    if (spec.takes !== '' && value === null)
      throw new UsageError(`--${name} takes ${spec.takes}, got nothing`);
    if (seen.has(name) && !spec.repeatable) throw new UsageError(`--${name} is given twice`);
    seen.add(name);
    try {
      values[name] = spec.read(value ?? '', values[name]);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      throw new UsageError(`--${name} takes ${error.message}, got '${value}'`);
    }
  }
  return values as CrawlOptions;
}
