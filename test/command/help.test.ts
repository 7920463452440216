import assert from 'node:assert/strict';
import { test } from 'node:test';
import { COMMANDS, checkNames, checkTaken, findCommand } from '#drumline/command/commands.js';
import { CRAWL } from '#drumline/command/crawl.js';
import { commandHelp, helpText } from '#drumline/command/help.js';
import { nearest } from '#drumline/command/nearest.js';
import { OPTION_GROUPS } from '#drumline/options/option-groups.js';
import { CRAWL_OPTIONS } from '#drumline/options/options.js';

const COLUMNS = 110;

test('every option of a crawl stands in one group', () => {
  const grouped = OPTION_GROUPS.flatMap(([, names]) => names);
  assert.deepEqual([...grouped].sort(), Object.keys(CRAWL_OPTIONS).sort());
});

test('the help names every command, and every option with its default', () => {
  const text = helpText(COMMANDS, CRAWL);
  for (const { name, forms } of COMMANDS) {
    assert.ok(forms.length > 0, name);
    for (const [words, does] of forms) {
      assert.match(words, new RegExp(`^\\[?${name}\\b`));
      assert.ok(text.includes(`drumline ${words}`) && text.includes(does), words);
    }
  }
  const flat = text.replace(/\s+/g, ' ');
  for (const [name, { takes, help, shown }] of Object.entries(CRAWL_OPTIONS)) {
    const option = `--${name}${takes && ` ${takes}`} ${help}${shown && ` [${shown}]`}`;
    assert.ok(flat.includes(option), option);
  }
  for (const line of text.split('\n')) assert.ok(line.length <= COLUMNS, line);
});

for (const command of COMMANDS) {
  test(`help ${command.name} shows its options and two examples that it takes`, () => {
    const text = commandHelp(command);
    assert.ok(command.examples.length >= 2);
    const names = [...Object.keys(command.ownOptions), ...command.crawlOptions];
    for (const name of names) assert.ok(text.includes(`--${name}`), name);
    for (const [words] of command.examples) {
      assert.ok(text.includes(`drumline ${words}`), words);
      const used = [...words.matchAll(/--([a-z-]+)/g)].map(([, name]) => [name!, ''] as const);
      assert.doesNotThrow(() => checkTaken(command, used));
    }
    for (const line of text.split('\n')) assert.ok(line.length <= COLUMNS, line);
  });
}

for (const [name, meant] of [
  ['agnets', 'agents'],
  ['agent', 'agents'],
  ['max-body-size', 'max-body'],
  ['TARGET-PAGES', 'target-pages'],
  ['traget-pages', 'target-pages'],
  ['checkpoint', 'checkpoint-interval'],
  ['depth', 'max-depth'],
  ['max-pages', 'target-pages'],
  ['delay', 'host-delay'],
  ['toString', null],
  ['colour', null],
  ['x', null],
  ['y'.repeat(100_000), null],
] as const) {
  test(`--${name.slice(0, 20)} is taken for ${meant === null ? 'nothing' : `--${meant}`}`, () => {
    assert.equal(nearest(name, Object.keys(CRAWL_OPTIONS)), meant);
  });
}

test('mistakes name what was meant', () => {
  assert.throws(() => findCommand('resmue'), /unknown command 'resmue'; did you mean resume\?$/);
  assert.throws(() => findCommand('fly'), /unknown command 'fly'; drumline --help lists them$/);
  assert.throws(() => checkNames([['crwal', null]]), /unknown option --crwal; did you mean --crawl\?$/);
  assert.throws(
    () => checkTaken(findCommand('resume'), [['agents', '3']]),
    /resume takes --target-pages.*, got --agents$/,
  );
  assert.throws(() => checkTaken(CRAWL, [['crawl', 'x']]), /crawl takes other options.*, got --crawl$/);
});
