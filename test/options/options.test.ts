import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCrawlOptions } from '#drumline/options/read-options.js';

test('the live Web has bounds per site, an emulated one has none', () => {
  for (const given of [[], [['web', 'http']]] as [string, string][][]) {
    const options = readCrawlOptions(given);
    assert.deepEqual([options['pages-per-site'], options['depth-per-site']], [10_000, 15]);
  }
  const emulated = readCrawlOptions([
    ['depth-per-site', '3'],
    ['web', 'synthetic'],
  ]);
  assert.deepEqual([emulated['pages-per-site'], emulated['depth-per-site']], [Number.POSITIVE_INFINITY, 3]);
});

test('includes and excludes keep their order among each other', () => {
  const { include, exclude } = readCrawlOptions([
    ['include', 'a'],
    ['agents', '1'],
    ['exclude', 'b'],
    ['include', 'c'],
  ]);
  assert.deepEqual(include, [
    { place: 0, pattern: 'a' },
    { place: 3, pattern: 'c' },
  ]);
  assert.deepEqual(exclude, [{ place: 2, pattern: 'b' }]);
});

test('politeness and traps', () => {
  const defaults = readCrawlOptions([]);
  assert.deepEqual([defaults['host-delay'], defaults['ip-delay'], defaults.timeout], [1000, 250, 30_000]);
  assert.deepEqual(
    [defaults['trap-segments'], defaults['trap-repeated-segments'], defaults['trap-links']],
    [20, 3, 6000],
  );
  const options = readCrawlOptions([
    ['trap-segments', 'off'],
    ['accept', 'Text/HTML,image/*'],
    ['sitemaps', 'off'],
    ['insecure', null],
  ]);
  assert.equal(options['trap-segments'], Number.POSITIVE_INFINITY);
  assert.deepEqual(options.accept, ['text/html', 'image/*']);
  assert.equal(options.sitemaps, 'off');
  assert.ok(options.insecure);
});

for (const [name, value, message] of [
  ['trap-segments', 'no', /--trap-segments takes a whole number from 1, or off, got 'no'/],
  ['sitemaps', 'maybe', /--sitemaps takes one of on, off, got 'maybe'/],
  ['accept', 'html', /--accept takes media types like .*, got 'html'/],
  ['proxy', 'socks://x', /--proxy takes a URL like .*, got 'socks:\/\/x'/],
  ['ip-delay', '2h', /--ip-delay takes a time of at most 1h/],
  ['host-delay', '5', /--host-delay takes a time like/],
  ['max-depth', '70000', /--max-depth takes a whole number from 0 to 65534/],
] as const) {
  test(`refuses --${name} ${value}`, () => {
    assert.throws(() => readCrawlOptions([[name, value]]), message);
  });
}
