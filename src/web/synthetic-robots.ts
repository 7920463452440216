/**
 * Robots rules of the synthetic web. Pages live in directories by chance; the sites that have a robots.txt
 * forbid some of these directories. Every file also carries a group for another robot, which forbids everything.
 */
import { mix, threshold } from './synthetic-hash.js';
import type { SyntheticSpec } from './synthetic-spec.js';
import type { SyntheticUrls } from './synthetic-urls.js';

/** Places in the list of directories of synthetic-urls.ts. */
const OPEN = 13;
const PRIVATE = 14;
const TMP = 15;

interface Variant {
  readonly forbidden: readonly number[];
  readonly text: Uint8Array;
}

function variant(forbidden: number[], lines: string[]): Variant {
  return { forbidden, text: new TextEncoder().encode(`${lines.join('\n')}\n`) };
}

const OTHER = ['User-agent: otherbot', 'Disallow: /', ''];

const VARIANTS: readonly Variant[] = [
  variant([OPEN, PRIVATE], ['User-agent: *', 'Disallow: /private/', '', ...OTHER]),
  variant(
    [OPEN, PRIVATE, TMP],
    [
      '# kept short',
      ...OTHER,
      'User-agent: *',
      'Disallow: /private/',
      'Disallow: /tmp/ # scratch',
      'Disallow:',
    ],
  ),
  variant(
    [PRIVATE],
    [...OTHER, 'user-agent: *', 'disallow: /private/', 'allow: /private/open/', 'Disallow: /decoy/'],
  ),
];

const ROBOTS_SALT = 21;
const VARIANT_SALT = 22;

export class SyntheticRobots {
  readonly #urls: SyntheticUrls;
  readonly #salt: number;
  readonly #variantSalt: number;
  readonly #threshold: number;

  constructor(spec: SyntheticSpec, urls: SyntheticUrls) {
    this.#urls = urls;
    this.#salt = mix(ROBOTS_SALT, spec.seed);
    this.#variantSalt = mix(VARIANT_SALT, spec.seed);
    this.#threshold = threshold(spec.robots);
  }

  /** The site's robots.txt, or null if it has none. */
  file(site: number): Uint8Array | null {
    return this.#variant(site)?.text ?? null;
  }

  forbids(site: number, local: number): boolean {
    if (local === 0 || this.#threshold === 0) return false;
    const rules = this.#variant(site);
    return rules?.forbidden.includes(this.#urls.directoryOf(site, local)) ?? false;
  }

  #variant(site: number): Variant | null {
    if (mix(this.#salt, site) >= this.#threshold) return null;
    return VARIANTS[mix(this.#variantSalt, site) % VARIANTS.length]!;
  }
}
