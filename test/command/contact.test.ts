import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkPace, isOwnHost, withContact } from '#drumline/command/contact.js';
import { readCrawlOptions } from '#drumline/options/read-options.js';

test('the contact of the environment counts where none is given, and only on the Web', () => {
  const environment = { DRUMLINE_CONTACT: 'me@example.org' };
  assert.deepEqual(withContact([], environment), [['contact', 'me@example.org']]);
  for (const given of [[['contact', 'you@example.org']], [['web', 'synthetic']]] as const)
    assert.equal(withContact(given, environment), given);
  assert.deepEqual(withContact([], {}), []);
  assert.throws(
    () => withContact([], { DRUMLINE_CONTACT: 'foo' }),
    /^[^:]+: DRUMLINE_CONTACT takes .*, got 'foo'/,
  );
});

test('without a contact the pace can not be set below the defaults', () => {
  const check = (...given: [string, string | null][]): void => checkPace(readCrawlOptions(given));
  assert.throws(() => check(['host-delay', '500ms']), /--host-delay takes at least 1s without a --contact/);
  assert.throws(() => check(['ip-delay', '0']), /--ip-delay takes at least 250ms without a --contact/);
  check(['host-delay', '5s']);
  check(['host-delay', '0'], ['contact', 'me@example.org']);
  check(['host-delay', '0'], ['web', 'synthetic']);
  check(['host-delay', '0'], ['allow-private', null]);
  assert.throws(
    () => check(['host-delay', '0'], ['allow-private', null], ['proxy', 'http://proxy.example:1']),
    /--host-delay takes at least 1s/,
  );
});

test('an --ip-delay that was not given is at most --host-delay', () => {
  const delays = (...given: [string, string][]): number[] => {
    const options = readCrawlOptions(given);
    return [options['host-delay'], options['ip-delay']];
  };
  assert.deepEqual(delays(), [1000, 250]);
  assert.deepEqual(delays(['host-delay', '100ms']), [100, 100]);
  assert.deepEqual(delays(['host-delay', '0']), [0, 0]);
  assert.deepEqual(delays(['host-delay', '100ms'], ['ip-delay', '200ms']), [100, 200]);
});

test('hosts that need no contact', () => {
  for (const url of [
    'http://127.0.0.1/',
    'http://10.1.2.3:80/x',
    'http://localhost:81/?x',
    'https://a.localhost',
    'http://[::1]:8/',
  ])
    assert.ok(isOwnHost(url), url);
  for (const url of [
    'http://example.org/',
    'http://1.1.1.1/',
    'http://x.example/127.0.0.1',
    'http://[2606:4700::1]:1/',
  ])
    assert.ok(!isOwnHost(url), url);
});
