/** What may be given to a crawl that goes on, and how it joins what the crawl was started with. */
import { UsageError } from '../model/errors.js';
import { CRAWL_OPTIONS, type CrawlOptions, isCrawlOption } from '../options/options.js';
import type { GivenOptions } from './arguments.js';

/** A crawl that was stopped by one of these would be stopped again at once. */
const STOPS = ['target-pages', 'max-duration', 'max-bytes'] as const;
/** For this run only. */
const PASSING = [...STOPS, 'report', 'progress', 'checkpoint-interval', 'min-free'] as const;
/** From now on, also for whoever goes on later: more seeds, and these. */
const LASTING = [
  ...(['seeds', 'seed', 'include', 'exclude', 'same-host', 'same-domain', 'max-depth'] as const),
  ...(['pages-per-site', 'depth-per-site'] as const),
  ...(['trap-repeated-segments', 'trap-segments', 'trap-url-bytes', 'trap-links'] as const),
  ...(['contact', 'user-agent', 'host-delay', 'ip-delay'] as const),
  ...(['retries', 'retry-delay', 'max-retry-after'] as const),
] as const;

export const RESUME_OPTIONS: readonly (keyof CrawlOptions)[] = [...PASSING, ...LASTING];

const has = (names: readonly string[], name: string): boolean => names.includes(name);

/** These exclude each other: the one that is given now counts. */
const SAME = ['same-host', 'same-domain'];

/** With all that was given now. What may be repeated is added to what the crawl has, so that later rules win. */
export function joinOptions(saved: GivenOptions, given: GivenOptions): GivenOptions {
  const isRepeatable = (name: string): boolean => isCrawlOption(name) && CRAWL_OPTIONS[name].repeatable;
  const isReplaced = (name: string): boolean =>
    given.some(([other]) => (other === name && !isRepeatable(name)) || (has(SAME, other) && has(SAME, name)));
  return [...saved.filter(([name]) => name !== 'out' && !has(STOPS, name) && !isReplaced(name)), ...given];
}

/** With what was given now and lasts, as the crawl directory keeps it. */
export const lastingOptions = (saved: GivenOptions, given: GivenOptions): GivenOptions =>
  joinOptions(
    saved,
    given.filter(([name]) => has(LASTING, name)),
  );

/** A crawl that is over takes nothing more. */
export function refuseForFinished(path: string, given: GivenOptions): void {
  const lasting = given.find(([name]) => has(LASTING, name));
  if (lasting !== undefined)
    throw new UsageError(
      `--${lasting[0]} is for a crawl that goes on; nothing is left of ${path}: begin another`,
    );
}
