/** The fast way against the `URL` class, on generated pairs of base and link, from ordinary to malicious. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { canonicalUrl } from '#drumline/model/canonical-url.js';
import { writeKey } from '#drumline/model/key.js';
import { UrlList } from '#drumline/model/url-list.js';
import { UrlCanonicaliser } from '#drumline/parse/url-canonicaliser.js';

const PAIRS = Number(process.env['DRUMLINE_URL_PAIRS'] ?? 100_000);
const SEED = Number(process.env['DRUMLINE_SEED'] ?? 1);

let state = SEED;
function below(bound: number): number {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 4294967296) * bound);
}
function pick<T>(from: readonly T[]): T {
  return from[below(from.length)]!;
}

const SCHEMES = [
  'http://',
  'https://',
  'HTTP://',
  'hTtPs://',
  'http:/',
  'https:',
  'http:',
  'http:///',
  'http:\\\\',
];
const OTHER_SCHEMES = [
  'ftp://',
  'javascript:',
  'mailto:',
  'data:',
  'ws://',
  'file:///',
  'about:',
  'x+y-z.1:',
  'h\tttp://',
];
const HOSTS = (
  'example.org Example.ORG www.example.co.uk a localhost sub-domain.example.org a--b.org xn--mnchen-3ya.de xn--a ' +
  'XN--MNCHEN-3YA.de münchen.de 127.0.0.1 0x7f.1 1.2.3 256.1.1.1 example.1 example.0x1g example.org. example..org .org ' +
  'a.b.c.d.e.f under_score.org [::1] [::ffff:1.2.3.4] [bad ex%41mple.org ex%00.org exa<mple.org a@b user:pw@example.org ' +
  'faß.de ☃.net ％41.com 1e2.org 1.org example.2com -a.org a-.org'
).split(' ');
const PORTS = [
  '',
  '',
  '',
  '',
  '',
  ':80',
  ':443',
  ':8080',
  ':',
  ':0',
  ':00080',
  ':65535',
  ':65536',
  ':8a',
  ':-1',
  ':80:80',
];
const SEGMENTS = (
  'a index.html some-page_1 .. . ... .hidden ..x x.. %2e %2E%2e .%2e %2f %zz % a;b=c a,b (x) ~user @me a:b a=b a+b $1 ! * ' +
  '\' " < > ` { } | ^ [ ] \\ é 日本 %C3%A9 \u{1f600} \u0001 \u007f \ufeff'
).split(' ');
const QUERIES = [
  'a=1',
  'a=1&b=2',
  '',
  "it's",
  'x y',
  'é',
  '%zz',
  '?',
  '/../',
  '"',
  '<>',
  '[]',
  '{}|\\^`',
  '&amp;',
  '\u{1f600}',
  '\0',
];
const ODD = [
  ' ',
  '\t',
  '\n',
  '\r',
  '\f',
  '\0',
  '\u00a0',
  '#',
  '?',
  '/',
  '\\',
  ':',
  '@',
  '%',
  '.',
  'é',
  '\u0001',
  '\u001f',
];

function path(): string {
  let text = '';
  for (let left = below(6); left > 0; left--)
    text += pick(SEGMENTS) + (below(8) === 0 ? '' : pick(['/', '/', '/', '//', '\\']));
  return text;
}
function tail(): string {
  return (
    (below(3) === 0 ? `?${pick(QUERIES)}${pick(QUERIES)}` : '') + (below(4) === 0 ? `#${pick(QUERIES)}` : '')
  );
}
function plainPath(): string {
  let text = '';
  for (let left = below(5); left > 0; left--)
    text += `${pick(['a', 'news', '2013', 'page-1.html', 'x_y', '..', '.', 'A.B'])}/`;
  return text + pick(['', 'index.html', 'a', '..', '.']);
}
function href(): string {
  let text: string;
  switch (below(12)) {
    case 0:
      text = pick(SCHEMES) + pick(HOSTS) + pick(PORTS) + pick(['', '/']) + path() + tail();
      break;
    case 1:
      text = `//${pick(HOSTS)}${pick(PORTS)}${pick(['', '/'])}${path()}${tail()}`;
      break;
    case 2:
      text = pick(OTHER_SCHEMES) + pick(HOSTS) + path() + tail();
      break;
    case 3:
      text = `/${path()}${tail()}`;
      break;
    case 4:
      text = path() + tail();
      break;
    case 5:
      text = tail();
      break;
    case 6:
      text = `${pick(['/', '', '../', './', '../../'])}${'x'.repeat(below(2100))}${tail()}`;
      break;
    case 7:
    case 8:
      text = `${pick(['http://', 'https://'])}${pick(HOSTS.slice(0, 6))}${pick(PORTS.slice(0, 8))}/${plainPath()}${tail()}`;
      break;
    default:
      text = `${pick(['/', ''])}${plainPath()}${tail()}`;
  }
  for (let left = below(8) === 0 ? 1 + below(3) : 0; left > 0; left--) {
    const at = below(text.length + 1);
    text = text.slice(0, at) + pick(ODD) + text.slice(at + below(2));
  }
  return text;
}
function base(): string {
  for (;;) {
    const url = canonicalUrl(pick(SCHEMES) + pick(HOSTS) + pick(PORTS) + pick(['', '/']) + path() + tail());
    if (url !== null) return url;
  }
}

test(`the fast way and the URL class agree on ${PAIRS} pairs`, () => {
  const encoder = new TextEncoder();
  const canonicaliser = new UrlCanonicaliser();
  const out = new UrlList(4);
  const key = new Uint32Array(2);
  let crawlable = 0;
  let page = '';
  for (let i = 0; i < PAIRS; i++) {
    if (i % 8 === 0) {
      page = base();
      const bytes = encoder.encode(page);
      canonicaliser.setBase(bytes, 0, bytes.length);
    }
    const link = href();
    const where = `seed ${SEED}, pair ${i}: ${JSON.stringify(link)} on ${JSON.stringify(page)}`;
    const bytes = encoder.encode(link);
    const expected = canonicalUrl(link, page);
    out.clear();
    const found = canonicaliser.resolve(bytes, 0, bytes.length, out);
    assert.equal(found ? out.toStrings()[0]! : null, expected, where);
    if (expected === null) continue;
    crawlable++;
    const host = new TextDecoder().decode(out.bytes.subarray(out.hostStarts[0]!, out.hostEnds[0]!));
    assert.equal(host, new URL(expected).hostname, where);
    writeKey(encoder.encode(expected), key, 0);
    assert.ok(out.keys[0] === key[0] && out.keys[1] === key[1], where);
    writeKey(encoder.encode(host), key, 0);
    assert.ok(out.siteKeys[0] === key[0] && out.siteKeys[1] === key[1], where);
  }
  assert.ok(crawlable > PAIRS / 2, `seed ${SEED}: only ${crawlable} pairs are crawlable`);
});
