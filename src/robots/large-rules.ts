/**
 * Rules of one origin that are too many to be tried one after the other: the time for a path is bounded by the octets of
 * the rules, whatever these are.
 *
 * Patterns without wildcards are looked up by their length: the path's beginning of that length is one of them or none.
 * There are few different lengths, as they add up to no more than the file's. Patterns with wildcards are all matched in
 * one pass over the path, by an automaton that is at several places of each pattern at once, a bit for each place:
 *
 * | bits of a pattern of n octets, without its wildcards | set if                         |
 * |-------------------------------------------------------|--------------------------------|
 * | 0                                                     | it can begin here              |
 * | i, from 1 to n                                        | the path matched i octets      |
 *
 * A place stays set behind a wildcard. So a path of m octets takes m steps of as many words as the patterns have places / 32.
 */
import type { RobotsLine } from './robots-text.js';

const STAR = 0x2a;
const DOLLAR = '$';
const WORD_BITS = 32;
/** Memory for an octet of a pattern with wildcards: a bit for each of the characters that paths are written in. */
export const AUTOMATON_BYTES_PER_OCTET = 12;

/** Does rule `a` decide where `b` matches, too? The longer does, of equal length an Allow, else the first. */
function decidesOver(a: RobotsLine, b: RobotsLine | null): boolean {
  if (b === null || a.pattern.length !== b.pattern.length)
    return a.pattern.length > (b?.pattern.length ?? -1);
  return a.isAllow && !b.isAllow;
}

export class LargeRules {
  /** Rules without wildcards by their octets, by the number of these, the largest first; whole: those that end with `$`. */
  readonly #beginnings: readonly (readonly [length: number, rules: Map<string, RobotsLine>])[];
  readonly #whole = new Map<string, RobotsLine>();
  readonly #automaton: WildcardAutomaton;

  constructor(rules: readonly RobotsLine[]) {
    const byLength = new Map<number, Map<string, RobotsLine>>();
    const add = (map: Map<string, RobotsLine>, octets: string, rule: RobotsLine): void => {
      if (decidesOver(rule, map.get(octets) ?? null)) map.set(octets, rule);
    };
    const wild: RobotsLine[] = [];
    for (const rule of rules) {
      const { pattern } = rule;
      if (pattern.includes('*')) wild.push(rule);
      else if (pattern.endsWith(DOLLAR)) add(this.#whole, pattern.slice(0, -1), rule);
      else {
        const same = byLength.get(pattern.length) ?? new Map<string, RobotsLine>();
        byLength.set(pattern.length, same);
        add(same, pattern, rule);
      }
    }
    this.#beginnings = [...byLength].sort(([a], [b]) => b - a);
    this.#automaton = new WildcardAutomaton(wild);
  }

  /** The rule that decides about a path, null if none matches. */
  find(path: string): RobotsLine | null {
    let best = this.#automaton.find(path);
    const whole = this.#whole.get(path) ?? null;
    if (whole !== null && decidesOver(whole, best)) best = whole;
    for (const [length, rules] of this.#beginnings) {
      if (length > path.length) continue;
      if (best !== null && length < best.pattern.length) break;
      const rule = rules.get(path.slice(0, length));
      if (rule === undefined) continue;
      return decidesOver(rule, best) ? rule : best;
    }
    return best;
  }
}

class WildcardAutomaton {
  readonly #rules: readonly RobotsLine[];
  /** By rule: the place behind its last octet. */
  readonly #ends: Int32Array;
  readonly #words: number;
  /** Where patterns begin; where a wildcard follows; where a pattern without `$` is matched. */
  readonly #starts: Int32Array;
  readonly #stays: Int32Array;
  readonly #accepts: Int32Array;
  /** By octet: the places that it leads to. */
  readonly #octets: (Int32Array | undefined)[] = [];
  readonly #nowhere: Int32Array;
  readonly #places: Int32Array;
  readonly #matched: Int32Array;

  constructor(rules: readonly RobotsLine[]) {
    this.#rules = rules;
    this.#ends = new Int32Array(rules.length);
    let places = 0;
    for (const { pattern } of rules) places += pattern.length + 1;
    this.#words = Math.ceil(places / WORD_BITS);
    const words = (): Int32Array => new Int32Array(this.#words);
    [this.#starts, this.#stays, this.#accepts] = [words(), words(), words()];
    [this.#nowhere, this.#places, this.#matched] = [words(), words(), words()];
    let place = 0;
    for (const [i, rule] of rules.entries()) {
      place = this.#add(rule.pattern, place);
      this.#ends[i] = place++;
    }
  }

  /** Writes a pattern to the places from `first` on; returns its last one. */
  #add(pattern: string, first: number): number {
    const isAnchored = pattern.endsWith(DOLLAR);
    let place = first;
    set(this.#starts, place);
    for (let at = 0; at < pattern.length - (isAnchored ? 1 : 0); at++) {
      const octet = pattern.charCodeAt(at);
      if (octet === STAR) set(this.#stays, place);
      else {
        this.#octets[octet] ??= new Int32Array(this.#words);
        set(this.#octets[octet], ++place);
      }
    }
    if (!isAnchored) set(this.#accepts, place);
    return place;
  }

  find(path: string): RobotsLine | null {
    const rules = this.#rules;
    if (rules.length === 0) return null;
    this.#run(path);
    let best: RobotsLine | null = null;
    for (let i = 0; i < rules.length; i++) {
      const end = this.#ends[i]!;
      const isAnchored = !isSet(this.#accepts, end);
      if (!isSet(isAnchored ? this.#places : this.#matched, end)) continue;
      if (decidesOver(rules[i]!, best)) best = rules[i]!;
    }
    return best;
  }

  /** Leaves the places at the end of the path, and all that accepted on the way. */
  #run(path: string): void {
    const places = this.#places;
    const matched = this.#matched;
    const stays = this.#stays;
    const accepts = this.#accepts;
    places.set(this.#starts);
    for (let i = 0; i < this.#words; i++) matched[i] = places[i]! & accepts[i]!;
    for (let at = 0; at < path.length; at++) {
      const led = this.#octets[path.charCodeAt(at)] ?? this.#nowhere;
      let carry = 0;
      let any = 0;
      for (let i = 0; i < this.#words; i++) {
        const before = places[i]!;
        const now = (((before << 1) | carry) & led[i]!) | (before & stays[i]!);
        carry = before >>> (WORD_BITS - 1);
        places[i] = now;
        matched[i]! |= now & accepts[i]!;
        any |= now;
      }
      if (any === 0) return;
    }
  }
}

function set(bits: Int32Array, place: number): void {
  bits[place >>> 5]! |= 1 << (place & (WORD_BITS - 1));
}

function isSet(bits: Int32Array, place: number): boolean {
  return ((bits[place >>> 5]! >>> (place & (WORD_BITS - 1))) & 1) === 1;
}
