/** The keys of `--web synthetic:...`: type, default and range of each, and the spec that spells them all out. */
import { UsageError } from '../model/errors.js';

export interface SyntheticSpec {
  readonly pages: number;
  readonly sites: number;
  readonly seed: number;
  /** Mean number of links on a page. */
  readonly links: number;
  /** Share of the links that stay in the site. */
  readonly intra: number;
  /** Mean bytes of a page. */
  readonly size: number;
  /** Share of the links that lead to a URL that does not exist. */
  readonly dead: number;
  /** Share of the other links, those that lead to a page, that do so through a redirect. */
  readonly redirects: number;
  /** Share of the sites that have a robots.txt. */
  readonly robots: number;
}

export type SyntheticKey = keyof SyntheticSpec;

interface Range {
  readonly least: number;
  readonly most: number;
  readonly whole: boolean;
}

const SHARE: Range = { least: 0, most: 1, whole: false };

/** Page numbers stay below 2^31 so that they fit the Int32Arrays of the link plan. */
const RANGES: Record<SyntheticKey, Range> = {
  pages: { least: 1, most: 1e9, whole: true },
  sites: { least: 1, most: 1e9, whole: true },
  seed: { least: 0, most: 0xffffffff, whole: true },
  links: { least: 1, most: 3000, whole: true },
  intra: SHARE,
  size: { least: 1, most: 16_000_000, whole: true },
  dead: SHARE,
  redirects: SHARE,
  robots: SHARE,
};

const DEFAULTS: Omit<SyntheticSpec, 'sites'> = {
  pages: 100_000,
  seed: 1,
  links: 40,
  intra: 0.9,
  size: 22_300,
  dead: 0,
  redirects: 0,
  robots: 0,
};

const KEYS = Object.keys(RANGES) as SyntheticKey[];
const PREFIX = 'synthetic';

function refuse(what: string, takes: string): never {
  throw new UsageError(`--web ${PREFIX}: ${what}; ${takes}`);
}

function takes({ least, most, whole }: Range): string {
  return `it takes a ${whole ? 'whole number' : 'number'} between ${least} and ${most}`;
}

function readValue(key: SyntheticKey, text: string): number {
  const range = RANGES[key];
  const value = /^\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text) ? Number(text) : Number.NaN;
  const fits = value >= range.least && value <= range.most && (!range.whole || Number.isInteger(value));
  return fits ? value : refuse(`${key} is '${text}'`, takes(range));
}

/** Reads `synthetic` or `synthetic:key=value,...`. */
export function parseSyntheticSpec(spec: string): SyntheticSpec {
  const given: Partial<Record<SyntheticKey, number>> = {};
  const list = spec.slice(PREFIX.length + 1);
  for (const item of list === '' ? [] : list.split(',')) {
    const equals = item.indexOf('=');
    const key = (equals < 0 ? item : item.slice(0, equals)) as SyntheticKey;
    if (!KEYS.includes(key)) refuse(`unknown key '${key}'`, `it takes ${KEYS.join(', ')}`);
    if (given[key] !== undefined) refuse(`${key} is given twice`, 'it takes every key once');
    given[key] = readValue(key, equals < 0 ? '' : item.slice(equals + 1));
  }
  const pages = given.pages ?? DEFAULTS.pages;
  const sites = given.sites ?? Math.max(1, Math.floor(pages / 50));
  if (sites > pages) {
    refuse(`sites is '${sites}' with ${pages} pages`, takes({ ...RANGES.sites, most: pages }));
  }
  return { ...DEFAULTS, ...given, sites };
}

/** The spec with every default spelled out, keys in a fixed order. */
export function formatSyntheticSpec(spec: SyntheticSpec): string {
  return `${PREFIX}:${KEYS.map((key) => `${key}=${spec[key]}`).join(',')}`;
}
