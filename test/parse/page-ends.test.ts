/** Bytes are searched 16 and 32 at a time, beyond the end of what they are: what lies there must not count. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { UrlList } from '#drumline/model/url-list.js';
import { LinkExtractor } from '#drumline/parse/link-extractor.js';
import { LinkList } from '#drumline/parse/link-list.js';
import { UrlCanonicaliser } from '#drumline/parse/url-canonicaliser.js';
import { Random } from '#drumline/simulate/random.js';

const SEED = Number(process.env['DRUMLINE_SEED'] ?? 1);
/** What a page may be made of, and may be cut in. */
const PIECES = (
  '<a href=" <a href=\' <a href= <A\thref="/x">  > < </ </a> <!-- --> --!> <! <? ?> " \' = / & &amp; &#38; &am # ? %2e ../ ' +
  '<script> </script> </script <!--<script> <title> </title <svg> <![CDATA[ ]]> </svg> <select> </select> <base href=/b/> rel=nofollow ' +
  '<meta charset=koi8-r> <meta http-equiv=refresh content="1;url=/y"> <link rel=next href= name é \r \0 http://h.example:80/ //o.example'
).split(' ');
/** What may lie behind it: left over from a page before. */
const LEFT_OVER = ['<a href="/never">', '">\'>', '"\'=- ', '-->]]>?>', '</script></title>', 'amp;a=b', '\0'];

function page(random: Random): Buffer {
  const text = Array.from({ length: 1 + random.below(12) }, () => random.pick(PIECES)).join(
    random.pick(['', ' ']),
  );
  const bytes = Buffer.from(text);
  return bytes.subarray(0, bytes.length - random.below(4));
}

test('a page is read as it is, whatever page was read before', async () => {
  const random = new Random(SEED);
  const extractor = await LinkExtractor.load();
  const list = new LinkList(1000, false);
  const said = (bytes: Buffer, type: string): unknown => {
    extractor.extract(bytes, bytes.length, type, list);
    const { base, baseLength, count, dropped, encoding, repeated } = list;
    const kinds = [...list.kinds.subarray(0, count)];
    return [
      list.toStrings(),
      kinds,
      dropped,
      repeated,
      encoding,
      baseLength,
      [...base.subarray(0, baseLength)],
    ];
  };
  for (let round = 0; round < 4000; round++) {
    const bytes = page(random);
    const type = random.pick(['text/html', 'text/html; charset=utf-8', 'application/xhtml+xml']);
    const answers = [random.pick(LEFT_OVER), random.pick(LEFT_OVER)].map((text) => {
      said(Buffer.from(text.repeat(40)), 'text/html');
      return said(bytes, type);
    });
    assert.deepEqual(
      answers[0],
      answers[1],
      `seed ${SEED}, round ${round}: ${JSON.stringify(bytes.toString('latin1'))}`,
    );
  }
});

test('a link leads where it leads, whatever link was resolved before', () => {
  const random = new Random(SEED);
  const canonicaliser = new UrlCanonicaliser();
  const base = Buffer.from('http://host.example/dir/page.html?q');
  const resolved = (href: Buffer): unknown => {
    const urls = new UrlList(1);
    canonicaliser.setBase(base, 0, base.length);
    canonicaliser.resolve(href, 0, href.length, urls);
    return [urls.toStrings(), [...urls.keys], [...urls.siteKeys], urls.hostStarts[0], urls.hostEnds[0]];
  };
  for (let round = 0; round < 4000; round++) {
    const href = page(random);
    const answers = ['/.%2e#?', 'abc:@/..', '\u00e9\0 '].map((text) => {
      resolved(Buffer.from(text.repeat(40)));
      return resolved(href);
    });
    for (const answer of answers.slice(1))
      assert.deepEqual(
        answer,
        answers[0],
        `seed ${SEED}, round ${round}: ${JSON.stringify(href.toString('latin1'))}`,
      );
  }
});
