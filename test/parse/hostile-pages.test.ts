/** Pages made to hurt: each would take minutes or gigabytes if something were not linear or not bounded. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { DrumlineError } from '#drumline/model/errors.js';
import { LinkExtractor } from '#drumline/parse/link-extractor.js';
import { DEFAULT_MAX_LINKS, LinkList } from '#drumline/parse/link-list.js';

const MEGABYTE = 1024 * 1024;
const extractor = await LinkExtractor.load();
const links = new LinkList();

function extract(page: string | Uint8Array, contentType = 'text/html; charset=utf-8'): string[] {
  const body = typeof page === 'string' ? Buffer.from(page) : page;
  extractor.extract(body, body.length, contentType, links);
  return links.toStrings();
}

test('10 MB without a `>`', () => {
  const openings = [
    '<a href=x ',
    '<',
    '</',
    '</a ',
    '<!',
    '<!--',
    '<!-- -- <a',
    '<?',
    '<a "',
    "<a href='",
    '<a =',
    '&amp',
    '<svg <![CDATA[',
    '<script <!-- <script ',
  ];
  for (const part of openings) {
    for (const type of ['text/html; charset=utf-8', 'application/xhtml+xml']) {
      const page = Buffer.alloc(10 * MEGABYTE, part);
      assert.deepEqual(extract(page, type), [], part);
      assert.deepEqual(extract(Buffer.concat([Buffer.from('<a href=y>'), page]), type), ['y'], part);
    }
  }
});

test('raw text that almost ends, again and again', () => {
  for (const [start, part] of [
    ['<title>', '</title'],
    ['<script>', '<!--<script'],
    ['<script><!--', '<script </script '],
    ['<script>', '<!-- -->'],
    ['<textarea>', '</textarea<'],
    ['<svg><![CDATA[', ']]'],
    ['<!--', '--!'],
    ['<!--', '-->'.slice(0, 2)],
  ] as const) {
    assert.deepEqual(extract(Buffer.from(`<a href=x>${start}${part.repeat(300_000)}`)), ['x'], start + part);
  }
});

test('a million links: as many as the bound are kept, the others counted', () => {
  assert.equal(DEFAULT_MAX_LINKS, 6000);
  const found = extract(Buffer.alloc(13e6, '<a href=/xy/>'));
  assert.equal(found.length, 6000);
  assert.equal(links.dropped, 1e6 - 6000);
  assert.ok(found.every((link) => link === '/xy/'));
  extract('<a href=x>');
  assert.deepEqual([links.count, links.dropped], [1, 0]);
});

test('100,000 nested tags', () => {
  for (const tag of ['div', 'svg', 'table', 'select', 'a href=x', 'math><mi', 'svg><desc', 'template']) {
    const name = /^\w+/.exec(tag)![0];
    const page = `${`<${tag}>`.repeat(100_000)}${`</${name}>`.repeat(100_000)}<a href=end>`;
    assert.equal(extract(page).at(-1), tag === 'a href=x' ? 'x' : 'end', tag);
    assert.equal(links.count + links.dropped, tag === 'a href=x' ? 100_001 : 1, tag);
  }
});

test('an attribute of 5 MB', () => {
  const long = 'x'.repeat(5 * MEGABYTE);
  const cases: [string, number][] = [
    [`<a href="${long}">`, 1],
    [`<a href=${long}>`, 1],
    [`<a href='${'&amp;'.repeat(MEGABYTE)}'>`, 1],
    [`<a href=x${'"'.repeat(5 * MEGABYTE)}>`, 1],
    [`<p title="${long}">`, 0],
    [`<a ${long}=y>`, 0],
    [`<a ${'y '.repeat(2 * MEGABYTE)}>`, 0],
    [`<${long}>`, 0],
    [`<a href=x rel="${'nofollow '.repeat(MEGABYTE / 2)}">`, 1],
    [`<meta name=robots content="${long}">`, 1],
    [`<meta name=description content="${long}">`, 0],
  ];
  for (const [tag, dropped] of cases) {
    assert.deepEqual(extract(`${tag}<a href=y>`), ['y'], tag.slice(0, 20));
    assert.equal(links.dropped, dropped, tag.slice(0, 20));
  }
});

test('many refreshes with a long time', () => {
  for (const content of ['1'.repeat(30_000), `${' '.repeat(30_000)}x`, `1;url${' '.repeat(30_000)}`]) {
    extract(`<meta http-equiv=refresh content="${content}x">`.repeat(200));
    assert.equal(links.count, content.startsWith('1;') ? 200 : 0);
  }
});

test('a list does not keep the memory of a page of long links', () => {
  extract(Buffer.alloc(10 * MEGABYTE, `<a href="${'x'.repeat(30_000)}">`));
  assert.ok(links.bytes.length > 8 * MEGABYTE);
  extract('<a href=x>');
  assert.ok(links.bytes.length <= MEGABYTE);
});

test('a page that takes more memory than there may be costs itself alone', () => {
  const greedy = new LinkList(1);
  // The table of its links would take 2 GB.
  Object.defineProperty(greedy, 'capacity', { value: 2 ** 29 });
  const page = Buffer.from('<a href=x>');
  assert.throws(
    () => extractor.extract(page, page.length, 'text/html', greedy),
    (error) => error instanceof DrumlineError && error.code === 'MARKUP' && error.disposition === 'drop-url',
  );
  assert.deepEqual(extract('<a href=y><meta name=drumline content=nofollow><a href=z>'), ['y', 'z']);
  assert.deepEqual([links.count, links.dropped, links.nofollow], [2, 0, true]);
});
