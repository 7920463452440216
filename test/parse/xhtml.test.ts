/** Pages served as application/xhtml+xml: XML's rules for what is no markup, and no element's content is raw text. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { LinkExtractor } from '#drumline/parse/link-extractor.js';
import { LinkList } from '#drumline/parse/link-list.js';

const extractor = await LinkExtractor.load();
const links = new LinkList();

function extract(page: string, contentType = 'application/xhtml+xml'): string[] {
  const body = new TextEncoder().encode(page);
  extractor.extract(body, body.length, contentType, links);
  return links.toStrings();
}

test('reads XHTML as XML', () => {
  const cases: [string, string[]][] = [
    [
      '<?xml version="1.0"?><!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "xhtml1-strict.dtd">' +
        '<html xmlns="http://www.w3.org/1999/xhtml"><body><a href="x">y</a></body></html>',
      ['x'],
    ],
    // An empty element ends itself, also where HTML would take all that follows as its text.
    ['<title/><script src="s"/><style/><textarea/><iframe src="f"/><a href="x"/>', ['f', 'x']],
    ['<title><a href="x"/></title>', ['x']],
    // Sections, comments and instructions end where XML says.
    ['<script><![CDATA[ <a href="x"/> ]] > ]]></script><a href="y"/>', ['y']],
    ['<!--> <a href="x"/> --><a href="y"/>', ['y']],
    ['<!-- --!> <a href="x"/> --><a href="y"/>', ['y']],
    ['<?php echo "<a href=\'x\'>"; ?><a href="y"/>', ['y']],
    ['<!DOCTYPE html [ <!ENTITY x "<a href=\'x\'/>"> <!ENTITY y "y"> ]><a href="z"/>', ['z']],
    // What only HTML ignores.
    ['<select><a href="x"/></select><frame src="y"/>', ['x', 'y']],
    ['<svg><title><a href="x"/></title></svg>', ['x']],
    ['<a href="?a=1&amp;b=&#x32;"/>', ['?a=1&b=2']],
    // Cut short.
    ['<a href="x"/><![CDATA[ <a href="y"/>', ['x']],
    ['<a href="x"/><? <a href="y"/>', ['x']],
    ['<a href="x"/><!DOCTYPE [ > <a href="y"/>', ['x']],
  ];
  for (const [page, expected] of cases) assert.deepEqual(extract(page), expected, page);
});

test('the same page as HTML is read by the rules of HTML', () => {
  assert.deepEqual(extract('<title/><a href="x"/></title><a href="y"/>', 'text/html'), ['y']);
  assert.deepEqual(extract('<title/><a href="x"/></title><a href="y"/>'), ['x', 'y']);
});
