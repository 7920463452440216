/**
 * Which URLs belong to the crawl: patterns, the seeds' hosts, depth, and the rules against traps. Works on bytes; with
 * the default options a URL costs one walk over its path.
 */
import type { CrawlOptions } from '../options/options.js';
import { PathSegments } from './path-segments.js';
import { SeedHosts } from './seed-hosts.js';
import { UrlPatterns } from './url-patterns.js';

export type ScopeOptions = Pick<
  CrawlOptions,
  | 'include'
  | 'exclude'
  | 'same-host'
  | 'same-domain'
  | 'max-depth'
  | 'trap-repeated-segments'
  | 'trap-segments'
  | 'trap-url-bytes'
>;

/** Why a URL is left out, by code, as people read it. */
export const SCOPE_REASONS: Readonly<Record<string, string>> = {
  SCOPE_DEPTH: 'it is more links away from the seeds than --max-depth',
  SCOPE_HOST: 'it is on no host of the seeds (--same-host)',
  SCOPE_DOMAIN: 'it is in no domain of the seeds (--same-domain)',
  SCOPE_EXCLUDE: 'the patterns of --include and --exclude leave it out',
  TRAP_LENGTH: 'its URL is longer than --trap-url-bytes',
  TRAP_SEGMENTS: 'its path has more segments than --trap-segments',
  TRAP_REPEATED_SEGMENT: 'a segment of its path is repeated more often than --trap-repeated-segments',
};

export class Scope {
  readonly #maxDepth: number;
  readonly #maxBytes: number;
  readonly #segments: PathSegments;
  readonly #patterns: UrlPatterns;
  readonly #hosts: SeedHosts | null = null;
  readonly #hostReason: string;

  /** `seeds` are canonical URLs; they are read only if the options need them. */
  constructor(options: ScopeOptions, seeds: Iterable<string>) {
    this.#maxDepth = options['max-depth'];
    this.#maxBytes = options['trap-url-bytes'];
    this.#segments = new PathSegments(options['trap-segments'], options['trap-repeated-segments']);
    this.#patterns = new UrlPatterns(options.include, options.exclude);
    // The same host is in the same domain: with both options the narrower one decides.
    const isSameHost = options['same-host'];
    if (isSameHost || options['same-domain']) this.#hosts = new SeedHosts(seeds, !isSameHost);
    this.#hostReason = isSameHost ? 'SCOPE_HOST' : 'SCOPE_DOMAIN';
  }

  /**
   * '' if the URL is in scope, else why not: a code of SCOPE_REASONS. REQUIRES: `url[start, end)` is canonical and
   * `url[hostStart, hostEnd)` its host; `depth` is in hops from a seed.
   */
  check(
    url: Uint8Array,
    start: number,
    end: number,
    hostStart: number,
    hostEnd: number,
    depth: number,
  ): string {
    if (depth > this.#maxDepth) return 'SCOPE_DEPTH';
    if (end - start > this.#maxBytes) return 'TRAP_LENGTH';
    if (this.#hosts !== null && !this.#hosts.has(url, hostStart, hostEnd)) return this.#hostReason;
    // The port holds no slash and no question mark: the segments begin at the first slash.
    const trap = this.#segments.check(url, hostEnd, end);
    if (trap !== '') return trap;
    if (!this.#patterns.isEmpty && !this.#patterns.admits(url, start, end)) return 'SCOPE_EXCLUDE';
    return '';
  }
}
