import assert from 'node:assert/strict';
import test from 'node:test';
import { LinkModule } from '#drumline/parse/link-module.js';

const MEGABYTE = 1024 * 1024;

test('an instance that a large page made large is replaced', () => {
  const module = new LinkModule({});
  const before = module.bytes.length;
  assert.ok(before < MEGABYTE);
  assert.equal(module.renew(), false);
  module.exports.layPage(20 * MEGABYTE, 100);
  assert.ok(module.bytes.length >= 20 * MEGABYTE);
  assert.equal(module.words.length, module.bytes.length / 4);
  assert.equal(module.renew(), true);
  assert.equal(module.bytes.length, before);
});

test('what the host throws is thrown on, and the next page finds a fresh instance', () => {
  const module = new LinkModule({});
  const scan = (text: string): number => {
    const page = Buffer.from(text);
    const at = module.exports.layPage(page.length, 10);
    module.bytes.set(page, at);
    module.exports.scan(0, 10, 0, 1);
    return module.exports.count.value;
  };
  assert.throws(() => scan('<a href=x><base href=y>'), /does not offer/);
  const failure = new Error('of the host');
  assert.equal(module.failed(failure), failure);
  assert.equal(scan('<a href=x>'), 1);
});
