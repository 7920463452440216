/** Crawls of sites with sitemaps that stop while one is read. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { CrawlDirectory } from '#drumline/model/crawl-directory.js';
import { response } from '../web/http/raw-server.js';
import { QUICK } from './http-crawl.js';
import { goodSite, localWeb, pages, type Site } from './http-local-web.js';
import { resumeIn, runCrawlIn } from './run-crawl.js';

const URLS = 300;
/** Reading it takes some hundred milliseconds, and its URLs come last. */
const PADDING = '<url></url>'.repeat(1 << 20);

test('a gzipped sitemap that was being read when a crawl stopped is read after resume', async (t) => {
  let isMapAsked = false;
  let later = 0;
  let stop = (): void => {};
  const mapped: Site = (socket, path, web) => {
    const locations = Array.from(
      { length: URLS },
      (_, i) => `<url><loc>${web.url('mapped', `/m${i}`)}</loc></url>`,
    );
    isMapAsked ||= path === '/map.xml.gz';
    if (/^\/m\d+$/.test(path)) socket.write(response('a page'));
    else
      pages({
        '/robots.txt': response(`sitemap: ${web.url('mapped', '/map.xml.gz')}`, 'content-type: text/plain'),
        '/': 'no links',
        '/map.xml.gz': response(gzipSync(`<urlset>${PADDING}${locations.join('')}</urlset>`)),
      })(socket, path, web);
  };
  const good: Site = (socket, path, web) => {
    goodSite(socket, path, web);
    // What was answered before these is read by now.
    if (isMapAsked && ++later === 4) stop();
  };
  const web = await localWeb(t, { mapped, good });
  const path = mkdtempSync(join(tmpdir(), 'drumline-sitemap-'));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  const directory = new CrawlDirectory(path);
  const given = { ...QUICK, agents: '1', 'host-delay': '30ms' };
  const first = await runCrawlIn(directory, given, [web.url('mapped'), web.url('good')], (run) => {
    stop = () => run.requestStop('interrupted');
  });
  assert.equal(first.report.outcome, 'interrupted');
  const fetched = (): number => new Set(web.asked.filter((asked) => /^mapped\/m\d+$/.test(asked))).size;
  assert.equal(fetched(), 0, 'stopped before its URLs were known');
  const report = await resumeIn(directory, { ...given, 'host-delay': '0s' });
  assert.equal(report.outcome, 'exhausted');
  assert.equal(fetched(), URLS);
});
