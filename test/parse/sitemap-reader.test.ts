import assert from 'node:assert/strict';
import test from 'node:test';
import { gzipSync } from 'node:zlib';
import { DrumlineError } from '#drumline/model/errors.js';
import { type SitemapLimits, SitemapReader, type SitemapSummary } from '#drumline/parse/sitemap-reader.js';

interface Entry {
  readonly loc: string;
  readonly lastModified: string | null;
  readonly isSitemap: boolean;
}

const encoder = new TextEncoder();

async function read(
  body: string | Uint8Array,
  chunkBytes = 1 << 20,
  limits?: SitemapLimits,
): Promise<SitemapSummary & { all: Entry[] }> {
  const bytes = typeof body === 'string' ? encoder.encode(body) : body;
  const all: Entry[] = [];
  const listener = {
    entry(loc: Uint8Array, length: number, time: number, isSitemap: boolean): void {
      const lastModified = Number.isNaN(time) ? null : new Date(time).toISOString();
      all.push({ loc: new TextDecoder().decode(loc.subarray(0, length)), lastModified, isSitemap });
    },
  };
  const chunks = Array.from({ length: Math.ceil(bytes.length / chunkBytes) }, (_, i) =>
    bytes.subarray(i * chunkBytes, (i + 1) * chunkBytes),
  );
  return { ...(await new SitemapReader(listener, limits).read(chunks)), all };
}

function page(loc: string, lastModified: string | null = null): Entry {
  return { loc, lastModified, isSitemap: false };
}

const URLSET = `<?xml version="1.0" encoding="UTF-8"?>
<!-- <url><loc>http://a.example/comment</loc></url> -->
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">
  <url>
    <loc> http://a.example/?x=1&amp;y=2&#38;z=%20é
    </loc>
    <lastmod>2013-07-18</lastmod><changefreq>daily</changefreq>
    <image:image><image:loc>http://a.example/picture.png</image:loc></image:image>
  </url>
  <url><lastmod>2013-07-18T10:20:30.5+02:00</lastmod><loc><![CDATA[http://a.example/?a&b]]></loc></url>
  <url><loc>http://a.example/3</loc><lastmod>yesterday</lastmod></url>
  <url><lastmod>2013</lastmod></url>
  <url><loc></loc></url>
</urlset>`;
const PAGES = [
  page('http://a.example/?x=1&y=2&z=%20é', '2013-07-18T00:00:00.000Z'),
  page('http://a.example/?a&b', '2013-07-18T08:20:30.500Z'),
  page('http://a.example/3'),
];

test('reads the pages of a urlset, however its bytes come in', async () => {
  for (const chunkBytes of [1, 7, 100, 1 << 20]) {
    const { all, entries, dropped, bytes, isCut } = await read(URLSET, chunkBytes);
    assert.deepEqual(all, PAGES, `chunks of ${chunkBytes}`);
    assert.deepEqual({ entries, dropped, isCut }, { entries: 3, dropped: 0, isCut: false });
    assert.equal(bytes, encoder.encode(URLSET).length);
  }
});

test('reads the sitemaps of an index, under a prefix', async () => {
  const { all } = await read(`<sm:sitemapindex xmlns:sm="http://www.sitemaps.org/schemas/sitemap/0.9">
    <sm:sitemap><sm:loc>http://a.example/1.xml.gz</sm:loc><sm:lastmod>2020-02</sm:lastmod></sm:sitemap>
    <sm:url><sm:loc>http://a.example/2</sm:loc></sm:url><loc>http://a.example/3</loc></sm:sitemapindex>`);
  assert.deepEqual(all[0], {
    loc: 'http://a.example/1.xml.gz',
    lastModified: '2020-02-01T00:00:00.000Z',
    isSitemap: true,
  });
  // An entry by another name is none, but its `loc` is not lost.
  assert.deepEqual(
    all.map(({ loc }) => loc),
    ['http://a.example/1.xml.gz', 'http://a.example/2'],
  );
});

test('unpacks gzip, also of several members', async () => {
  const half = URLSET.length >> 1;
  const members = Buffer.concat([gzipSync(URLSET.slice(0, half)), gzipSync(URLSET.slice(half))]);
  for (const packed of [gzipSync(URLSET), members]) {
    for (const chunkBytes of [1, 50, 1 << 20]) assert.deepEqual((await read(packed, chunkBytes)).all, PAGES);
  }
});

test('reads a plain text list', async () => {
  const list =
    '\ufeffhttp://a.example/1\r\n\r\n  HTTPS://a.example/2 \rnonsense\n# comment\nhttp://a.example/é';
  for (const chunkBytes of [1, 1 << 20]) {
    const { all } = await read(list, chunkBytes);
    assert.deepEqual(
      all,
      ['http://a.example/1', 'HTTPS://a.example/2', 'http://a.example/é'].map((loc) => page(loc)),
    );
  }
  assert.deepEqual((await read(gzipSync('http://a.example/1\n'))).all, [page('http://a.example/1')]);
});

test('decodes what is not UTF-8', async () => {
  const utf16 = Buffer.from(`\ufeff${URLSET}`, 'utf16le');
  for (const chunkBytes of [1, 1000]) assert.deepEqual((await read(utf16, chunkBytes)).all, PAGES);
  const latin1 = Buffer.from(URLSET.replace('UTF-8', 'ISO-8859-1'), 'latin1');
  assert.deepEqual((await read(latin1)).all, PAGES);
  const broken = Buffer.concat([
    encoder.encode('<urlset><url><loc>http://a.example/'),
    Buffer.of(0xff, 0xc3),
  ]);
  const whole = Buffer.concat([broken, encoder.encode('</loc></url></urlset>')]);
  assert.deepEqual((await read(whole)).all, [page('http://a.example/\ufffd\ufffd')]);
});

test('finds nothing in other documents', async () => {
  for (const other of [
    '',
    '<html><body><url><loc>http://a.example/</loc></url></body></html>',
    '<rss><channel><link>http://a.example/</link></channel></rss>',
    '%PDF-1.4 http://a.example/',
    '<urlset><url><loc>http://a.example/cut',
  ]) {
    assert.deepEqual((await read(other)).all, [], other);
  }
  assert.deepEqual((await read('<urlset><url><loc>http://a.example/1</loc>')).all, [
    page('http://a.example/1'),
  ]);
});

test('keeps to its bounds, and says what it left out', async () => {
  const many = `<urlset>${'<url><loc>http://a.example/</loc></url>'.repeat(50)}</urlset>`;
  const few = await read(many, 64, { entries: 20, bytes: 1e6 });
  assert.deepEqual([few.entries, few.dropped, few.isCut], [20, 30, false]);
  const cut = await read(gzipSync(many), 64, { entries: 1000, bytes: 1000 });
  assert.deepEqual([cut.entries, cut.bytes, cut.isCut], [25, 1000, true]);
  const long = `http://a.example/${'x'.repeat(100_000)}`;
  const dropped = await read(
    `<urlset><url><loc>${long}</loc></url><url><loc>http://a.example/</loc></url></urlset>`,
  );
  assert.deepEqual([dropped.entries, dropped.dropped], [1, 1]);
  const lines = await read(`${long}\nhttp://a.example/\n`);
  assert.deepEqual([lines.entries, lines.dropped], [1, 1]);
});

test('gives up what is damaged or has no end', async () => {
  const isDropped = (error: unknown) => error instanceof DrumlineError && error.disposition === 'drop-url';
  const packed = gzipSync(URLSET.repeat(20));
  await assert.rejects(read(packed.subarray(0, packed.length >> 1)), isDropped);
  const damaged = Uint8Array.from(packed);
  damaged[packed.length >> 1]! ^= 0xff;
  await assert.rejects(read(damaged), isDropped);
  // 40 MB of one text, packed into little.
  await assert.rejects(
    read(gzipSync(Buffer.alloc(40e6, '<urlset>x'.slice(-1)).fill('<urlset>', 0, 8))),
    isDropped,
  );
  assert.deepEqual((await read(URLSET)).all, PAGES);
});

test('an error of the body goes on as it is', async () => {
  const failure = new Error('connection lost');
  async function* body(): AsyncGenerator<Uint8Array> {
    yield gzipSync(URLSET).subarray(0, 20);
    throw failure;
  }
  const reader = new SitemapReader({ entry: () => assert.fail('no entry is whole') });
  await assert.rejects(reader.read(body()), (error) => error === failure);
});

test('loses no entry where blocks meet', async () => {
  const wrap = [
    (url: string) => `<loc>${url}</loc>`,
    (url: string) => `<loc><![CDATA[${url}]]></loc>`,
    (url: string) => `<!-- > ${url} - -->\n<loc\n>${url}</loc ><lastmod/>`,
  ];
  const locs = Array.from({ length: 6000 }, (_, i) => `http://a.example/${'é>x'.repeat(i % 17)}/${i}`);
  const body = locs.map((loc, i) => `<url a="${'>'.repeat(i % 5)}">${wrap[i % 3]!(loc)}</url>\n`).join('');
  const { all } = await read(`<urlset>${body}</urlset>`, 10_007);
  assert.deepEqual(
    all.map(({ loc }) => loc),
    locs,
  );
});
