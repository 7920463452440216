/** What the documents write as commands is what the program takes. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { readArguments } from '#drumline/command/arguments.js';
import { checkNames, checkTaken, chooseCommand, valueName } from '#drumline/command/commands.js';
import { siteOptions } from '#drumline/command/site-urls.js';
import { isCrawlOption } from '#drumline/options/options.js';
import { readCrawlOptions } from '#drumline/options/read-options.js';
import { temporaryDirectory } from '../web/temporary-directory.js';
import { runDrumline } from './run-drumline.js';

const root = dirname(dirname(fileURLToPath(import.meta.resolve('#drumline/main.js'))));
const documents = ['README.md', ...readdirSync(join(root, 'docs')).map((name) => join('docs', name))];
const PROGRAM = /^(?:node dist\/main\.js|(?:build\/)?drumline) +(.+)$/;

interface Written {
  readonly where: string;
  readonly words: readonly string[];
}

/** As a shell does, without what follows a comment sign or goes to a file. */
function split(command: string): string[] {
  const [line] = command.split(/ +[#>]/);
  return [...line!.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(([, a, b, c]) => a ?? b ?? c!);
}

function commands(document: string): Written[] {
  const text = readFileSync(join(root, document), 'utf8');
  const blocks = [...text.matchAll(/^```sh\n(.*?)^```/gms)].flatMap(([, block]) => block!.split('\n'));
  const inline = [...text.replace(/^```.*?^```/gms, '').matchAll(/`((?:node|drumline) [^`]+)`/g)].map(
    ([, code]) => code!.replace(/\n/g, ' '),
  );
  return [...blocks, ...inline].flatMap((line) => {
    const words = PROGRAM.exec(line)?.[1];
    return words === undefined ? [] : [{ where: `${document}: ${line}`, words: split(words) }];
  });
}

const all = documents.flatMap(commands);

test('every command in the documents is one that the program takes, with options that it takes', () => {
  assert.ok(all.length >= 30, `${all.length} commands`);
  for (const { where, words } of all) {
    // A form with placeholders names what it takes.
    const { positionals, options } = readArguments(
      words.filter((word) => word !== '...'),
      valueName,
    );
    assert.doesNotThrow(() => {
      checkNames(options);
      const [command, rest] = chooseCommand(positionals);
      checkTaken(command, options);
      const isCrawl = command.name === 'crawl' || command.name === 'resume';
      if (!isCrawl) return;
      if (command.name === 'crawl') siteOptions(rest, options);
      readCrawlOptions(options.filter(([name]) => isCrawlOption(name)));
    }, where);
  }
});

test('every script in the documents is in package.json', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  for (const document of documents) {
    const text = readFileSync(join(root, document), 'utf8');
    for (const [, name] of text.matchAll(/\bnpm run ([a-z:]+)/g))
      assert.ok(Object.hasOwn(scripts, name!), `${document}: npm run ${name}`);
  }
});

test('the week of docs/operations.md can be printed, and read again', async (t) => {
  const [print, read] = all
    .filter(({ where }) => where.startsWith(join('docs', 'operations.md')))
    .map(({ words }) => words);
  const directory = temporaryDirectory(t);
  const week = join(directory, 'week.json');
  const printed = await runDrumline(print!);
  assert.equal(printed.status, 0, printed.stderr);
  writeFileSync(week, printed.stdout);
  const again = await runDrumline([
    ...read!.map((word) => (word === 'week.json' ? week : word)),
    '--print-config',
  ]);
  assert.equal(again.status, 0, again.stderr);
  assert.deepEqual(JSON.parse(again.stdout), { ...JSON.parse(printed.stdout), out: 'week' });
});
