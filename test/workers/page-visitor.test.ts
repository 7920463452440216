import assert from 'node:assert/strict';
import test from 'node:test';
import { SAXParser } from 'sax-wasm';
import { AgentCounters, allocateCounters } from '#drumline/model/counters.js';
import { UrlList } from '#drumline/model/url-list.js';
import { type FetchCallback, type FetchedPage, WHOLE_ANSWER } from '#drumline/model/web.js';
import { LinkExtractor } from '#drumline/parse/link-extractor.js';
import { LinkList } from '#drumline/parse/link-list.js';
import { RECORD_HEADER } from '#drumline/ring/record.js';
import { ALLOWED } from '#drumline/robots/robots-rules.js';
import { PageVisitor, type VisitTools } from '#drumline/workers/page-visitor.js';

const URL_BYTES = new TextEncoder().encode('http://a.example/dir/page');
const extractor = await LinkExtractor.load();

/** Visits one URL whose answer is `answer`; returns what the sink got. */
function visit(answer: Partial<FetchedPage> & { text?: string }): { got: string[]; counters: AgentCounters } {
  const body = Buffer.from(answer.text ?? '');
  const page: FetchedPage = {
    ...WHOLE_ANSWER,
    status: 200,
    body,
    bodyLength: body.length,
    contentType: 'text/html; charset=utf-8',
    location: '',
    pageNumber: -1,
    ...answer,
  };
  const counters = new AgentCounters(allocateCounters(1), 0);
  const got: string[] = [];
  const tools = {
    fetcher: {
      fetch: (_u: unknown, _s: unknown, _e: unknown, _a: unknown, done: FetchCallback) => done(page),
      close() {},
    },
    extractor,
    robots: { verdict: () => ALLOWED },
    pacer: { charge() {} },
    stop: { countPage: () => got.push('counted'), releasePage: () => got.push('released') },
    counters,
  } as unknown as VisitTools;
  const sink = {
    page: (_r: Uint8Array, _l: number, _p: FetchedPage, urls: UrlList) => got.push(...urls.toStrings()),
    redirect: (_r: Uint8Array, _l: number, urls: UrlList) => got.push('redirect', ...urls.toStrings()),
    failed: (_r: Uint8Array, _l: number, code: string) => got.push(code),
  };
  const links = new LinkList(3);
  const visitor = new PageVisitor(tools, sink, links, new UrlList(links.capacity));
  const record = Buffer.concat([Buffer.alloc(RECORD_HEADER), URL_BYTES]);
  visitor.visit(record, 0, record.length);
  assert.equal(visitor.isBusy, false);
  return { got, counters };
}

test('links are resolved against the base, those of the header against the page', () => {
  const { got } = visit({ text: '<base href=/b/><a href=x>', link: '<2>; rel=next' });
  assert.deepEqual(got, ['counted', 'http://a.example/dir/2', 'http://a.example/b/x']);
});

test('links over the bound are counted', () => {
  const { got, counters } = visit({ text: '<a href=1><a href=2><a href=3><a href=4><a href=5>' });
  assert.equal(got.length, 4);
  assert.equal(counters.get('linksExtracted'), 3);
  assert.equal(counters.get('linksDropped'), 2);
});

test('a page that brings the markup parser down is an error, and the next is read', () => {
  const { write } = SAXParser.prototype;
  SAXParser.prototype.write = function trap(): void {
    SAXParser.prototype.write = write;
    // Beyond the memory of the instance.
    this.wasmSaxParser!.write(0x7fff_0000, 1024);
  };
  try {
    assert.deepEqual(visit({ text: '<a href=x>' }).got, ['released', 'MARKUP']);
  } finally {
    SAXParser.prototype.write = write;
  }
  assert.deepEqual(visit({ text: '<a href=x>' }).got, ['counted', 'http://a.example/dir/x']);
});
