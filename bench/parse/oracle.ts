/**
 * `parse-oracle PAGES [TOKENIZER]`: every link of real pages against parse5's, after resolution; and the input
 * strings of html5lib's tokenizer tests, alone and wrapped around a link.
 */
import { canonicalUrl } from '#drumline/model/canonical-url.js';
import { UrlList } from '#drumline/model/url-list.js';
import { LINK_ANCHOR } from '#drumline/parse/link-kinds.js';
import { UrlCanonicaliser } from '#drumline/parse/url-canonicaliser.js';
import { Comparison } from './compare.js';
import { readCorpus } from './corpus.js';

/** Links that the oracle has not, by those that it has. */
const MAX_EXTRA = 0.001;
const PAGE_URL = 'http://host.example/dir/page.html';

export async function run(args: string[]): Promise<void> {
  const comparison = await Comparison.load();
  comparePages(comparison, args[0]);
  if (args[1] !== undefined) compareStrings(comparison, args[1]);
}

function comparePages(comparison: Comparison, path: string | undefined): void {
  const pages = readCorpus(path, '.html');
  const canonicaliser = new UrlCanonicaliser();
  const base = new TextEncoder().encode(PAGE_URL);
  const urls = new UrlList(comparison.links.capacity);
  let expectedCount = 0;
  let missedCount = 0;
  let extraCount = 0;
  for (const { name, bytes } of pages) {
    comparison.extract(bytes, 'text/html');
    const { links } = comparison;
    canonicaliser.setBase(base, 0, base.length);
    if (links.baseLength >= 0) canonicaliser.setBaseHref(links.base, 0, links.baseLength);
    urls.clear();
    // Those that must not be followed, too: it is the resolving that is compared.
    links.kinds.fill(LINK_ANCHOR, 0, links.count);
    canonicaliser.resolveAll(links, 0, links.count, urls);
    const found = new Set(urls.toStrings());
    const oracle = comparison.oracle(bytes);
    const resolvedBase = oracle.base === null ? PAGE_URL : (canonicalUrl(oracle.base, PAGE_URL) ?? PAGE_URL);
    const expected = new Set<string>();
    for (const link of oracle.links) {
      const url = canonicalUrl(link.replace(/^[a-z]+( nofollow)? /, ''), resolvedBase);
      if (url !== null) expected.add(url);
    }
    const missed = [...expected].filter((url) => !found.has(url));
    const extra = [...found].filter((url) => !expected.has(url));
    expectedCount += expected.size;
    missedCount += missed.length;
    extraCount += extra.length;
    for (const url of missed) console.log(`missed ${name} (${links.encoding}): ${url}`);
    for (const url of extra) console.log(`extra  ${name} (${links.encoding}): ${url}`);
  }
  const percent = (count: number) => `${((100 * count) / expectedCount).toFixed(3)}%`;
  console.log(`${pages.length} pages, ${expectedCount} distinct links by parse5`);
  console.log(`recall ${percent(expectedCount - missedCount)}, extra ${extraCount} (${percent(extraCount)})`);
  if (missedCount > 0 || extraCount > MAX_EXTRA * expectedCount) process.exitCode = 1;
}

function compareStrings(comparison: Comparison, path: string): void {
  const inputs = new Set<string>();
  for (const { bytes } of readCorpus(path, '.test')) {
    const file = JSON.parse(new TextDecoder().decode(bytes)) as Record<
      string,
      { input: string; doubleEscaped?: boolean }[]
    >;
    for (const { input, doubleEscaped } of Object.values(file).flat()) {
      inputs.add(doubleEscaped ? (JSON.parse(`"${input.replaceAll('"', '\\"')}"`) as string) : input);
    }
  }
  const encoder = new TextEncoder();
  let pages = 0;
  let differing = 0;
  for (const input of inputs) {
    const wrapped = [
      input,
      `<a href=before>${input}<a href=after>`,
      `<a href="${input}">x</a>`,
      `<a href='${input}'>x</a>`,
      `<a href=${input}>x</a>`,
      `<a ${input} href=x>y</a>`,
      `<title>${input}</title><a href=x>`,
      `<script>${input}</script><a href=x>`,
      `<!--${input}--><a href=x>`,
      `<svg>${input}</svg><a href=x>`,
    ];
    for (const page of wrapped) {
      pages++;
      const difference = comparison.difference(encoder.encode(page), 'text/html; charset=utf-8');
      if (difference === null) continue;
      differing++;
      console.log(`differs ${JSON.stringify(page)}: ${JSON.stringify(difference)}`);
    }
  }
  console.log(`${inputs.size} tokenizer inputs in ${pages} pages: ${differing} differ`);
  if (differing > 0) process.exitCode = 1;
}
