/**
 * A page's bytes in, its links out. The scanner finds the tags that can carry a link as the HTML standard's
 * tokenizer would, sax-wasm reads their attributes, the reader decides what is a link.
 */
import { isUtf8 } from 'node:buffer';
import { charsetOf } from './charset.js';
import { isDecodedFirst } from './encodings.js';
import { readLinkHeader } from './link-header.js';
import { LinkList } from './link-list.js';
import { LinkReader } from './link-reader.js';
import { isSpace, LESS } from './markup-bytes.js';
import { RobotsDirectives } from './robots-directives.js';
import { SaxAttributes } from './sax-attributes.js';
import { TagBatch } from './tag-batch.js';
import { TagScanner } from './tag-scanner.js';
import { TextCopier } from './text-copier.js';

const encoder = new TextEncoder();

/** What a response's headers say about links: the value of each, '' if there is none; several joined by commas. */
export interface PageHeaders {
  /** `X-Robots-Tag`. */
  readonly robotsTag: string;
  readonly link: string;
}

export class LinkExtractor {
  readonly #copier = new TextCopier();
  readonly #batch: TagBatch;
  readonly #scanner: TagScanner;
  readonly #reader: LinkReader;
  readonly #robots: RobotsDirectives;

  private constructor(agent: string) {
    this.#robots = new RobotsDirectives(agent);
    this.#reader = new LinkReader(this.#robots, new LinkList(0));
    const sax = new SaxAttributes((letter, memory, start, end) => {
      this.#reader.attribute(letter, memory, start, end);
    });
    this.#batch = new TagBatch(this.#copier, this.#robots.names, (element) => sax.read(element));
    this.#scanner = new TagScanner(this.#batch);
  }

  /** `agent` is the crawler's name in robots directives. */
  static async load(agent = 'drumline'): Promise<LinkExtractor> {
    return new LinkExtractor(agent);
  }

  /**
   * Clears `links` and fills it from the headers and from the markup in `body[0, length)`; a body that is no markup
   * has no links. Throws a DrumlineError with the disposition `drop-url` if the page brought the markup parser down.
   */
  extract(
    body: Uint8Array,
    length: number,
    contentType: string,
    links: LinkList,
    headers?: PageHeaders,
  ): void {
    links.clear();
    if (headers !== undefined) this.#readHeaders(headers, links);
    let page = new Uint8Array(body.buffer, body.byteOffset, length);
    const type = markupType(page, contentType);
    if (type === null) return;
    links.encoding = charsetOf(page, contentType, type === 'xhtml');
    if (isDecodedFirst(links.encoding)) {
      page = encoder.encode(new TextDecoder(links.encoding).decode(page));
      this.#copier.usePlain();
    } else if (links.encoding !== 'utf-8') this.#copier.useTable(links.encoding);
    else if (isUtf8(page)) this.#copier.usePlain();
    else this.#copier.useRepair();
    this.#reader.begin(links);
    this.#batch.begin(links.keepsRepeated);
    this.#scanner.scan(page, type === 'xhtml');
    this.#batch.flush();
    links.dropped += this.#batch.tooLong;
    links.repeated = this.#batch.repeated;
  }

  #readHeaders({ robotsTag, link }: PageHeaders, links: LinkList): void {
    if (robotsTag !== '') this.#robots.header(robotsTag, links);
    if (link !== '') readLinkHeader(link, links);
    links.headerCount = links.count;
  }
}

function markupType(page: Uint8Array, contentType: string): 'html' | 'xhtml' | null {
  const end = contentType.indexOf(';');
  const type = (end < 0 ? contentType : contentType.slice(0, end)).trim().toLowerCase();
  if (type === 'text/html') return 'html';
  if (type === 'application/xhtml+xml') return 'xhtml';
  return type === '' && looksLikeMarkup(page) ? 'html' : null;
}

/** For a page without a Content-Type: its first byte that is no whitespace, mark or NUL is `<`. */
function looksLikeMarkup(page: Uint8Array): boolean {
  for (let at = 0; at < page.length; at++) {
    const byte = page[at]!;
    if (byte === LESS) return true;
    if (byte !== 0 && !isSpace(byte) && (at > 2 || byte < 0xbb)) return false;
  }
  return false;
}
