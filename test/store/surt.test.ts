import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cdxjLine, mediaType } from '#drumline/store/cdxj.js';
import { surt } from '#drumline/store/surt.js';

const KEYS: [url: string, key: string][] = [
  ['http://example.com/', 'com,example)/'],
  ['https://www.example.com/', 'com,example)/'],
  ['http://www2.example.com/a/', 'com,example)/a'],
  ['http://example.com:8080/A/B.HTML', 'com,example:8080)/a/b.html'],
  ['http://192.168.1.254/info/', '254,1,168,192)/info'],
  ['http://me:secret@example.com/x', 'com,example)/x'],
  ['http://example.com/?', 'com,example)/'],
  ['http://example.com/i?b=b&a=b&b=a', 'com,example)/i?a=b&b=a&b=b'],
  ['http://example.com/i?b&a=&a', 'com,example)/i?a&a=&b'],
  ['http://example.com/i?x=1&PHPSESSID=0123456789abcdefGHIJ0123456789ab&a=2', 'com,example)/i?a=2&x=1'],
  ['http://example.com/i?CFID=12&CFTOKEN=34&r=5', 'com,example)/i?r=5'],
  ['http://example.com/(S(4hqa0555fwsecu455xqckv45))/mileg.aspx', 'com,example)/mileg.aspx'],
  ['http://example.com./', 'com,example)/'],
  ['http://example.com/?u=http%3A%2F%2Fother.example%2F', 'com,example)/?u=http://other.example/'],
  ['http://example.com/a//b%2f/c/', 'com,example)/a/b/c'],
  ['http://example.com//', 'com,example)/'],
  ['http://example.com/%7Ejoe/%22x%22/%5B1%5D', 'com,example)/~joe/"x"/[1]'],
  ['http://example.com/%25%32%35/%2525', 'com,example)/%25/%25'],
  ['http://example.com/a/%252e%252e/b/%252e/c', 'com,example)/b/c'],
  ['http://example.com/%C3%89t%C3%A9?n=%C3%89', 'com,example)/%c3%89t%c3%a9?n=%c3%89'],
  ['http://example.com/a%23b%20c%3Fd', 'com,example)/a%23b%20c?d'],
  ['http://example.com/i?b=1%26a%3D2&%61=1', 'com,example)/i?a=1&a=2&b=1'],
  ['http://example.com/100%', 'com,example)/100%25'],
  ['http://example.com/a?q=http://other.example/?x', 'com,example)/a?q=http://other.example/?x'],
];

test('keys are those of the wayback tools', () => {
  for (const [url, key] of KEYS) assert.equal(surt(url), key, url);
});

test('a line of the index', () => {
  const line = cdxjLine({
    url: 'http://example.com/a"b',
    date: '2030-01-02T03:04:05.678Z',
    mime: mediaType('Text/HTML; charset=x'),
    status: 200,
    digest: 'ABC',
    length: 10,
    offset: 20,
    file: 'x.warc.gz',
  });
  const [key, time, ...json] = line.split(' ');
  assert.deepEqual([key, time], ['com,example)/a"b', '20300102030405']);
  assert.deepEqual(JSON.parse(json.join(' ')), {
    url: 'http://example.com/a"b',
    mime: 'text/html',
    status: '200',
    digest: 'ABC',
    length: '10',
    offset: '20',
    filename: 'x.warc.gz',
  });
  assert.equal(mediaType('no type'), 'unk');
});

test('no Content-Type gets characters of its own into a line', () => {
  const forged = [...'x"}\ncom,bank)/ 2020']
    .map((c) => String.fromCharCode(0x4e00 + c.charCodeAt(0)))
    .join('');
  for (const type of [`text/${forged}`, 'text/h\xe9', 'text/"x"', 'text/x\u4e0a', 'a/b/c', 'text/']) {
    assert.equal(mediaType(type), 'unk', JSON.stringify(type));
  }
  assert.equal(mediaType('application/ld+json;profile="\xe9"'), 'application/ld+json');
  assert.equal(mediaType(' text/html , text/plain'), 'text/html');
});
