import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { printConfig, withConfig } from '#drumline/command/config-file.js';
import { readCrawlOptions } from '#drumline/options/read-options.js';

type Given = (readonly [string, string | null])[];

const directory = mkdtempSync(join(tmpdir(), 'drumline-config-'));
const file = join(directory, 'crawl.json');
after(() => rmSync(directory, { recursive: true, force: true }));

function options(content: unknown, given: Given = []) {
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return readCrawlOptions(withConfig(file, given));
}

test('options come from the file, and those of the command line replace them', () => {
  const content = {
    agents: 3,
    'host-delay': '2s',
    seed: ['http://a/', 'http://b/'],
    insecure: true,
    web: null,
  };
  const read = options(content);
  assert.deepEqual([read.agents, read['host-delay'], read.seed], [3, 2000, ['http://a/', 'http://b/']]);
  assert.deepEqual([read.insecure, read.web], [true, 'http']);
  const given: Given = [
    ['agents', '2'],
    ['seed', 'http://c/'],
  ];
  const replaced = options(content, given);
  assert.deepEqual([replaced.agents, replaced['host-delay'], replaced.seed], [2, 2000, ['http://c/']]);
});

test('bounds of the live Web follow the web that the file names', () => {
  assert.equal(
    options({ 'depth-per-site': null, web: 'synthetic' })['depth-per-site'],
    Number.POSITIVE_INFINITY,
  );
});

for (const [content, message] of [
  [{ agnets: 3 }, /crawl\.json: unknown key 'agnets'; did you mean agents\?$/],
  [{ config: 'x' }, /crawl\.json: unknown key 'config'/],
  [{ constructor: 'x' }, /crawl\.json: unknown key 'constructor'/],
  [{ agents: 'many' }, /crawl\.json: 'agents' takes a whole number from 0 to 512, got "many"$/],
  [{ agents: [1] }, /crawl\.json: 'agents' takes N, got \[1\]$/],
  [{ 'host-delay': 5 }, /crawl\.json: 'host-delay' takes a time like .*, got 5$/],
  [{ insecure: 'yes' }, /crawl\.json: 'insecure' takes true or false, got "yes"$/],
  [{ seed: [{}] }, /crawl\.json: 'seed' takes URL, got/],
  ['3', /crawl\.json: takes an object/],
  ['[[]]', /crawl\.json: takes an object/],
  ['{', /--config takes a file of JSON, got '.*crawl\.json'/],
] as const) {
  test(`refuses ${JSON.stringify(content)}`, () => {
    assert.throws(() => options(content), { name: 'UsageError', message });
  });
}

test('a file that is not there is named', () => {
  assert.throws(() => withConfig(join(directory, 'none.json'), []), /--config .*none\.json': ENOENT/);
});

for (const given of [
  [],
  [['web', 'synthetic']],
  [
    ['web', 'disk:a'],
    ['seeds', 'a.txt'],
    ['seeds', '-'],
    ['max-duration', '1.5h'],
    ['host-delay', '0'],
    ['ip-delay', '1.5ms'],
    ['checkpoint-interval', 'off'],
    ['bandwidth', '0.5Mbit'],
    ['memory', '1.5GiB'],
    ['ring-bytes', '64KiB'],
    ['trap-links', 'off'],
    ['accept', 'text/*,image/png'],
    ['dns', '127.0.0.1'],
    ['list-pages', null],
    ['include', '*a*'],
    ['agents', '1'],
    ['exclude', '*b*'],
    ['exclude', '*c*'],
    ['include', '*d*'],
    ['exclude', '*e*'],
  ],
] satisfies Given[]) {
  test(`what --print-config shows for ${given.length} options is the same crawl again`, () => {
    const wanted = readCrawlOptions(given);
    const shown = printConfig(wanted);
    const again = options(shown);
    const order = ({ include, exclude }: typeof wanted) =>
      [...include.map((rule) => ({ ...rule, is: 'in' })), ...exclude.map((rule) => ({ ...rule, is: 'out' }))]
        .sort((a, b) => a.place - b.place)
        .map(({ is, pattern }) => `${is} ${pattern}`);
    assert.deepEqual(order(again), order(wanted), shown);
    assert.deepEqual({ ...again, include: [], exclude: [] }, { ...wanted, include: [], exclude: [] }, shown);
  });
}
