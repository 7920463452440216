import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { openWeb } from '#drumline/web/open-web.js';
import { summariseWeb } from '#drumline/web/summarise-web.js';
import { fetchText } from './fetch-text.js';

const SPEC = 'synthetic:pages=500,sites=10,dead=0.05,redirects=0.05';

function digest(spec: string): string {
  const web = openWeb(spec);
  const fetcher = web.fetcher();
  const hash = createHash('sha256');
  for (const seed of web.seeds()) hash.update(seed);
  for (let page = 0; page < web.truth!.pages; page++)
    hash.update(fetchText(fetcher, web.truth!.urlOf(page)).text);
  return hash.digest('hex').slice(0, 16);
}

test('the same spec is the same web, on every machine', () => {
  assert.equal(digest(SPEC), 'bbbd60b19c1d68e3');
  assert.equal(digest(SPEC), digest(SPEC));
  assert.notEqual(digest(SPEC), digest(`${SPEC},seed=2`));
});

test('a page does not depend on what was fetched before', () => {
  const web = openWeb(SPEC);
  const fetcher = web.fetcher();
  const forward = Array.from({ length: 500 }, (_, page) => fetchText(fetcher, web.truth!.urlOf(page)).text);
  for (let page = 499; page >= 0; page--) {
    assert.equal(fetchText(fetcher, web.truth!.urlOf(page)).text, forward[page]);
  }
  assert.equal(new Set(forward).size, 500);
});

test('sizes vary around the mean, and the summary knows them', () => {
  for (const spec of ['synthetic:pages=2000,sites=10', 'synthetic:pages=300,sites=5,size=700,links=6']) {
    const web = openWeb(spec);
    const fetcher = web.fetcher();
    const sizes: number[] = [];
    for (let page = 0; page < web.truth!.pages; page++) {
      sizes.push(fetchText(fetcher, web.truth!.urlOf(page)).text.length);
    }
    const bytes = sizes.reduce((sum, size) => sum + size, 0);
    const summary = summariseWeb(web)!;
    assert.equal(summary.bytes, bytes);
    assert.equal(summary.pages, sizes.length);
    if (spec.includes('size')) continue;
    assert.ok(Math.abs(bytes / sizes.length - 22_300) < 500, `${bytes / sizes.length}`);
    assert.ok(Math.min(...sizes) < 7000 && Math.max(...sizes) > 37_000 && Math.max(...sizes) <= 39_025);
  }
});

test('links and decoys come in every form', () => {
  const web = openWeb(SPEC);
  const fetcher = web.fetcher();
  let all = '';
  for (let page = 0; page < 500; page++) all += fetchText(fetcher, web.truth!.urlOf(page)).text;
  const forms = [
    ...[
      /<a href="\/[a-z]/,
      /<a href="\.\.\/\.\.\//,
      /<a href="\.\/[a-z]/,
      /<a href="\.\/\?/,
      /<a href="[a-z]+\//,
      /<a href="\/\//,
    ],
    ...[
      /"HTTPS?:\/\/[A-Z0-9.-]+\//,
      /\?[^"'> ]*&amp;/,
      /\?[^"'> ]*&#38;/,
      /\?[^"'> ]*&[a-z]+=/,
      /#top"/,
      /href='/,
      /href=[^"' ]+\/>/,
    ],
    ...[
      /<A HREF="/,
      /HREF = '/,
      /<a\n {2}title="1 > 0"\n/,
      /href=" {2}/,
      /<area [^>]*href=/,
      /<iframe [^>]*src=/,
      /<a href=[^"' ]+>/,
    ],
    ...[
      /<script>"<a href=\/decoy/,
      /<STYLE>/,
      /<!-- <a href="\/decoy/,
      /<textarea><a href/,
      /<title>[^<]*<a href/,
      /\na href="\/decoy|[a-z ]a href="\/decoy/,
    ],
    ...[/href="mailto:/, /href="javascript:/, /<img src="\/decoy/, /&eacute;/, /&#8212;/],
  ];
  for (const form of forms) assert.match(all, form);
  const tags = all.match(/<[a-z/!]/gi)!.length;
  assert.ok(all.length / tags > 60 && all.length / tags < 100, `one tag in ${all.length / tags} bytes`);
});

test('a link that was made shorter does not break into the markup behind it', () => {
  const web = openWeb('synthetic:pages=50000,sites=1000,seed=3');
  const fetcher = web.fetcher();
  for (const url of [
    'http://www.lantern15x.example/archive/old/post-303.htm',
    'http://library815.org.example/products/archive/12/index.html',
  ]) {
    const { text } = fetchText(fetcher, url);
    assert.equal(text.match(/<textarea>/g)?.length, text.match(/<\/textarea>/g)?.length, url);
  }
});

test('the navigation of a site is the same on all its pages', () => {
  const web = openWeb('synthetic:pages=300,sites=3,redirects=0.3');
  const fetcher = web.fetcher();
  const blocks = new Map<string, Set<string>>();
  for (let page = 0; page < 300; page++) {
    const url = web.truth!.urlOf(page);
    const block = fetchText(fetcher, url)
      .text.match(/<li class="nav">.*\n/g)!
      .join('');
    const host = new URL(url).host;
    blocks.set(host, (blocks.get(host) ?? new Set()).add(block));
  }
  assert.equal(blocks.size, 3);
  for (const set of blocks.values()) assert.equal(set.size, 1);
});

test('redirects have every status, and relative and whole locations', () => {
  const web = openWeb('synthetic:pages=100,sites=1');
  const fetcher = web.fetcher();
  const answers = Array.from({ length: 100 }, (_, j) =>
    fetchText(fetcher, new URL(`/go/1/${j}`, web.truth!.urlOf(0)).href),
  );
  assert.deepEqual([...new Set(answers.map(({ status }) => status))].sort(), [301, 302, 307, 308]);
  for (const form of [/^https?:\/\//, /^\/[a-z]/, /^\.\.\/\.\.\//]) {
    assert.ok(
      answers.some(({ location }) => form.test(location)),
      String(form),
    );
  }
});

test('robots.txt is there for the share of the sites asked for', () => {
  const web = openWeb('synthetic:pages=3000,sites=1000,robots=0.3,size=100,links=1');
  const fetcher = web.fetcher();
  const sites = new Set(
    Array.from({ length: 3000 }, (_, page) => new URL('/robots.txt', web.truth!.urlOf(page)).href),
  );
  const found = [...sites].map((url) => fetchText(fetcher, url)).filter(({ status }) => status === 200);
  assert.ok(Math.abs(found.length - 300) < 40, `${found.length} of ${sites.size}`);
  for (const { text, contentType, pageNumber } of found) {
    assert.match(text, /User-agent: otherbot\nDisallow: \/\n/);
    assert.match(text, /user-agent: \*\n/i);
    assert.deepEqual([contentType, pageNumber], ['text/plain', -1]);
  }
});
