/**
 * The rules of one origin that concern this crawler. robots-parser tries one rule after the other, and a pattern with
 * wildcards at each octet of the path: that is done where it is quick. Where rules and path are long, `LargeRules` finds
 * the same rule in bounded time.
 */
import robotsParserModule from 'robots-parser';
import { AUTOMATON_BYTES_PER_OCTET, LargeRules } from './large-rules.js';
import type { RobotsLine, RobotsText } from './robots-text.js';

/** The package's types describe an ES module, but it is a CommonJS one whose only export is the function. */
const robotsParser = robotsParserModule as unknown as typeof robotsParserModule.default;

/** Rules hold for the origin they were fetched from, which is looked up before; the parser only sees paths. */
const ORIGIN = 'http://origin.invalid';
const EVERYONE = '*';
/** The rules stand behind the line that names everyone. */
const FIRST_RULE_LINE = 2;

/** Octets of the path times what may be tried at each: so many are done in about half a millisecond. */
const MOST_TRIALS = 1 << 17;
/** What a set takes in memory, by estimate: both ways to match keep something for each rule, and the pattern. */
const SET_BYTES = 2000;
const RULE_BYTES = 260;

export class RuleSet {
  /** What it was made of. */
  readonly text: Pick<RobotsText, 'rules' | 'crawlDelay'>;
  /** Estimated bytes in memory. */
  readonly size: number;
  /** What robots-parser may try at each octet of a path: each rule, and each octet behind a wildcard. */
  readonly #trials: number;
  #parsed: ReturnType<typeof robotsParser> | null = null;
  #large: LargeRules | null = null;

  constructor(text: Pick<RobotsText, 'rules' | 'crawlDelay'>) {
    this.text = text;
    let octets = 0;
    let wildcardOctets = 0;
    for (const { pattern } of text.rules) {
      octets += pattern.length;
      if (pattern.includes('*')) wildcardOctets += pattern.length;
    }
    this.#trials = text.rules.length + wildcardOctets;
    this.size =
      SET_BYTES + RULE_BYTES * text.rules.length + 2 * octets + AUTOMATON_BYTES_PER_OCTET * wildcardOctets;
  }

  /** The rule that decides about a path in comparable form; null if none matches. */
  find(path: string): RobotsLine | null {
    if (this.#trials * path.length > MOST_TRIALS) {
      this.#large ??= new LargeRules(this.text.rules);
      return this.#large.find(path);
    }
    this.#parsed ??= parse(this.text.rules);
    const line = this.#parsed.getMatchingLineNumber(ORIGIN + path, EVERYONE) ?? -1;
    return this.text.rules[line - FIRST_RULE_LINE] ?? null;
  }
}

function parse(rules: readonly RobotsLine[]): ReturnType<typeof robotsParser> {
  const lines = rules.map((rule) => `${nameOf(rule)}:${rule.pattern}`);
  return robotsParser(`${ORIGIN}/robots.txt`, `User-agent: ${EVERYONE}\n${lines.join('\n')}`);
}

const nameOf = ({ isAllow }: RobotsLine): string => (isAllow ? 'Allow' : 'Disallow');

/** As people read it. */
export const describeRule = (rule: RobotsLine): string => `line ${rule.line}: ${nameOf(rule)}: ${rule.value}`;
