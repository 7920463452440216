import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AcceptedTypes } from '#drumline/web/http/accepted-types.js';

test('types are matched without their parameters, with wildcards', () => {
  const types = new AcceptedTypes(['text/html', 'application/xhtml+xml', 'image/*', '*/rss+xml']);
  for (const wanted of [
    'text/html',
    'Text/HTML; charset=utf-8',
    'text/html;charset=x',
    ' text/html , text/plain',
    'application/xhtml+xml',
    'image/png',
    'application/rss+xml',
  ]) {
    assert.ok(types.includes(wanted), wanted);
    assert.ok(types.includes(wanted), `${wanted}, remembered`);
  }
  for (const other of [
    'text/htmlx',
    'xtext/html',
    'text/plain',
    'application/xhtmllxml',
    'application/pdf',
    ';',
  ]) {
    assert.ok(!types.includes(other), other);
  }
  assert.ok(types.header.startsWith('text/html, application/xhtml+xml, '));
});
