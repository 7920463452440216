#!/usr/bin/env node
/** The command line: parse, run, exit code. */
import { readArguments } from './command/arguments.js';
import { auditCommand } from './command/audit.js';
import { crawlCommand } from './command/crawl.js';
import { EVALUATE_OPTIONS } from './command/evaluate-options.js';
import { helpText } from './command/help.js';
import { resumeCommand } from './command/resume.js';
import { webCommand } from './command/web.js';
import { whyCommand } from './command/why.js';
import { oneLine, UsageError } from './model/errors.js';
import { CRAWL_OPTIONS, isCrawlOption } from './model/options.js';
import { version } from './model/version.js';

const VALUES_ELSEWHERE: Readonly<Record<string, string>> = {
  dumps: 'N',
  crawl: 'CRAWL_DIR',
  ...Object.fromEntries(Object.entries(EVALUATE_OPTIONS).map(([name, { takes }]) => [name, takes])),
};
/** What an option takes, '' for a switch. */
const taken = (name: string): string =>
  isCrawlOption(name) ? CRAWL_OPTIONS[name].takes : (VALUES_ELSEWHERE[name] ?? '');

async function main(words: readonly string[]): Promise<number> {
  const { positionals, options } = readArguments(words, taken);
  const [command = 'crawl', ...rest] = positionals;
  if (options.some(([name]) => name === 'help')) {
    process.stdout.write(helpText());
    return 0;
  }
  if (options.some(([name]) => name === 'version')) {
    process.stdout.write(`${version()}\n`);
    return 0;
  }
  const unknown = options.find(([name]) => !isCrawlOption(name) && !Object.hasOwn(VALUES_ELSEWHERE, name));
  if (unknown !== undefined)
    throw new UsageError(`unknown option --${unknown[0]}; drumline --help lists them`);
  if (command === 'web') return webCommand(rest, options);
  if (command === 'resume') return resumeCommand(rest, options);
  if (command === 'audit') return auditCommand(rest, options);
  if (command === 'evaluate') {
    const { evaluateCommand } = await import('./command/evaluate.js');
    return evaluateCommand(rest, options);
  }
  if (command === 'why') return whyCommand(rest, options);
  if (command !== 'crawl') throw new UsageError(`unknown command '${command}'; drumline --help lists them`);
  if (rest.length > 0) throw new UsageError(`drumline crawl takes options only, got '${rest[0]}'`);
  return crawlCommand(options);
}

// Started by another process of drumline, which is gone if the channel to it closes: nobody waits for this one.
if (process.channel !== undefined) {
  process.on('disconnect', () => process.exit(1));
  process.channel.unref();
}

// Whoever reads the output may stop reading; the crawl goes on and its report is in the crawl directory.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`drumline: ${oneLine(error)}\n`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
