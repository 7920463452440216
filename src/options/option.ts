/** What an option is, and the kinds of options there are. */
import { parseWholeNumber } from '../model/quantity.js';

export interface Option<T> {
  /** What the value is called in the help; '' for a switch. */
  readonly takes: string;
  readonly help: string;
  /** The default as people read it. */
  readonly shown: string;
  /** The default, which may be another for a crawl of the live Web. */
  readonly fallback: (isHttp: boolean) => T;
  /** May be given several times; `read` sees each value. */
  readonly repeatable: boolean;
  /**
   * Adds one more value; throws a RangeError that says what the option takes. `place` counts the options that stand
   * before it, of any name.
   */
  readonly read: (text: string, before: T, place: number) => T;
}

/** A URL pattern; `place` orders includes and excludes among each other. */
export interface PlacedPattern {
  readonly place: number;
  readonly pattern: string;
}

export function option<T>(
  takes: string,
  shown: string,
  help: string,
  fallback: (isHttp: boolean) => T,
  read: (text: string) => T,
): Option<T> {
  return { takes, shown, help, fallback, repeatable: false, read };
}

export function list(takes: string, shown: string, help: string): Option<readonly string[]> {
  return {
    takes,
    shown,
    help,
    fallback: () => [],
    repeatable: true,
    read: (text, before) => [...before, text],
  };
}

export function urlPatterns(help: string): Option<readonly PlacedPattern[]> {
  return {
    takes: 'PATTERN',
    shown: '',
    help,
    fallback: () => [],
    repeatable: true,
    read: (pattern, before, place) => [...before, { place, pattern }],
  };
}

export function flag(help: string): Option<boolean> {
  return { takes: '', shown: 'off', help, fallback: () => false, repeatable: false, read: () => true };
}

/** A bound that can be turned off, which is Infinity. */
export function countOrOff(fallback: number, help: string): Option<number> {
  const count = reader(parseWholeNumber, 1, Number.MAX_SAFE_INTEGER, 'a whole number from 1, or off');
  return option(
    'N|off',
    String(fallback),
    help,
    () => fallback,
    (text) => (text === 'off' ? Number.POSITIVE_INFINITY : count(text)),
  );
}

export function reader(parse: (text: string) => number | null, least: number, most: number, what: string) {
  return (text: string): number => {
    const value = parse(text);
    if (value === null || value < least || value > most) throw new RangeError(what);
    return value;
  };
}

export function oneOf<const T extends string>(...choices: readonly T[]) {
  return (text: string): T => {
    const found = choices.find((choice) => choice === text);
    if (found === undefined)
      throw new RangeError(choices.length === 1 ? choices[0] : `one of ${choices.join(', ')}`);
    return found;
  };
}
