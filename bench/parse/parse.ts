/**
 * `parse PAGES [ROUNDS]`: extraction, and extraction with canonical URLs and hashes, beside stock sax-wasm with
 * Attribute events over the whole page, in turns on the same pages.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Attribute, SAXParser, SaxEventType } from 'sax-wasm';
import { UrlList } from '#drumline/model/url-list.js';
import { LinkExtractor } from '#drumline/parse/link-extractor.js';
import { LinkList } from '#drumline/parse/link-list.js';
import { UrlCanonicaliser } from '#drumline/parse/url-canonicaliser.js';
import { readCorpus } from './corpus.js';

const STOCK_WRITE = 64 * 1024;
const PAGE_URL = new TextEncoder().encode('http://host.example/dir/page.html');

interface Contender {
  readonly name: string;
  /** Reads one page; returns the links found. */
  readonly read: (page: Uint8Array) => number;
  readonly rates: number[];
  links: number;
}

export async function run(args: string[]): Promise<void> {
  const pages = readCorpus(args[0], '.html').map((file) => file.bytes);
  const rounds = Number(args[1] ?? 9);
  const megabytes = pages.reduce((sum, page) => sum + page.length, 0) / 1e6;
  const contenders = [await stock(), await extraction(), await extractionAndUrls()];
  for (let round = -2; round < rounds; round++) {
    for (const contender of contenders) {
      contender.links = 0;
      const started = process.cpuUsage();
      for (const page of pages) contender.links += contender.read(page);
      const { user, system } = process.cpuUsage(started);
      // The first rounds warm up.
      if (round >= 0) contender.rates.push((1e6 * megabytes) / (user + system));
    }
  }
  console.log(
    `node ${process.version}, ${pages.length} pages, ${megabytes.toFixed(1)} MB, median of ${rounds} rounds`,
  );
  const baseline = median(contenders[0]!.rates);
  for (const { name, rates, links } of contenders) {
    const rate = median(rates);
    console.log(
      `${name.padEnd(40)} ${rate.toFixed(0).padStart(5)} MB per CPU-second, ${(rate / baseline).toFixed(2)} x stock, ${links} links`,
    );
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}

async function stock(): Promise<Contender> {
  const parser = new SAXParser(SaxEventType.Attribute);
  const wasm = readFileSync(createRequire(import.meta.url).resolve('sax-wasm/lib/sax-wasm.wasm'));
  await parser.prepareWasm(Uint8Array.from(wasm));
  let links: string[] = [];
  parser.eventHandler = (_event, detail) => {
    const { name, value } = detail as Attribute;
    if (name.value === 'href' || name.value === 'src') links.push(value.value);
  };
  const read = (page: Uint8Array): number => {
    links = [];
    for (let at = 0; at < page.length; at += STOCK_WRITE) parser.write(page.subarray(at, at + STOCK_WRITE));
    parser.end();
    return links.length;
  };
  return { name: 'stock sax-wasm, Attribute events', read, rates: [], links: 0 };
}

async function extraction(): Promise<Contender> {
  const extractor = await LinkExtractor.load();
  const links = new LinkList();
  const read = (page: Uint8Array): number => {
    extractor.extract(page, page.length, 'text/html', links);
    return links.count;
  };
  return { name: 'extraction', read, rates: [], links: 0 };
}

async function extractionAndUrls(): Promise<Contender> {
  const extractor = await LinkExtractor.load();
  const links = new LinkList();
  const urls = new UrlList(links.capacity);
  const canonicaliser = new UrlCanonicaliser();
  const read = (page: Uint8Array): number => {
    extractor.extract(page, page.length, 'text/html', links);
    canonicaliser.setBase(PAGE_URL, 0, PAGE_URL.length);
    if (links.baseLength >= 0) canonicaliser.setBaseHref(links.base, 0, links.baseLength);
    canonicaliser.setEncoding(links.encoding);
    urls.clear();
    canonicaliser.resolveAll(links, 0, links.count, urls);
    return urls.count;
  };
  return { name: 'extraction + canonical URLs + hashes', read, rates: [], links: 0 };
}
