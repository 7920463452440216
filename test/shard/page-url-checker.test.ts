import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { nodeDisk } from '#drumline/model/disk.js';
import { PAGE_URL, RECORD_HEADER, recordDepth, recordUrlEnd, writeHeader } from '#drumline/model/record.js';
import { UrlList } from '#drumline/model/url-list.js';
import { UrlCanonicaliser } from '#drumline/parse/url-canonicaliser.js';
import { PageUrlChecker } from '#drumline/shard/page-url-checker.js';
import { temporaryDirectory } from '../web/temporary-directory.js';

const encoder = new TextEncoder();
const NO_VIA = new Uint8Array(0);

/** A checker whose scope leaves out what `outside` says, but seeds, and what came out of it. */
function openChecker(t: TestContext, recentlySeenBytes: number) {
  const found: string[] = [];
  const leftOut: string[] = [];
  const state = { outside: (_url: string): boolean => false, found, leftOut };
  const url = (bytes: Uint8Array, start: number, end: number): string =>
    Buffer.from(bytes.subarray(start + RECORD_HEADER, recordUrlEnd(bytes, start, end))).toString();
  const checker = new PageUrlChecker(
    {
      disk: nodeDisk,
      directory: join(temporaryDirectory(t), 'drum'),
      drumBytes: 1 << 20,
      recentlySeenBytes,
      remembersVia: false,
      scope: (bytes, start, end) =>
        recordDepth(bytes, start) > 0 && state.outside(url(bytes, start, end)) ? 'SCOPE_EXCLUDE' : '',
      onLeftOut: (bytes, start, end, reason) => leftOut.push(`${url(bytes, start, end)} ${reason}`),
    },
    (bytes, start, end) => found.push(url(bytes, start, end)),
  );
  t.after(() => checker.close());
  const offer = (href: string, depth = 1): void => {
    const canonicaliser = new UrlCanonicaliser();
    const bytes = encoder.encode(href);
    canonicaliser.setBase(bytes, 0, bytes.length);
    const urls = new UrlList(1);
    assert.ok(canonicaliser.resolve(bytes, 0, bytes.length, urls));
    checker.offer(urls, 0, depth, 0, 0, false, NO_VIA, 0, 0);
    checker.flush();
  };
  return { offer, state };
}

for (const recentlySeenBytes of [128, 1 << 16]) {
  test(`what is out of scope comes out once, and does not count as seen (${recentlySeenBytes} bytes of filter)`, (t) => {
    const { offer, state } = openChecker(t, recentlySeenBytes);
    state.outside = (url) => url.includes('/x');
    for (let i = 0; i < 3; i++) {
      for (let page = 0; page < 40; page++) {
        offer(`http://a.example/x${page}`);
        offer(`http://a.example/${page}`);
      }
    }
    assert.equal(state.found.length, 40);
    assert.equal(new Set(state.leftOut).size, 40);
    assert.equal(state.leftOut.length, 40);
    assert.ok(state.leftOut.every((line) => /\/x\d+ SCOPE_EXCLUDE$/.test(line)));
    state.outside = () => false;
    for (let page = 0; page < 40; page++) offer(`http://a.example/x${page}`);
    assert.equal(new Set(state.found).size, 80, 'a wider scope takes them');
    assert.equal(state.found.length, 80);
  });
}

test('a seed that was found by a link before, and left out, is taken', (t) => {
  const { offer, state } = openChecker(t, 1 << 16);
  state.outside = () => true;
  offer('http://b.example/');
  offer('http://b.example/', 0);
  assert.deepEqual(
    [state.leftOut, state.found],
    [['http://b.example/ SCOPE_EXCLUDE'], ['http://b.example/']],
  );
});

test('what was offered stays within its memory, however much there is before it is submitted', (t) => {
  const drumBytes = 2 << 20;
  const before = process.memoryUsage().arrayBuffers;
  let found = 0;
  const options = {
    ...{ disk: nodeDisk, directory: join(temporaryDirectory(t), 'drum'), drumBytes, recentlySeenBytes: 1024 },
    ...{ remembersVia: false, scope: () => '', onLeftOut: () => {} },
  };
  const checker = new PageUrlChecker(options, () => found++);
  t.after(() => checker.close());
  const record = new Uint8Array(2000);
  let most = 0;
  for (let i = 1; i <= 20_000; i++) {
    writeHeader(record, 0, PAGE_URL, 1, 2, Math.imul(i, 0x9e3779b1) >>> 0, i);
    checker.offerRecord(record, 0, record.length);
    if (i % 1000 === 0) most = Math.max(most, process.memoryUsage().arrayBuffers - before);
  }
  checker.flush();
  assert.equal(found, 20_000);
  // Arrays that were replaced and not collected yet count, too.
  assert.ok(most < 2 * drumBytes, `${most} bytes for 40 MB that were offered`);
});
