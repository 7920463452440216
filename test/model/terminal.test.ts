import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { oneLine } from '#drumline/model/errors.js';
import { printable } from '#drumline/model/terminal.js';

/** Control characters and what reorders text, each with what is shown instead. */
const HOSTILE: readonly [text: string, shown: string][] = [
  ['\u001b[2J\u0000\u007f', '\\u001b[2J\\u0000\\u007f'],
  ['a\r\nb\tc', 'a\\u000d\\u000ab\\u0009c'],
  ['\u009b31m\u0085', '\\u009b31m\\u0085'],
  ['\u202egpj.exe\u2066\u200f\u061c', '\\u202egpj.exe\\u2066\\u200f\\u061c'],
  ['\u2028\u2029\ufeff', '\\u2028\\u2029\\ufeff'],
  ['\ud83d x \udc00', '\\ud83d x \\udc00'],
  ['\u{e0041}', '\\udb40\\udc41'],
];

test('what would drive a terminal or reorder text is escaped, the rest stays', () => {
  for (const [text, shown] of HOSTILE) assert.equal(printable(text), shown);
  for (const text of ['', ' plain "text" \\', 'http://h.example/?q', 'é 日本 \u{1f600}'])
    assert.equal(printable(text), text);
});

test('escapes mean the same in JSON, and escaping twice is escaping once', () => {
  for (const [text, shown] of HOSTILE) {
    assert.equal(JSON.parse(printable(JSON.stringify(text))), text);
    assert.equal(printable(shown), shown);
  }
});

test('errors are told on one line that drives no terminal', () => {
  assert.equal(oneLine(new Error('got \u001b[1m\u009b\nnothing')), 'got \\u001b[1m\\u009b nothing');
});

test('nothing but terminal.ts and progress writes to the terminal', () => {
  const root = dirname(fileURLToPath(import.meta.resolve('#drumline/main.js')));
  const own = ['model/terminal.js', 'monitor/progress.js', 'evaluate/evaluation-progress.js'];
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => name.endsWith('.js') && !name.startsWith('threads/') && !own.includes(name));
  assert.ok(files.length > 100);
  for (const name of files) {
    const text = readFileSync(join(root, name), 'utf8');
    assert.doesNotMatch(
      text,
      /\b(process\.std(out|err)\.write|console\.(log|error|warn)\(\W*[`$])/,
      `${name}: print() and complain() of model/terminal.ts escape what drives a terminal`,
    );
  }
});
