import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allocateIpTable } from '#drumline/throttle/ip-table.js';
import { HostPoliteness, publicDelay } from '#drumline/workers/politeness.js';

test('without a contact public addresses are not asked faster than by default, loopback is', () => {
  const given = { contact: '', 'host-delay': 0, 'ip-delay': 0 };
  assert.equal(publicDelay(given), 1000);
  assert.equal(publicDelay({ ...given, contact: 'me@example.org' }), 0);
  assert.equal(publicDelay({ ...given, 'host-delay': 1000, 'ip-delay': 250 }), 0, 'as by default');
  const delays = { hostDelay: 0, retryDelay: 0, maxRetryAfter: 0 };
  const politeness = new HostPoliteness(delays, 0, allocateIpTable(4096, 0), 0, publicDelay(given));
  assert.deepEqual(
    ['1.1.1.1', '127.0.0.1', '10.0.0.1'].map((address) => [
      politeness.reserve(address, 10),
      politeness.reserve(address, 10),
    ]),
    [
      [0, 1000],
      [0, 0],
      [0, 0],
    ],
  );
});
