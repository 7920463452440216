/** Sites without end: each ends by its rule, and the reason is written down. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { response } from '../web/http/raw-server.js';
import { httpCrawl } from './http-crawl.js';
import { assertGood, goodSite, links, localWeb, pages, type Site } from './http-local-web.js';

/** Every month leads to the next, and to its days. */
const calendar: Site = (socket, path, web) => {
  const month = /^\/month\/(\d+)/.exec(path);
  if (month === null) pages({ '/': links('/month/1') })(socket, path, web);
  else {
    const days = [1, 2, 3].map((day) => `/month/${month[1]}/day/${day}`);
    socket.write(response(links(`/month/${Number(month[1]) + 1}`, ...days)));
  }
};

/** Each page gives its links a new session. */
function sessions(): Site {
  let session = 0;
  return (socket, path, web) => {
    if (path === '/robots.txt') pages({})(socket, path, web);
    else socket.write(response(links(`/s/${++session}/home`, `/s/${++session}/shop`)));
  };
}

/** Relative links that grow with each page. */
const growing: Site = (socket, path, web) => {
  if (path === '/robots.txt') pages({})(socket, path, web);
  else socket.write(response(links('deeper/', `${'longer'.repeat(50)}/`)));
};

const unique: Site = (socket, path, web) => {
  if (path === '/robots.txt') pages({})(socket, path, web);
  else socket.write(response(links(`/q?n=${Number(path.slice(5) || 0) + 1}`)));
};

test('calendars, sessions, growing paths and endless chains end by pages, depth and trap rules', async (t) => {
  const web = await localWeb(t, { calendar, sessions: sessions(), growing, unique, good: goodSite });
  const hosts = ['calendar', 'sessions', 'growing', 'unique', 'good'];
  const crawl = await httpCrawl(
    t,
    hosts.map((host) => web.url(host)),
    {
      'pages-per-site': '60',
      'depth-per-site': '40',
    },
  );
  assertGood(crawl, web);
  const pagesOf = (host: string): number => crawl.pages.filter((url) => url.startsWith(web.url(host))).length;
  assert.equal(pagesOf('calendar'), 60);
  assert.equal(pagesOf('sessions'), 60);
  assert.equal(pagesOf('unique'), 41);
  assert.ok(pagesOf('growing') <= 60);
  const reasons = (host: string): Set<string> =>
    new Set(
      crawl.log
        .filter(({ url, kind }) => url.startsWith(web.url(host)) && kind === 'url')
        .map(({ reason }) => reason!),
    );
  assert.deepEqual(reasons('calendar'), new Set(['PAGES_PER_SITE']));
  assert.deepEqual(reasons('sessions'), new Set(['PAGES_PER_SITE']));
  assert.ok(reasons('growing').has('TRAP_REPEATED_SEGMENT'));
  assert.ok(crawl.report.errors['DEPTH_PER_SITE']! > 0);
  assert.match(
    crawl.command('why', web.url('growing', '/deeper/deeper/deeper/deeper/')),
    /given up: .*TRAP_REPEATED_SEGMENT/,
  );
});

test('of a page with 100,000 links so many are taken as the rule says', async (t) => {
  const hrefs = Array.from({ length: 100_000 }, (_, i) => `/${i}`);
  const markup = links(...hrefs);
  const web = await localWeb(t, { many: pages({ '/': markup, '/0': 'good' }), good: goodSite });
  const crawl = await httpCrawl(t, [web.url('many'), web.url('good')], {
    'pages-per-site': '12',
    timeout: '20s',
  });
  assertGood(crawl, web);
  assert.equal(crawl.last(web.url('many')).bytes, markup.length);
  // All but the first are not there.
  assert.equal(crawl.report.errors['HTTP_404'], 5999);
  assert.equal(crawl.report.errors['LINKS_DROPPED'], 94_000);
});
