/** Reads the options of a crawl, and refuses what they do not take. */
import { UsageError } from '../model/errors.js';
import { leastMemory } from '../model/memory-plan.js';
import type { Option } from './option.js';
import { LEAST_MEMORY } from './option-readers.js';
import { CRAWL_OPTIONS, type CrawlOptions, isCrawlOption } from './options.js';

/** The options given as name and value (null for a switch), defaults for the others. */
export function readCrawlOptions(
  given: readonly (readonly [name: string, value: string | null])[],
): CrawlOptions {
  const isHttp = (given.find(([name]) => name === 'web')?.[1] ?? 'http') === 'http';
  const values: Record<string, unknown> = {};
  for (const [name, { fallback }] of Object.entries(CRAWL_OPTIONS)) values[name] = fallback(isHttp);
  const seen = new Set<string>();
  for (const [place, [name, value]] of given.entries()) {
    if (!isCrawlOption(name)) throw new UsageError(`unknown option --${name}; drumline --help lists them`);
    const spec = CRAWL_OPTIONS[name] as Option<unknown>;
    if (spec.takes === '' && value !== null) throw new UsageError(`--${name} takes no value, got '${value}'`);
    if (spec.takes !== '' && value === null)
      throw new UsageError(`--${name} takes ${spec.takes}, got nothing`);
    if (seen.has(name) && !spec.repeatable) throw new UsageError(`--${name} is given twice`);
    seen.add(name);
    try {
      values[name] = spec.read(value ?? '', values[name], place);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      throw new UsageError(`--${name} takes ${error.message}, got '${value}'`);
    }
  }
  // Whoever asks for more speed from each host would be held up by a pause that he did not ask for.
  if (!seen.has('ip-delay'))
    values['ip-delay'] = Math.min(values['ip-delay'] as number, values['host-delay'] as number);
  const options = values as CrawlOptions;
  const least = Math.max(LEAST_MEMORY, leastMemory(options.agents));
  if (options.memory < least)
    throw new UsageError(
      `--memory takes at least ${Math.ceil(least / 1e6)}MB for ${options.agents} agents, got ${options.memory} bytes`,
    );
  return options;
}
