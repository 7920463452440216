/** `drumline --help` and `drumline help COMMAND`, made of what the commands and options say of themselves. */

import { version } from '../model/version.js';
import { OPTION_GROUPS } from '../options/option-groups.js';
import { CRAWL_OPTIONS } from '../options/options.js';
import type { Command, OwnOption } from './command.js';

const COLUMNS = 100;
/** The text of an option begins here, on a line of its own if the option is longer. */
const TEXT_AT = 30;

const FOOT = `Sizes are written 64KB, 512MB, 1.5GB; times 250ms, 30s, 10m, 2h; rates 320Mbit.
Exit codes: 0 finished, 1 failed or new and without a page, 2 usage, 130 interrupted with the crawl saved.
`;

/** `crawl` is the command that may go unnamed: its options are shown here too. */
export function helpText(commands: readonly Command[], crawl: Command): string {
  const forms = commands.flatMap(({ forms: all }) => all);
  return `drumline ${version()}: a full-coverage parallel web crawler

${formLines([...forms, ['--help | --version', '']])}

Options of a crawl, with their defaults in brackets

${optionLines(crawl)}

${FOOT}`;
}

/** For whoever gave nothing at all. */
export function shortUsage(): string {
  return `usage: drumline URL...                      crawl the sites of these URLs
       drumline --seeds FILE [options]      crawl from the URLs in a file
       drumline --web synthetic             try it on an emulated web, without a network
       drumline help                        all commands and options`;
}

export function commandHelp(command: Command): string {
  const examples = command.examples.map(([words, does]) => `  drumline ${words}\n      ${does}`);
  const options = optionLines(command);
  const parts = [
    formLines(command.forms),
    wrap(command.about, COLUMNS).join('\n'),
    ...(options === '' ? [] : [options]),
    `Examples:\n${examples.join('\n')}`,
  ];
  return `${parts.join('\n\n')}\n`;
}

function formLines(forms: Command['forms']): string {
  const width = Math.max(...forms.map(([words]) => words.length));
  return forms.map(([words, does]) => `  drumline ${words.padEnd(width)}  ${does}`.trimEnd()).join('\n');
}

function optionLines({ crawlOptions, ownOptions }: Command): string {
  const groups: string[] = [];
  const add = (title: string, options: readonly (readonly [string, OwnOption])[]): void => {
    if (options.length > 0)
      groups.push([`${title}:`, ...options.map(([name, option]) => optionText(name, option))].join('\n'));
  };
  add('Options', Object.entries(ownOptions));
  for (const [title, names] of OPTION_GROUPS) {
    const taken = names.filter((name) => crawlOptions.includes(name));
    add(
      title,
      taken.map((name) => [name, CRAWL_OPTIONS[name]]),
    );
  }
  return groups.join('\n\n');
}

function optionText(name: string, { takes, help, shown }: OwnOption): string {
  const option = `  --${name}${takes === '' ? '' : ` ${takes}`}`;
  const lines = wrap(shown === '' ? help : `${help} [${shown}]`, COLUMNS - TEXT_AT);
  const text = lines.join(`\n${' '.repeat(TEXT_AT)}`);
  if (option.length + 2 > TEXT_AT) return `${option}\n${' '.repeat(TEXT_AT)}${text}`;
  return `${option.padEnd(TEXT_AT)}${text}`;
}

/** Lines of at most `columns`, unless a word is longer. */
function wrap(text: string, columns: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= columns)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
