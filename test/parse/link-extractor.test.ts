import assert from 'node:assert/strict';
import test from 'node:test';
import { LinkExtractor } from '#drumline/parse/link-extractor.js';
import { LinkList } from '#drumline/parse/link-list.js';

const extractor = await LinkExtractor.load();
const links = new LinkList();

function extract(page: string | Uint8Array, contentType = 'text/html; charset=utf-8'): string[] {
  const body = typeof page === 'string' ? new TextEncoder().encode(page) : page;
  extractor.extract(body, body.length, contentType, links);
  return links.toStrings();
}

test('finds tags as the tokenizer of the HTML standard does', () => {
  const cases: [string, string[]][] = [
    ['<a href=x>', ['x']],
    ['<A HREF="x">', ['x']],
    ["<a\nhref\t=\f'x'\r>", ['x']],
    // Comments.
    ['<!-- <a href=x> --><a href=y>', ['y']],
    ['<!--><a href=x>', ['x']],
    ['<!---><a href=x>', ['x']],
    ['<!----><a href=x>', ['x']],
    ['<!-- a --!><a href=x>', ['x']],
    ['<!--!> --!> <a href=x>', ['x']],
    ['<!---!><a href=x>', []],
    ['<!-- > -> <!-- <a href=x> --><a href=y>', ['y']],
    ['<!-- <a href=x>', []],
    ['<! <a href=x><a href=y>', ['y']],
    ['<?php echo "><a href=x>"', ['x']],
    ['<!DOCTYPE html PUBLIC "><a href=x>', ['x']],
    ['</ <a href=x><a href=y>', ['y']],
    ['</><a href=x>', ['x']],
    ['< a href=x><a href=y>', ['y']],
    ['<<a href=x>', ['x']],
    // Raw text.
    ['<script><a href=x></script><a href=y>', ['y']],
    ['<style><a href=x></STYLE ><a href=y>', ['y']],
    ['<textarea><a href=x></textarea/><a href=y>', ['y']],
    ['<title></titles><a href=x></title foo=">"><a href=y>', ['y']],
    ['<xmp><a href=x></xmp><a href=y>', ['y']],
    ['<iframe><a href=x></iframe><a href=y>', ['y']],
    ['<noembed><a href=x></noembed><a href=y>', ['y']],
    ['<noframes><a href=x></noframes><a href=y>', ['y']],
    ['<noscript><a href=x></noscript><a href=y>', ['x', 'y']],
    ['<plaintext><a href=x></plaintext><a href=y>', []],
    ['<title><a href=x>', []],
    ['<title><a href=x></title', []],
    // Script data, escaped and doubly escaped.
    ['<script><!-- <script> </script> <a href=x> --></script><a href=y>', ['y']],
    ['<script><!-- <script> </script> </script><a href=x>', ['x']],
    ['<script><!-- </script><a href=x>', ['x']],
    ['<script><!--><script></script><a href=x>', ['x']],
    ['<script><!-- <scripts> </script><a href=x>', ['x']],
    ['<script><!-- <script> --> </script><a href=x>', ['x']],
    // CDATA is a comment in HTML and text in foreign content.
    ['<![CDATA[<a href=x>]]><a href=y>', ['y']],
    ['<svg><![CDATA[<a href=x>]]><a href=y></a></svg><![CDATA[ > <a href=z>', ['y', 'z']],
    ['<svg><title><a href=x></a></title><style><a href=y></a></style></svg>', ['x', 'y']],
    ['<svg><desc><style><a href=x></style></desc></svg><a href=y>', ['y']],
    ['<svg><p><style><a href=x></style><a href=y>', ['y']],
    ['<svg/><style><a href=x></style><a href=y>', ['y']],
    // Attributes.
    ['<p title="<a href=x>"><a href=y>', ['y']],
    ["<p title='\">'><a href=x>", ['x']],
    ['<p "><a href=x>', ['x']],
    ['<p x="y"z="><a href=x>"><a href=y>', ['y']],
    ['<a href=x href=y>', ['x']],
    ['<a href href=y>', ['']],
    ['<a href=x/>', ['x/']],
    ['<a/href=x/>', ['x/']],
    ['<a / href = x / >', ['x']],
    ['<a href="x"rel="nofollow"/>', ['x']],
    ['<a href=>', ['']],
    ['<a href / =x>', ['']],
    ['<a =href=x>', []],
    ['<a xhref=x data-href=y>', []],
    ['<a href=x"y\'z>', ['x"y\'z']],
    ["<a href='x\"y'>", ['x"y']],
    ['<a href={x}>', ['{x}']],
    ['<a b{c} <d href=x>', ['x']],
    ['<a href="x\r\ny\rz">', ['x\ny\nz']],
    ['<a href="x\0y" \0>', ['x\ufffdy']],
    ['<a\0 href=x>', []],
    ['<a<b href=x>', []],
    ['<a:b href=x><abbr href=y>', []],
    ['</a href=x>', []],
    // The end of the file, anywhere.
    ['<a href=x', []],
    ['<a href="x>', []],
    ['<a href="x"', []],
    ['<a', []],
    ['<', []],
    ['</', []],
    ['<!', []],
    ['<!-', []],
    ['', []],
  ];
  for (const [page, expected] of cases) assert.deepEqual(extract(page), expected, JSON.stringify(page));
});

test('decodes character references by the rules for attributes', () => {
  const cases: [string, string][] = [
    ['?a=1&amp;b=2', '?a=1&b=2'],
    ['?a&ampb', '?a&ampb'],
    ['?a&amp=b', '?a&amp=b'],
    ['?a&amp', '?a&'],
    ['?a&amp-', '?a&-'],
    ['&notit;&notin;&not;&not', '&notit;∉¬¬'],
    ['&copy2;&copy;', '&copy2;©'],
    ['&AMP;&lt;&GT;', '&<>'],
    ['&nosuch;&;&&amp;', '&nosuch;&;&&'],
    ['&#65;&#x42;&#X43&#68', 'ABCD'],
    ['&#;&#x;&#xg;', '&#;&#x;&#xg;'],
    ['&#0;&#xD800;&#x110000;&#99999999999999999999;', '\ufffd\ufffd\ufffd\ufffd'],
    ['&#128;&#x9f;&#x81;', '€Ÿ\u0081'],
    ['&nGt;&bne;&Afr;', '≫⃒=⃥𝔄'],
    ['&CounterClockwiseContourIntegral;', '∳'],
  ];
  for (const [value, expected] of cases) {
    assert.deepEqual(extract(`<a href="${value}"><a href=${value}>`), [expected, expected], value);
  }
});
