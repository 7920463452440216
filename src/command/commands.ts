/** The commands there are. */
import { UsageError } from '../model/errors.js';
import { print } from '../model/terminal.js';
import { CRAWL_OPTIONS, isCrawlOption } from '../options/options.js';
import type { GivenOptions } from './arguments.js';
import { AUDIT } from './audit.js';
import type { Command } from './command.js';
import { CRAWL } from './crawl.js';
import { EVALUATE } from './evaluate-options.js';
import { commandHelp, helpText } from './help.js';
import { suggestion } from './nearest.js';
import { RESUME } from './resume.js';
import { looksLikeUrl } from './site-urls.js';
import { WEB } from './web.js';
import { WHY } from './why.js';

export const HELP: Command = {
  name: 'help',
  forms: [['help [COMMAND]', 'all options, or more about a command, with examples']],
  about:
    'Prints what a command does, its options with their defaults, and examples. So do --help and -h behind a command.',
  crawlOptions: [],
  ownOptions: {},
  examples: [
    ['help', 'every command, and every option of a crawl'],
    ['help resume', 'what may be given to a crawl that goes on'],
  ],
  run(words) {
    const [about] = words;
    print((about === undefined ? helpText(COMMANDS, CRAWL) : commandHelp(chooseCommand(words)[0])).trimEnd());
    return 0;
  },
};

export const COMMANDS: readonly Command[] = [CRAWL, RESUME, WEB, EVALUATE, WHY, AUDIT, HELP];

/** The command that words which are no options call, and the words that are left for it. Behind `drumline` may stand URLs. */
export function chooseCommand(words: readonly string[]): readonly [Command, readonly string[]] {
  const [name] = words;
  return name === undefined || looksLikeUrl(name) ? [CRAWL, words] : [findCommand(name), words.slice(1)];
}

export function findCommand(name: string): Command {
  const found = COMMANDS.find((command) => command.name === name);
  if (found !== undefined) return found;
  const names = COMMANDS.map((command) => command.name);
  throw new UsageError(`unknown command '${name}'; ${suggestion(name, names)}`);
}

/** What an option takes, of whichever command it is; '' for a switch. */
export function valueName(name: string): string {
  if (isCrawlOption(name)) return CRAWL_OPTIONS[name].takes;
  const owner = COMMANDS.find(({ ownOptions }) => Object.hasOwn(ownOptions, name));
  return owner?.ownOptions[name]?.takes ?? '';
}

/** Throws a UsageError if no command has one of the options. */
export function checkNames(given: GivenOptions): void {
  const names = [
    ...Object.keys(CRAWL_OPTIONS),
    ...COMMANDS.flatMap(({ ownOptions }) => Object.keys(ownOptions)),
  ];
  for (const [name] of given) {
    if (!names.includes(name))
      throw new UsageError(`unknown option --${name}; ${suggestion(name, names, '--')}`);
  }
}

/** Throws a UsageError if the command does not take one of the options. */
export function checkTaken(command: Command, given: GivenOptions): void {
  const names = [...Object.keys(command.ownOptions), ...command.crawlOptions];
  const other = given.find(([name]) => !names.includes(name))?.[0];
  if (other === undefined) return;
  // The options of a crawl are too many to be listed in a line.
  const listed = names.length === 0 ? 'no option' : `--${names.join(', --')}`;
  const takes = command === CRAWL ? 'other options, which drumline help crawl lists' : listed;
  throw new UsageError(`drumline ${command.name} takes ${takes}, got --${other}`);
}
