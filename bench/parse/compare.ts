/** One page through the extractor and through the oracle, and where they differ. */
import { LinkExtractor } from '#drumline/parse/link-extractor.js';
import { LINK_KIND_MASK, LINK_NOFOLLOW } from '#drumline/parse/link-kinds.js';
import { LinkList } from '#drumline/parse/link-list.js';
import { decodePage, loadOracle, type OracleLinks } from './oracle-links.js';

/** By the numbers in link-list.ts, as the oracle writes them. */
const KINDS = ['a', 'area', 'frame', 'refresh', 'next', 'prev', 'cano', 'alte'];

export interface Difference {
  readonly missed: string[];
  readonly extra: string[];
}

export class Comparison {
  readonly #extractor: LinkExtractor;
  readonly #oracle: (html: string) => OracleLinks;
  readonly links = new LinkList(100_000);

  private constructor(extractor: LinkExtractor, oracle: (html: string) => OracleLinks) {
    this.#extractor = extractor;
    this.#oracle = oracle;
  }

  static async load(): Promise<Comparison> {
    return new Comparison(await LinkExtractor.load(), await loadOracle());
  }

  /** As the oracle writes them. */
  extract(page: Uint8Array, contentType: string): string[] {
    const { links } = this;
    this.#extractor.extract(page, page.length, contentType, links);
    return links.toStrings().map((value, i) => {
      const kind = KINDS[links.kinds[i]! & LINK_KIND_MASK];
      return `${kind}${links.kinds[i]! & LINK_NOFOLLOW ? ' nofollow' : ''} ${value}`;
    });
  }

  /** What the oracle finds in the page; REQUIRES: `extract` was called with it, and told its encoding. */
  oracle(page: Uint8Array): OracleLinks {
    return this.#oracle(decodePage(page, this.links.encoding));
  }

  /** Null if the sets of links and the base are the same: the tree may hold copies of an element. */
  difference(page: Uint8Array, contentType: string): Difference | null {
    const found = new Set(this.extract(page, contentType));
    const { links, base } = this.oracle(page);
    const expected = new Set(links);
    if (base !== null) expected.add(`base ${base}`);
    const { baseLength } = this.links;
    if (baseLength >= 0)
      found.add(`base ${new TextDecoder().decode(this.links.base.subarray(0, baseLength))}`);
    const missed = [...expected].filter((link) => !found.has(link));
    const extra = [...found].filter((link) => !expected.has(link));
    return missed.length + extra.length === 0 ? null : { missed, extra };
  }
}
