#!/usr/bin/env node
/** The command line: parse, run, exit code. */
import { readArguments } from './command/arguments.js';
import { checkNames, checkTaken, chooseCommand, HELP, valueName } from './command/commands.js';
import { shortUsage } from './command/help.js';
import { oneLine, UsageError } from './model/errors.js';
import { complain, print } from './model/terminal.js';
import { version } from './model/version.js';

async function run(words: readonly string[]): Promise<number> {
  if (words.length === 0) {
    print(shortUsage());
    return 2;
  }
  const { positionals, options } = readArguments(words, valueName);
  if (options.some(([option]) => option === 'help')) return HELP.run(positionals, []);
  if (options.some(([option]) => option === 'version')) {
    print(version());
    return 0;
  }
  // First the options: the value behind one that is mistyped would pass for a command.
  checkNames(options);
  const [command, rest] = chooseCommand(positionals);
  checkTaken(command, options);
  return command.run(rest, options);
}

// Started by another process of drumline, which is gone if the channel to it closes: nobody waits for this one.
if (process.channel !== undefined) {
  process.on('disconnect', () => process.exit(1));
  process.channel.unref();
}

// Whoever reads the output may stop reading; the crawl goes on and its report is in the crawl directory.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

async function main(): Promise<void> {
  try {
    process.exitCode = await run(process.argv.slice(2));
  } catch (error) {
    complain(oneLine(error));
    process.exitCode = error instanceof UsageError ? 2 : 1;
  }
}

// Not awaited: the executable's code is a script, where only functions can wait.
void main();
