import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isContact, isProduct, userAgent } from '#drumline/options/crawler-name.js';

test('a user agent is a product token, with a version or without', () => {
  for (const name of ['drumline', 'MyBot/2.0', 'my-bot', '_x', "a!#$%&'*+.^`|~9"])
    assert.ok(isProduct(name), name);
  for (const name of [
    '',
    '9bot',
    'my bot',
    'a\r\nx: y',
    'a\n',
    'bört',
    'a/',
    'a/1/2',
    'a(b)',
    'a:b',
    '*',
    '/1',
  ])
    assert.ok(!isProduct(name), JSON.stringify(name));
});

test('a contact is a mail address or a URL', () => {
  for (const contact of [
    'me@example.org',
    'mailto:me@example.org',
    'https://example.org',
    'HTTP://a.example/bot?x=1',
  ])
    assert.ok(isContact(contact), contact);
  for (const contact of [
    '',
    'foo',
    '@',
    'a@',
    '@b',
    'mailto:',
    'http://',
    'ftp://a.example/',
    'https:///x',
    'a b@c',
  ])
    assert.ok(!isContact(contact), contact);
  for (const contact of ['a)b@c', 'a(b@c', 'a@b\\', 'a@b\r\nx: y', 'ä@example.org', 'a@b@c'])
    assert.ok(!isContact(contact), JSON.stringify(contact));
});

test('servers are told name, version and contact', () => {
  assert.equal(userAgent('drumline', '1.2.3', 'me@example.org'), 'drumline/1.2.3 (+me@example.org)');
  assert.equal(userAgent('MyBot/2.0', '1.2.3', 'https://example.org/'), 'MyBot/2.0 (+https://example.org/)');
  assert.equal(userAgent('drumline', '1.2.3', ''), 'drumline/1.2.3');
});
