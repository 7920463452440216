/**
 * `--include` and `--exclude`: globs matched against whole canonical URLs, in the order they were given; the last rule
 * that matches decides. What none matches is out if the first rule is an include, else in.
 */
import type { PlacedPattern } from '../options/option.js';

const STAR = 0x2a;
const QUESTION = 0x3f;

interface Rule {
  readonly isInclude: boolean;
  readonly glob: Uint8Array;
}

export class UrlPatterns {
  /** The rule given last comes first. */
  readonly #rules: readonly Rule[];
  readonly #otherwise: boolean;

  constructor(include: readonly PlacedPattern[], exclude: readonly PlacedPattern[]) {
    const rule = (isInclude: boolean) => (given: PlacedPattern) => ({ ...given, isInclude });
    const placed = [...include.map(rule(true)), ...exclude.map(rule(false))];
    placed.sort((a, b) => b.place - a.place);
    this.#rules = placed.map(({ isInclude, pattern }) => ({ isInclude, glob: globBytes(pattern) }));
    this.#otherwise = !(placed.at(-1)?.isInclude ?? false);
  }

  get isEmpty(): boolean {
    return this.#rules.length === 0;
  }

  admits(url: Uint8Array, start: number, end: number): boolean {
    for (const { isInclude, glob } of this.#rules) {
      if (matchesGlob(glob, url, start, end)) return isInclude;
    }
    return this.#otherwise;
  }
}

/**
 * Canonical URLs are ASCII: other characters of a pattern stand for their percent-encoded form. Half a surrogate pair
 * stands for the replacement character, as in a URL.
 */
function globBytes(pattern: string): Uint8Array {
  const text = pattern.toWellFormed();
  return new TextEncoder().encode(text.replace(/\P{ASCII}+/gu, (other) => encodeURIComponent(other)));
}

/**
 * `*` is any characters, `?` one, all else itself. Only the last star has to be tried again at another place: what an
 * earlier one matched can stay as short as it was.
 */
export function matchesGlob(glob: Uint8Array, text: Uint8Array, start: number, end: number): boolean {
  let at = start;
  let from = 0;
  let star = -1;
  let starAt = start;
  while (at < end) {
    const wanted = from < glob.length ? glob[from]! : -1;
    if (wanted === STAR) {
      star = from++;
      starAt = at;
    } else if (wanted === QUESTION || wanted === text[at]) {
      from++;
      at++;
    } else if (star >= 0) {
      from = star + 1;
      at = ++starAt;
    } else {
      return false;
    }
  }
  while (from < glob.length && glob[from] === STAR) from++;
  return from === glob.length;
}
