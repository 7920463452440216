import assert from 'node:assert/strict';
import test from 'node:test';
import { LinkExtractor } from '#drumline/parse/link-extractor.js';
import { LinkList } from '#drumline/parse/link-list.js';

const extractor = await LinkExtractor.load();
const links = new LinkList();

function linksRead(): string[] {
  return Array.from({ length: links.count }, (_, i) =>
    Buffer.from(links.bytes.subarray(links.start(i), links.ends[i])).toString(),
  );
}

function charset(page: string | readonly number[], contentType = 'text/html', isXml = false): string {
  const body = typeof page === 'string' ? Buffer.from(page, 'latin1') : Uint8Array.from(page);
  const type = isXml ? contentType.replace('text/html', 'application/xhtml+xml') : contentType;
  extractor.extract(body, body.length, type, links);
  return links.encoding;
}

test('a byte order mark comes first, then the header, then the page', () => {
  const meta = '<meta charset=koi8-r>';
  assert.equal(charset(`\xef\xbb\xbf${meta}`, 'text/html; charset=big5'), 'utf-8');
  assert.equal(charset(`\xfe\xff${meta}`, 'text/html; charset=big5'), 'utf-16be');
  assert.equal(charset(`\xff\xfe${meta}`, 'text/html; charset=big5'), 'utf-16le');
  assert.equal(charset(meta, 'text/html; charset=big5'), 'big5');
  assert.equal(charset(meta, 'text/html;Charset = "Shift_JIS"; x=y'), 'shift_jis');
  assert.equal(charset(meta, 'text/html; charset=nonsense'), 'koi8-r');
  assert.equal(charset(meta), 'koi8-r');
});

test('labels mean what the Encoding standard says', () => {
  const cases: [string, string][] = [
    ['latin1', 'windows-1252'],
    ['ISO-8859-1', 'windows-1252'],
    ['us-ascii', 'windows-1252'],
    ['UTF8', 'utf-8'],
    ['sjis', 'shift_jis'],
    ['gb2312', 'gbk'],
    ['iso-8859-9', 'windows-1254'],
  ];
  for (const [label, expected] of cases) {
    assert.equal(charset('', `text/html; charset=${label}`), expected, label);
    assert.equal(charset(`<meta charset="${label}">`), expected, label);
  }
});

test('the prescan of the first 1,024 bytes goes by the steps of the HTML standard', () => {
  const cases: [string, string][] = [
    ['<meta charset="koi8-r">', 'koi8-r'],
    ["<META  CHARSET = 'koi8-r' >", 'koi8-r'],
    ['<meta/charset=koi8-r/>', 'koi8-r/'],
    ['<meta http-equiv=Content-Type content="text/html; charset=koi8-r">', 'koi8-r'],
    ['<meta content="text/html; charset=koi8-r" http-equiv=content-type>', 'koi8-r'],
    ['<meta http-equiv=content-type content="charset=\'koi8-r\'">', 'koi8-r'],
    ['<meta content="text/html; charset=koi8-r">', ''],
    ['<meta http-equiv=refresh content="text/html; charset=koi8-r">', ''],
    ['<meta charset=nonsense><meta charset=koi8-r>', 'koi8-r'],
    ['<meta charset=koi8-r charset=big5>', 'koi8-r'],
    ['<metacharset=koi8-r>', ''],
    // A page that could be read so far is not in UTF-16.
    ['<meta charset=utf-16le>', 'utf-8'],
    ['<meta charset=x-user-defined>', 'windows-1252'],
    // Comments, other tags and declarations are skipped, scripts are not.
    ['<!-- <meta charset=koi8-r> -->', ''],
    ['<!--><meta charset=koi8-r>', 'koi8-r'],
    ['<p title="<meta charset=koi8-r>">', ''],
    ["<p title='>'><meta charset=koi8-r>", 'koi8-r'],
    ['</p x="<meta charset=koi8-r>">', ''],
    ['<!DOCTYPE <meta charset=koi8-r>', ''],
    ['<?x <meta charset=koi8-r>', ''],
    ['<script><meta charset=koi8-r></script>', 'koi8-r'],
    ['< meta charset=koi8-r><1 <meta charset=big5>', 'big5'],
    // Cut short.
    ['<meta charset=koi8-r', 'koi8-r'],
    ['<meta charset', ''],
    ['<meta', ''],
    [`${' '.repeat(1024)}<meta charset=koi8-r>`, ''],
  ];
  for (const [page, expected] of cases) {
    // Behind the page, bytes that tell windows-1252 from nothing found.
    const found = charset(`${page}${' '.repeat(1100)}\xff`);
    const encoding = expected === '' || expected.endsWith('/') ? 'windows-1252' : expected;
    assert.equal(found, encoding, page.trim());
  }
});

test('a page that says nothing is UTF-8 where it can be', () => {
  assert.equal(charset('plain'), 'utf-8');
  assert.equal(charset([0x61, 0xc3, 0xa9]), 'utf-8');
  assert.equal(charset([0x61, 0xe9, 0x62]), 'windows-1252');
  // Cut inside a character by the bound on a page's size.
  assert.equal(charset([0x61, 0xc3]), 'utf-8');
  assert.equal(charset([0x61, 0xf0, 0x9f, 0x98]), 'utf-8');
  assert.equal(charset([0xff]), 'windows-1252');
  assert.equal(charset([]), 'utf-8');
});

test('in XHTML the XML declaration tells', () => {
  const xml = (page: string, type = 'application/xhtml+xml') => charset(page, type, true);
  assert.equal(xml('<?xml version="1.0" encoding="koi8-r"?>'), 'koi8-r');
  assert.equal(xml("<?xml version='1.0'\n encoding = 'KOI8-R' standalone='yes'?>"), 'koi8-r');
  assert.equal(xml('<?xml version="1.0" encoding="UTF-16"?>'), 'utf-8');
  assert.equal(xml('<?xml version="1.0"?><meta charset="koi8-r"/>\xff'), 'utf-8');
  assert.equal(xml('<?xml encoding="big5"?>', 'application/xhtml+xml; charset=koi8-r'), 'koi8-r');
  assert.equal(xml('\xef\xbb\xbf<?xml version="1.0" encoding="koi8-r"?>'), 'utf-8');
});

test('a large page that is decoded first is the same in pieces as whole', () => {
  const odd = ['a', 'ü', '中', '\u{1f600}', 'b\u{1f601}'];
  const markup = Array.from(
    { length: 40_000 },
    (_, i) => `<a href="/${odd[i % 5]}${odd[i % 3]}${i % 100}">`,
  ).join('');
  for (const before of ['', 'a', 'aa', 'aaa']) {
    const utf16 = Buffer.from(before + markup, 'utf16le');
    extractor.extract(utf16, utf16.length, 'text/html; charset=utf-16le', links);
    const inPieces = linksRead();
    const utf8 = Buffer.from(before + markup);
    extractor.extract(utf8, utf8.length, 'text/html; charset=utf-8', links);
    assert.ok(inPieces.length > 1000);
    assert.deepEqual(inPieces, linksRead());
  }
});
