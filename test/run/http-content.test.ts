/** TLS and character sets, as a crawl meets them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeCertificate } from '../web/http/make-certificate.js';
import { response } from '../web/http/raw-server.js';
import { httpCrawl } from './http-crawl.js';
import { assertGood, goodSite, links, localWeb, pages } from './http-local-web.js';

test('certificates that are expired or self-signed end a site, unless --insecure', async (t) => {
  const site = pages({ '/': links('/page'), '/page': 'page' });
  const name = 'secure.localhost';
  const authority = makeCertificate({ name: 'Unknown authority' });
  const certificates = {
    expired: makeCertificate({
      name,
      hosts: [name],
      issuer: authority,
      notBefore: new Date('2020-01-01'),
      notAfter: new Date('2021-01-01'),
    }),
    selfSigned: makeCertificate({ name, hosts: [name] }),
  };
  const good = await localWeb(t, { good: goodSite });
  for (const [kind, { cert, key }] of Object.entries(certificates)) {
    const web = await localWeb(t, { secure: site }, { cert, key });
    const seeds = [web.url('secure'), good.url('good')];
    const strict = await httpCrawl(t, seeds);
    assertGood(strict, good);
    assert.equal(strict.last(web.url('secure', '/robots.txt')).reason, 'TLS', kind);
    assert.equal(strict.last(web.url('secure')).reason, 'ROBOTS_UNREACHABLE', kind);
    assert.deepEqual(web.asked, [], kind);
    const insecure = await httpCrawl(t, seeds, { insecure: null });
    assertGood(insecure, good);
    assert.equal(insecure.last(web.url('secure', '/page')).status, 200, kind);
  }
});

test('links are read in the encoding that the page has, whatever the header says', async (t) => {
  const little = (text: string): Buffer =>
    Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);
  const html = (charset: string): string => `content-type: text/html; charset=${charset}`;
  const web = await localWeb(t, {
    c: pages({
      '/': links('/utf16', '/big', '/wrong', '/unknown', '/latin'),
      '/utf16': response(little(links('/from-utf16-ä')), html('utf-8')),
      '/big': response(little(links('/from-big')).swap16(), 'content-type: text/html'),
      '/wrong': response(links('/from-wrong'), html('utf-16le')),
      '/unknown': response(links('/from-unknown'), html('klingon')),
      '/latin': response(Buffer.from(links('/from-latin-ä?q=ä'), 'latin1'), html('iso-8859-1')),
    }),
    good: goodSite,
  });
  const crawl = await httpCrawl(t, [web.url('c'), web.url('good')]);
  assertGood(crawl, web);
  const found = web.asked.filter((asked) => asked.startsWith('c/from-')).sort();
  // A page in single bytes that is said to be UTF-16 reads as no markup at all.
  assert.deepEqual(found, [
    'c/from-big',
    'c/from-latin-%C3%A4?q=%E4',
    'c/from-unknown',
    'c/from-utf16-%C3%A4',
  ]);
  assert.equal(crawl.last(web.url('c', '/wrong')).status, 200);
});
