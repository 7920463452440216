import assert from 'node:assert/strict';
import test from 'node:test';
import { readLinkHeader } from '#drumline/parse/link-header.js';
import {
  LINK_CANONICAL,
  LINK_KIND_MASK,
  LINK_NEXT,
  LINK_NOFOLLOW,
  LINK_PREV,
} from '#drumline/parse/link-kinds.js';
import { LinkList } from '#drumline/parse/link-list.js';

const NAMES = new Map([
  [LINK_NEXT, 'next'],
  [LINK_PREV, 'prev'],
  [LINK_CANONICAL, 'canonical'],
]);

function read(value: string): string[] {
  const links = new LinkList();
  readLinkHeader(value, links);
  return links.toStrings().map((url, i) => {
    const kind = links.kinds[i]!;
    return `${NAMES.get(kind & LINK_KIND_MASK)}${kind & LINK_NOFOLLOW ? '!' : ''} ${url}`;
  });
}

test('reads next, prev and canonical as RFC 8288 writes them', () => {
  const cases: [string, string[]][] = [
    ['</2>; rel=next', ['next /2']],
    ['</2>;rel="next"', ['next /2']],
    ['  < /2 >  ;  REL = "NEXT"  ', ['next  /2 ']],
    ['</2>; rel=next, </0>; rel=prev', ['next /2', 'prev /0']],
    ['</2>; rel="next",</0>; rel="previous"', ['next /2', 'prev /0']],
    ['</a,b;c>; title="x, <y>; rel=prev"; rel=canonical', ['canonical /a,b;c']],
    ['</a>; title="\\"; rel=prev"; rel=next', ['next /a']],
    ['</a>; rel="start next http://example.org/rel"', ['next /a']],
    ['</a>; rel="next nofollow"', ['next! /a']],
    ['</a>; rel=prev; rel=next', ['prev /a']],
    ['<>; rel=canonical', ['canonical ']],
    ["</a>; title*=UTF-8''x; rel=next", ['next /a']],
    ['</a>; crossorigin; rel=next', ['next /a']],
    // Links of other resources, other relations, and what is no link.
    ['</a>; rel=next; anchor="/b"', []],
    ['</a>; rel=stylesheet, </b>; rel=preload; as=style', []],
    ['</a>', []],
    ['</a>; rel', []],
    ['</a; rel=next', []],
    ['nonsense, </a>; rel=next', ['next /a']],
    ['</a>; rel="next', ['next /a']],
    ['</a> rel=next, </b>; rel=next', ['next /b']],
    ['', []],
  ];
  for (const [value, expected] of cases) assert.deepEqual(read(value), expected, value);
});

test('a hostile header costs no more than its length, and the links after it are found', () => {
  for (const part of ['<>', ';', '<a>;', '"', '\\"', ' ', ';;;===', '<a>;x="",', '<a>; x=y; x="y",\t']) {
    const value = `${part.repeat(200_000 / part.length)}, </a>; rel=next`;
    assert.deepEqual(read(value), ['next /a'], part);
  }
  assert.equal(read('<a>;rel=next,'.repeat(10_000)).length, new LinkList().capacity);
});
