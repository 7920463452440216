/** The README's table of options is the program's. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { CRAWL_OPTIONS } from '#drumline/options/options.js';

const root = dirname(dirname(fileURLToPath(import.meta.resolve('#drumline/main.js'))));
const readme = readFileSync(join(root, 'README.md'), 'utf8');

test('every option stands in the README with what it takes and its default', () => {
  const table = /<!-- options:[^\n]*-->\n(.*?)\n<!-- end of options -->/s.exec(readme)?.[1];
  const rows = Object.entries(CRAWL_OPTIONS).map(
    ([name, { takes, help, shown }]) => `| \`--${name}${takes && ` ${takes}`}\` | ${help} | ${shown} |`,
  );
  assert.equal(table, ['| option | meaning | default |', '|---|---|---|', ...rows].join('\n'));
});

test('what the README and the documents link to is there', () => {
  const documents = ['README.md', ...[...readme.matchAll(/\]\((docs\/[^)#]+)/g)].map(([, path]) => path!)];
  for (const document of documents) {
    const text = readFileSync(join(root, document), 'utf8');
    for (const [, path] of text.matchAll(/\]\((?!http)([^)#]+)/g)) {
      assert.ok(existsSync(join(root, dirname(document), path!)), `${document} links to ${path}`);
    }
  }
});
