/** Pages whose markup is the trap: what is not closed, what is nested, and what is written in odd characters. */
import { BODY_BYTES, HTML, numbers, once, page, repeated, type Trap } from './answer.js';

const XHTML = 'content-type: application/xhtml+xml\r\n';
const XHTML_START = '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><body>';
const LEVELS = 500_000;
const MANY = 1_000_000;
const LONG_LINK = 'x'.repeat(2_000_000);

const entities = numbers(30, (i) => `<!ENTITY e${i + 1} "${`&e${i};`.repeat(10)}">`);

export const MARKUP: Readonly<Record<string, Trap>> = {
  'unclosed-tag': repeated('<p><div ', 'word '),
  'unclosed-attribute': repeated('<p><a href="/', 'x'),
  'many-attributes': repeated('<p><a ', 'href=/x alt="<a>" '),
  'unclosed-comment': repeated('<p><!-- ', '<a href=/x> '),
  'comment-almost-ends': repeated('<p><!-- ', '-- > --!- '),
  'script-almost-ends': repeated('<script>', '</scrip </scriptx> <!--<script '),
  'cdata-almost-ends': repeated(`${XHTML_START}<![CDATA[`, ']] >]', XHTML),
  'entity-bomb': once(() => ({
    head: XHTML,
    body: Buffer.from(
      `<?xml version="1.0"?><!DOCTYPE html [<!ENTITY e0 "lol">${entities}]><html><a href="/&e30;">&e30;</a></html>`,
    ),
  })),
  'nested-blocks': once(() => page('<div>'.repeat(LEVELS))),
  'nested-links': once(() => page(`${'<a href=/x><b><i>'.repeat(LEVELS)}`)),
  'million-links': once(() => page(numbers(MANY, (i) => `<a href=/${i}>`))),
  'long-links': once(() => page(numbers(4, (i) => `<a href="/${i}${LONG_LINK}">${i}</a>`))),
  'nul-octets': repeated('<p>', '<a href="/a\0b">\0\0\0\0</a>\0'),
  'character-references': repeated('<p><a href="/', '&amp;&#x61;&notit;&CounterClockwiseContourIntegral;'),
  'utf-16': once(() => ({
    head: 'content-type: text/html; charset=utf-16\r\n',
    body: Buffer.from(
      `\ufeff<title>16</title>${'<a href="/ü">\u4e2d</a> '.repeat(BODY_BYTES / 36)}`,
      'utf16le',
    ),
  })),
  'iso-2022-jp': repeated(
    '<p>',
    '\x1b$B$"\x1b(B<a href="/\x1b$B$$\x1b(B">',
    'content-type: text/html; charset=iso-2022-jp\r\n',
  ),
  'wrong-charset': once(() => ({
    head: HTML,
    body: Buffer.alloc(
      BODY_BYTES,
      Buffer.from('<meta charset=gb18030><a href="/\x81\x30\x81\xff\xfe\xc0">', 'latin1'),
    ),
  })),
};
