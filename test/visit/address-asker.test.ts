import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KeyHash } from '#drumline/model/key-hash.js';
import {
  isAddressDead,
  PAGE_URL,
  RECORD_HEADER,
  recordAddress,
  recordAsker,
  recordSiteHigh,
  recordSiteLow,
  recordType,
  recordUrlEnd,
  SITE_ADDRESS,
  writeHeader,
} from '#drumline/model/record.js';
import { SiteAddresses } from '#drumline/shard/site-addresses.js';
import { SiteStates } from '#drumline/shard/site-states.js';
import { AddressAsker, isRefusal, writeAddressAnswer } from '#drumline/visit/address-asker.js';
import { Visit } from '#drumline/visit/visit.js';

const URL = 'http://host.example:8080/some/page';
const MINUTE = 60_000;

function setUp(elapsed = 0) {
  const clock = { now: 5000 };
  const states = new SiteStates(1 << 12, new KeyHash());
  const addresses = new SiteAddresses(states, () => clock.now, elapsed);
  const site = states.add(7, 8);
  const sent: Uint8Array[] = [];
  const asker = new AddressAsker(3, (bytes, start, end) => sent.push(bytes.slice(start, end)));
  const record = new Uint8Array(RECORD_HEADER + URL.length);
  writeHeader(record, 0, PAGE_URL, 7, 8, 1, 2);
  record.set(Buffer.from(URL), RECORD_HEADER);
  const mustWait = (): boolean => {
    const visit = new Visit();
    visit.take(site, addresses.get(site), record, 0, record.length);
    return asker.mustWait(visit, addresses);
  };
  return { addresses, clock, mustWait, sent, site };
}

test('an address is used for ten minutes, then asked for again, and the site has none meanwhile', () => {
  const { addresses, clock, mustWait, sent, site } = setUp();
  addresses.set(site, '203.0.113.5');
  assert.equal(mustWait(), false);
  clock.now += 9 * MINUTE;
  assert.equal(mustWait(), false);
  clock.now += MINUTE;
  assert.equal(mustWait(), true);
  assert.equal(addresses.has(site), false);
  const [asked] = sent;
  assert.equal(sent.length, 1);
  assert.equal(recordType(asked!, 0), SITE_ADDRESS);
  assert.deepEqual([recordSiteLow(asked!, 0), recordSiteHigh(asked!, 0)], [7, 8]);
  const url = asked!.subarray(RECORD_HEADER, recordUrlEnd(asked!, 0, asked!.length));
  assert.equal(Buffer.from(url).toString(), 'http://host.example:8080/');
  assert.equal(recordAsker(asked!, 0), 3);
  assert.equal(isAddressDead(asked!, 0), false);
  assert.equal(recordAddress(asked!, 0, asked!.length), '203.0.113.5');
  addresses.set(site, '2001:db8::1');
  assert.equal(mustWait(), false);
  assert.equal(addresses.get(site), '2001:db8::1');
  addresses.set(site, '203.0.113.6');
  assert.equal(addresses.get(site), '203.0.113.6');
});

test('a doubted address is asked for at once, and said to be dead', () => {
  const { addresses, mustWait, sent, site } = setUp();
  addresses.set(site, '2001:db8::1');
  addresses.doubt(site);
  assert.equal(mustWait(), true);
  assert.equal(isAddressDead(sent[0]!, 0), true);
  assert.equal(recordAddress(sent[0]!, 0, sent[0]!.length), '2001:db8::1');
});

test('addresses from before a crawl was resumed are old, new ones are not', () => {
  const states = new SiteStates(1 << 12, new KeyHash());
  const site = states.add(7, 8);
  let now = 5000;
  const before = new SiteAddresses(states, () => now, 0);
  now += 61_300;
  before.set(site, '203.0.113.5');
  assert.equal(before.isOld(site), false);
  // Another process, with another clock.
  now = 1e6;
  const after = new SiteAddresses(states, () => now, 61_300);
  assert.equal(after.isOld(site), true);
  after.set(site, '203.0.113.7');
  assert.equal(after.isOld(site), false);
  now += 599_000;
  assert.equal(after.isOld(site), false);
  now += 1000;
  assert.equal(after.isOld(site), true);
});

test('the answer is the new address, the code, or what was known while the name servers are silent', () => {
  const { addresses, mustWait, sent, site } = setUp();
  addresses.set(site, '203.0.113.5');
  addresses.doubt(site);
  mustWait();
  const asked = sent[0]!;
  const answer = new Uint8Array(4096);
  const told = (address: string, failure: string): string => {
    const end = writeAddressAnswer(answer, asked, address, failure);
    assert.equal(recordType(answer, 0), SITE_ADDRESS);
    assert.equal(recordAsker(answer, 0), 3);
    return recordAddress(answer, 0, end);
  };
  assert.equal(told('198.51.100.1', ''), '198.51.100.1');
  assert.equal(told('2001:db8:1111:2222:3333:4444:5555:6666', ''), '2001:db8:1111:2222:3333:4444:5555:6666');
  assert.equal(told('', 'DNS_FAILED'), '203.0.113.5');
  for (const failure of ['DNS_NOT_FOUND', 'PRIVATE_ADDRESS']) {
    assert.equal(told('', failure), failure);
    assert.equal(isRefusal(failure), true);
  }
  assert.equal(isRefusal('203.0.113.5'), false);
  assert.equal(isRefusal('2001:db8::1'), false);
  assert.equal(isRefusal(''), false);
});
