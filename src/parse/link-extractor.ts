/**
 * A page's bytes in, its links out. The module that `wasm` becomes finds the tags that can carry a link as the HTML
 * standard's tokenizer would, and takes what they say; what is rare or odd comes back here.
 */

import { LESS } from './byte-values.js';
import { charsetOf, metaEncoding } from './charset.js';
import { isDecodedFirst } from './encodings.js';
import { readLinkHeader } from './link-header.js';
import { LinkList } from './link-list.js';
import { LinkModule } from './link-module.js';
import { isSpace } from './markup-bytes.js';
import { refreshUrl } from './meta-refresh.js';
import { PageText } from './page-text.js';
import { RobotsDirectives } from './robots-directives.js';

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const encoder = new TextEncoder();

/** Of a crawler: as three such go where the module keeps them. */
const LONGEST_NAME = 255;
const DECODED_AT_ONCE = 256 * 1024;

/** What a response's headers say about links: the value of each, '' if there is none; several joined by commas. */
export interface PageHeaders {
  /** `X-Robots-Tag`. */
  readonly robotsTag: string;
  readonly link: string;
}

export class LinkExtractor {
  readonly #robots: RobotsDirectives;
  readonly #text = new PageText();
  readonly #module: LinkModule;
  /** Where the links of the page go. */
  #links = new LinkList(0);

  private constructor(agent: string) {
    this.#robots = new RobotsDirectives(agent);
    this.#module = new LinkModule({
      decodeValue: (at, end, to) => this.#decodeValue(at, end, to),
      takeBase: (at, end) => this.#takeBase(at, end),
      takeMeta: (at, end, isRobots, isRefresh) => this.#takeMeta(at, end, isRobots !== 0, isRefresh !== 0),
    });
    this.#begin();
  }

  /** `agent` is the crawler's name in robots directives. */
  static async load(agent = 'drumline'): Promise<LinkExtractor> {
    return new LinkExtractor(agent);
  }

  /**
   * Clears `links` and fills it from the headers and from the markup in `body[0, length)`; a body that is no markup
   * has no links. Throws a DrumlineError with the disposition `drop-url` if the page took more memory than there is.
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
    const page = new Uint8Array(body.buffer, body.byteOffset, length);
    const type = markupType(page, contentType);
    if (type === null) return;
    this.#links = links;
    if (this.#module.renew()) this.#begin();
    try {
      this.#read(page, contentType, type === 'xhtml', links);
    } catch (error) {
      const failure = this.#module.failed(error);
      this.#begin();
      throw failure;
    }
  }

  /** For a fresh instance of the module: the names of our robots directives. */
  #begin(): void {
    const { bytes, exports } = this.#module;
    let at = exports.robotsNamesAt();
    for (const name of this.#robots.names) {
      // No crawler is called so.
      if (name.length > LONGEST_NAME) continue;
      bytes[at] = name.length;
      bytes.set(name, at + 1);
      at += 1 + name.length;
    }
  }

  #read(page: Uint8Array, contentType: string, isXml: boolean, links: LinkList): void {
    const module = this.#module;
    const { exports } = module;
    const room = links.capacity - links.count;
    this.#lay(page, room);
    links.encoding = charsetOf(page, contentType, isXml, this.#prescan);
    if (isDecodedFirst(links.encoding)) {
      this.#layDecoded(page, links.encoding, room);
      this.#text.beginUtf8();
    } else this.#text.begin(page, links.encoding);
    exports.setUtf8(this.#text.isKnownUtf8 ? 1 : 0);
    exports.scan(links.length, room, isXml ? 1 : 0, links.keepsRepeated ? 1 : 0);
    const count = exports.count.value;
    links.dropped += exports.dropped.value;
    links.repeated = exports.repeated.value;
    if (count > 0) links.appendAll(module, count);
  }

  #lay(page: Uint8Array, room: number): void {
    const at = this.#module.exports.layPage(page.length, room);
    this.#module.bytes.set(page, at);
  }

  /** As UTF-8. A large page is decoded twice, so that it is never whole as a string, nor beside the module's memory. */
  #layDecoded(page: Uint8Array, encoding: string, room: number): void {
    if (page.length <= DECODED_AT_ONCE) {
      this.#lay(encoder.encode(new TextDecoder(encoding).decode(page)), room);
      return;
    }
    let length = 0;
    for (const piece of decoded(page, encoding)) length += Buffer.byteLength(piece);
    let at = this.#module.exports.layPage(length, room);
    const { bytes } = this.#module;
    for (const piece of decoded(page, encoding)) at += encoder.encodeInto(piece, bytes.subarray(at)).written;
  }

  /** The encoding that the page laid out names in a `meta` element, or null. */
  readonly #prescan = (): string | null => {
    const { exports } = this.#module;
    exports.prescan();
    while (exports.nextLabel() !== 0) {
      const at = exports.labelAt();
      const label = Buffer.from(this.#module.bytes.buffer, at, exports.labelBytes()).toString('latin1');
      const encoding = metaEncoding(label.toLowerCase());
      if (encoding !== null) return encoding;
    }
    return null;
  };

  #decodeValue(at: number, end: number, to: number): number {
    const after = this.#text.decode(this.#module.bytes, at, end, to);
    // The values to come need not be asked about.
    if (this.#text.isKnownUtf8) this.#module.exports.setUtf8(1);
    return after;
  }

  #takeBase(at: number, end: number): void {
    if (this.#links.baseLength < 0) this.#links.setBase(this.#module.bytes.subarray(at, end));
  }

  #takeMeta(at: number, end: number, isRobots: boolean, isRefresh: boolean): number {
    const content = decoder.decode(this.#module.bytes.subarray(at, end));
    if (isRobots) this.#robots.apply(content, this.#links);
    const url = isRefresh ? refreshUrl(content) : null;
    if (url === null) return 0;
    return at + encoder.encodeInto(url, this.#module.bytes.subarray(at)).written;
  }

  #readHeaders({ robotsTag, link }: PageHeaders, links: LinkList): void {
    if (robotsTag !== '') this.#robots.header(robotsTag, links);
    if (link !== '') readLinkHeader(link, links);
    links.headerCount = links.count;
  }
}

function* decoded(page: Uint8Array, encoding: string): Iterable<string> {
  const pieces = new TextDecoder(encoding);
  for (let at = 0; at < page.length; at += DECODED_AT_ONCE)
    yield pieces.decode(page.subarray(at, at + DECODED_AT_ONCE), { stream: true });
  yield pieces.decode();
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
