import assert from 'node:assert/strict';
import test from 'node:test';
import { LinkExtractor } from '#drumline/parse/link-extractor.js';
import { LinkList } from '#drumline/parse/link-list.js';

const ours = await LinkExtractor.load('Drumline');
const links = new LinkList();

function directives(page: string, robotsTag = '', contentType = 'text/html', extractor = ours): string {
  const body = new TextEncoder().encode(page);
  extractor.extract(body, body.length, contentType, links, { robotsTag, link: '' });
  return [links.nofollow ? 'nofollow' : '', links.noindex ? 'noindex' : ''].filter(Boolean).join(' ');
}

test('meta elements for all crawlers and for this one', () => {
  const cases: [string, string][] = [
    ['<meta name=robots content=nofollow>', 'nofollow'],
    ['<META NAME="ROBOTS" CONTENT="NoIndex, NoFollow">', 'nofollow noindex'],
    ['<meta content=" noindex ,follow" name=robots>', 'noindex'],
    ['<meta name=robots content=none>', 'nofollow noindex'],
    ['<meta name=drumline content=nofollow>', 'nofollow'],
    ['<meta name=DrumLine content=noindex>', 'noindex'],
    ['<meta name=r&#111;bots content=n&#111;ne>', 'nofollow noindex'],
    ['<meta name=robots content=nofollow><meta name=robots content=noindex>', 'nofollow noindex'],
    ['<meta name=robots content="index, follow, all, max-snippet:0">', ''],
    ['<meta name=otherbot content=none>', ''],
    ['<meta property=robots content=none>', ''],
    ['<meta name=robots>', ''],
    ['<!-- <meta name=robots content=none> -->', ''],
  ];
  for (const [page, expected] of cases) assert.equal(directives(page), expected, page);
});

test('X-Robots-Tag headers for all crawlers and for this one', () => {
  const cases: [string, string][] = [
    ['nofollow', 'nofollow'],
    ['noindex, nofollow', 'nofollow noindex'],
    ['NONE', 'nofollow noindex'],
    ['noarchive, noindex', 'noindex'],
    ['drumline: nofollow', 'nofollow'],
    ['Drumline : noindex, nofollow', 'nofollow noindex'],
    ['otherbot: noindex, nofollow', ''],
    ['otherbot: noindex, drumline: nofollow', 'nofollow'],
    ['drumline: nofollow, otherbot: noindex', 'nofollow'],
    ['nofollow, otherbot: none', 'nofollow'],
    ['unavailable_after: 25 Jun 2010 15:00:00 PST, noindex', 'noindex'],
    ['max-snippet: 0, max-image-preview: none, nofollow', 'nofollow'],
    ['', ''],
  ];
  for (const [value, expected] of cases) assert.equal(directives('', value), expected, value);
  assert.equal(directives('<meta name=robots content=noindex>', 'nofollow'), 'nofollow noindex');
});

test('a user agent with a version is named without it', async () => {
  for (const agent of ['MyBot/2.0', 'mybot/2.0 (+https://example.org/)', 'MyBot']) {
    const extractor = await LinkExtractor.load(agent);
    const said = (page: string, header = '') => directives(page, header, 'text/html', extractor);
    assert.equal(said('', 'mybot: nofollow'), 'nofollow', agent);
    assert.equal(said('', 'MyBot/2.0: nofollow'), 'nofollow', agent);
    assert.equal(said('', 'bot: nofollow, mybots: noindex, my: none'), '', agent);
    assert.equal(said('<meta name=mybot content=none>'), 'nofollow noindex', agent);
    assert.equal(said('<meta name=mybots content=none>'), '', agent);
  }
  const numbered = await LinkExtractor.load('bot3/1');
  for (const name of ['bot3', 'bot'])
    assert.equal(directives(`<meta name=${name} content=nofollow>`, '', 'text/html', numbered), 'nofollow');
});

test('each X-Robots-Tag line stands for itself', () => {
  assert.equal(directives('', 'otherbot: noarchive\nnofollow'), 'nofollow');
  assert.equal(directives('', 'otherbot: none, noindex\nnofollow\ndrumline: noarchive'), 'nofollow');
  assert.equal(directives('', 'drumline: nofollow\notherbot: noindex'), 'nofollow');
});

test('headers count for what is not markup too', () => {
  assert.equal(directives('%PDF', 'noindex', 'application/pdf'), 'noindex');
  assert.equal(directives('', '', 'text/html'), '', 'and are forgotten with the next page');
});
