/** Options of a crawl in a file of JSON (`--config`), and what would run as such a file (`--print-config`). */
import { readFileSync } from 'node:fs';
import { oneLine, UsageError } from '../model/errors.js';
import { formatTime } from '../model/quantity.js';
import type { Option, PlacedPattern } from '../options/option.js';
import { CRAWL_OPTIONS, type CrawlOptions, isCrawlOption } from '../options/options.js';
import type { GivenOptions } from './arguments.js';
import { suggestion } from './nearest.js';

type Scalar = string | number | boolean | null;
type ConfigPart = Record<string, Scalar | Scalar[]>;

/** The options of the file that the command line does not give, then those of the command line. */
export function withConfig(path: string, given: GivenOptions): GivenOptions {
  const own = readConfig(path).filter(([name]) => !given.some(([other]) => other === name));
  return [...own, ...given];
}

function readConfig(path: string): GivenOptions {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new UsageError(`--config takes a file of JSON, got '${path}': ${oneLine(error)}`);
  }
  return (Array.isArray(content) ? content : [content]).flatMap((part: unknown) => {
    if (typeof part !== 'object' || part === null || Array.isArray(part))
      throw new UsageError(`${path}: takes an object with options as its keys`);
    return Object.entries(part).flatMap(([name, value]) => readKey(path, name, value));
  });
}

function readKey(path: string, name: string, value: unknown): GivenOptions {
  if (!isCrawlOption(name))
    throw new UsageError(`${path}: unknown key '${name}'; ${suggestion(name, Object.keys(CRAWL_OPTIONS))}`);
  const spec = CRAWL_OPTIONS[name] as Option<unknown>;
  // As --print-config says that nothing was chosen.
  if (value === null) return [];
  const refuse = (what: string): never => {
    throw new UsageError(`${path}: '${name}' takes ${what}, got ${JSON.stringify(value)}`);
  };
  if (spec.takes === '')
    return typeof value === 'boolean' ? (value ? [[name, null]] : []) : refuse('true or false');
  const values: unknown[] = spec.repeatable && Array.isArray(value) ? value : [value];
  return values.map((one) => {
    if (typeof one !== 'string' && typeof one !== 'number') return refuse(spec.takes);
    try {
      spec.read(String(one), spec.fallback(false), 0);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      refuse(error.message);
    }
    return [name, String(one)] as const;
  });
}

/** What --config reads as the same options again. */
export function printConfig(options: CrawlOptions): string {
  const { include, exclude, ...others } = options;
  const first: ConfigPart = {};
  for (const [name, value] of Object.entries(others))
    first[name] = configValue(CRAWL_OPTIONS[name as keyof CrawlOptions] as Option<unknown>, value);
  const [rules = {}, ...more] = patternParts(include, exclude);
  const parts = [{ ...first, ...rules }, ...more];
  return JSON.stringify(parts.length === 1 ? parts[0] : parts, null, 2);
}

/** Includes and excludes in their order among each other: keys of one object in turn, a further object to turn back. */
function patternParts(include: readonly PlacedPattern[], exclude: readonly PlacedPattern[]): ConfigPart[] {
  const rules = [
    ...include.map((rule) => ({ ...rule, name: 'include' })),
    ...exclude.map((rule) => ({ ...rule, name: 'exclude' })),
  ].sort((a, b) => a.place - b.place);
  const parts: Record<string, string[]>[] = [];
  let last = '';
  for (const { name, pattern } of rules) {
    if (parts.length === 0 || (name !== last && Object.hasOwn(parts.at(-1)!, name))) parts.push({});
    const part = parts.at(-1)!;
    part[name] = [...(part[name] ?? []), pattern];
    last = name;
  }
  return parts;
}

/** As the option takes it; null for what has no bound, no value, or is chosen when the crawl starts. */
function configValue({ takes, repeatable }: Option<unknown>, value: unknown): Scalar | Scalar[] {
  if (value === undefined || value === '') return null;
  if (value === Number.POSITIVE_INFINITY) return takes.endsWith('|off') ? 'off' : null;
  if (typeof value === 'number') {
    if (takes.startsWith('TIME')) return formatTime(value);
    return takes === 'RATE' ? `${value}bit` : value;
  }
  if (Array.isArray(value)) return repeatable ? (value as string[]) : value.join(',');
  return value as string | boolean;
}
