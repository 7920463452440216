/** The rules of one origin that concern this crawler, matched by robots-parser. */
import robotsParserModule from 'robots-parser';
import type { RobotsLine, RobotsText } from './robots-text.js';

/** The package's types describe an ES module, but it is a CommonJS one whose only export is the function. */
const robotsParser = robotsParserModule as unknown as typeof robotsParserModule.default;

/** Rules hold for the origin they were fetched from, which is looked up before; the parser only sees paths. */
const ORIGIN = 'http://origin.invalid';
const EVERYONE = '*';
/** The rules stand behind the line that names everyone. */
const FIRST_RULE_LINE = 2;

/** What a set takes in memory, by estimate: the parser keeps an object, and both keep the pattern, for each rule. */
const SET_BYTES = 2000;
const RULE_BYTES = 200;

export class RuleSet {
  readonly #robots: ReturnType<typeof robotsParser>;
  /** What it was made of. */
  readonly text: Pick<RobotsText, 'rules' | 'crawlDelay'>;
  /** Estimated bytes in memory. */
  readonly size: number;

  constructor(text: Pick<RobotsText, 'rules' | 'crawlDelay'>) {
    const lines = text.rules.map((rule) => `${nameOf(rule)}:${rule.pattern}`);
    const file = `User-agent: ${EVERYONE}\n${lines.join('\n')}`;
    this.#robots = robotsParser(`${ORIGIN}/robots.txt`, file);
    this.text = text;
    this.size = SET_BYTES + RULE_BYTES * lines.length + 2 * file.length;
  }

  /** REQUIRES: `path` is in comparable form. */
  allows(path: string): boolean {
    return this.#robots.isAllowed(ORIGIN + path, EVERYONE) !== false;
  }

  /** The rule that decides about a path in comparable form, as people read it; '' if none matches. */
  ruleFor(path: string): string {
    const line = this.#robots.getMatchingLineNumber(ORIGIN + path, EVERYONE) ?? -1;
    const rule = this.text.rules[line - FIRST_RULE_LINE];
    return rule === undefined ? '' : `line ${rule.line}: ${nameOf(rule)}: ${rule.value}`;
  }
}

const nameOf = ({ isAllow }: RobotsLine): string => (isAllow ? 'Allow' : 'Disallow');
