import assert from 'node:assert/strict';
import { BlockList, isIPv4, isIPv6 } from 'node:net';
import { test } from 'node:test';
import { Random } from '#drumline/simulate/random.js';
import { isPublicAddress, literalAddress, parseIpv4, parseIpv6 } from '#drumline/web/http/address.js';

const PRIVATE = [
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '100.100.100.200',
  '127.0.0.1',
  '127.255.255.254',
  '168.63.129.16',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.192',
  '192.0.2.1',
  '192.168.1.1',
  '198.19.255.255',
  '198.51.100.7',
  '203.0.113.9',
  '224.0.0.1',
  '239.255.255.255',
  '255.255.255.255',
  '::',
  '::1',
  '::127.0.0.1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '0:0:0:0:0:ffff:a9fe:a9fe',
  '64:ff9b::10.0.0.1',
  '64:ff9b:1::1',
  '100::1',
  '2001::1',
  '2001:2::1',
  '2001:10::1',
  '2001:db8::1',
  '2002:7f00:1::',
  '2002:c0a8:101::1',
  '2a00:1::200:5efe:10.0.0.1',
  '3fff:fff::1',
  'fc00::1',
  'fd00:ec2::254',
  'fe80::1',
  'fe80::1%eth0',
  'fec0::1',
  'ff02::1',
  '',
  'example.org',
  '127.1',
  '0x7f.0.0.1',
  '0177.0.0.1',
  '2130706433',
];
const PUBLIC = [
  '1.1.1.1',
  '8.8.8.8',
  '100.63.255.255',
  '100.128.0.0',
  '168.63.129.17',
  '172.15.255.255',
  '172.32.0.0',
  '192.0.1.0',
  '198.17.255.255',
  '198.20.0.0',
  '223.255.255.255',
  '::ffff:8.8.8.8',
  '64:ff9b::8.8.8.8',
  '2001:200::1',
  '2001:4860:4860::8888',
  '2002:808:808::1',
  '2606:4700::1111',
  '2a00:1::200:5efe:8.8.8.8',
];

test('what is public and what is not', () => {
  for (const address of PRIVATE) assert.equal(isPublicAddress(address), false, address);
  for (const address of PUBLIC) assert.equal(isPublicAddress(address), true, address);
});

test('every notation of a host that is an address comes to the same', () => {
  for (const host of [
    '127.1',
    '0x7f.1',
    '0177.0.0.1',
    '2130706433',
    '127.0.0.1.',
    '①②⑦.0.0.1',
    '017700000001',
  ]) {
    const literal = literalAddress(new URL(`http://${host}/`).hostname);
    assert.equal(literal, '127.0.0.1', host);
  }
  for (const host of ['[::1]', '[0:0::0:1]', '[0000::0001]', '[::0.0.0.1]']) {
    assert.equal(literalAddress(new URL(`http://${host}/`).hostname), '::1', host);
  }
  for (const host of ['example.org', '[::1', '1.2.3', '[example]', 'a.1.2.3.4', '']) {
    assert.equal(literalAddress(host), '', host);
  }
});

/** The ranges again, for Node's own matcher. */
function specialRanges(): BlockList {
  const list = new BlockList();
  for (const range of (
    '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 168.63.129.16/32 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 ' +
    '192.0.2.0/24 192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/3'
  ).split(' ')) {
    const [address, bits] = range.split('/');
    list.addSubnet(address!, Number(bits), 'ipv4');
  }
  return list;
}

const dotted = (value: number): string => [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join('.');

test('IPv4 addresses against another matcher, in every clothing', () => {
  const seed = 20;
  const numbers = new Random(seed);
  const random = (): number => numbers.word();
  const list = specialRanges();
  const edges = PRIVATE.concat(PUBLIC).map(parseIpv4);
  for (let i = 0; i < 20_000; i++) {
    const near = edges[i % edges.length]!;
    const value = i % 2 === 0 || near < 0 ? random() : (near + (random() % 5) - 2) >>> 0;
    const address = dotted(value);
    const wanted = !list.check(address, 'ipv4');
    const [high, low] = [(value >>> 16).toString(16), (value & 0xffff).toString(16)];
    for (const text of [
      address,
      `::ffff:${address}`,
      `::FFFF:${high}:${low}`,
      `0:0:0:0:0:ffff:${address}`,
      `64:ff9b::${high}:${low}`,
      `2002:${high}:${low}::1`,
    ]) {
      assert.equal(isPublicAddress(text), wanted, `${text}, seed ${seed}`);
    }
    assert.equal(parseIpv4(address), value, `${address}, seed ${seed}`);
  }
});

test('what an address is, against Node', () => {
  const seed = 21;
  const numbers = new Random(seed);
  const random = (): number => numbers.word();
  const pieces = [
    ':',
    '::',
    '.',
    '0',
    '1',
    'ffff',
    '12345',
    'g',
    '255',
    '256',
    '01',
    '1.2.3.4',
    '1:2:3',
    '%1',
    '',
  ];
  let found = 0;
  for (let i = 0; i < 50_000; i++) {
    let text = '';
    for (let left = 1 + (random() % 9); left > 0; left--) text += pieces[random() % pieces.length]!;
    assert.equal(parseIpv4(text) >= 0, isIPv4(text), `'${text}', seed ${seed}`);
    const groups = parseIpv6(text);
    assert.equal(groups !== null, isIPv6(text) && !text.includes('%'), `'${text}', seed ${seed}`);
    if (groups === null) continue;
    found++;
    const canonical = [...groups].map((group) => group.toString(16)).join(':');
    assert.equal(
      new URL(`http://[${text}]`).host,
      new URL(`http://[${canonical}]`).host,
      `'${text}', seed ${seed}`,
    );
  }
  assert.ok(found > 100, `${found} addresses`);
});
