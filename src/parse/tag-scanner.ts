/**
 * Finds tags in a page's bytes as the HTML standard's tokenizer does, and copies those that can carry a link,
 * with only the attributes that matter, into a batch for sax-wasm. The copies are written so plainly (first of
 * duplicate attributes, every value quoted, valid UTF-8) that sax-wasm can't read them differently.
 */
import { type Element, knownElement } from './elements.js';
import { ForeignContent } from './foreign-content.js';
import {
  asciiBytes,
  BANG,
  DASH,
  DOUBLE_QUOTE,
  EQUALS,
  endsAttributeName,
  GREATER,
  isLetter,
  isSpace,
  LESS,
  matchesWord,
  QUESTION,
  SINGLE_QUOTE,
  SLASH,
} from './markup-bytes.js';
import {
  findByte,
  skipBogusComment,
  skipComment,
  skipDoctype,
  skipPast,
  skipRawText,
  skipScript,
} from './skipped-text.js';
import type { TagBatch } from './tag-batch.js';
import { isSelfClosing, skipTag, tagNameEnd, unquotedEnd } from './tag-bytes.js';
import { TreeRules } from './tree-rules.js';

const CDATA = asciiBytes('[cdata[');

export class TagScanner {
  readonly #batch: TagBatch;
  readonly #foreign = new ForeignContent();
  readonly #tree = new TreeRules();
  #bytes: Uint8Array = new Uint8Array(0);
  #isXml = false;

  constructor(batch: TagBatch) {
    this.#batch = batch;
  }

  /** Scans a whole page; `isXml` reads it as XHTML, where no element's content is raw text. */
  scan(bytes: Uint8Array, isXml: boolean): void {
    this.#bytes = bytes;
    this.#isXml = isXml;
    this.#foreign.clear();
    this.#tree.clear();
    const limit = bytes.length;
    let at = 0;
    while (at < limit) {
      if (bytes[at] !== LESS) {
        at = findByte(bytes, LESS, at + 1);
        continue;
      }
      if (++at === limit) return;
      const byte = bytes[at]!;
      if (isLetter(byte)) at = this.#startTag(at);
      else if (byte === SLASH) at = this.#endTag(at + 1);
      else if (byte === BANG) at = this.#declaration(at + 1);
      else if (byte === QUESTION) at = isXml ? skipPast(bytes, '?>', at + 1) : skipBogusComment(bytes, at);
    }
  }

  #startTag(at: number): number {
    const bytes = this.#bytes;
    const end = tagNameEnd(bytes, at);
    const element = knownElement(bytes, at, end);
    const foreign = this.#foreign;
    if (this.#isXml) return (element?.wanted ?? 0) === 0 ? skipTag(bytes, end) : this.#copyTag(element!, end);
    if (element === null && !foreign.open && !this.#tree.inSelect) return skipTag(bytes, end);
    if (foreign.open && !foreign.startsHtml(bytes, at, end)) return this.#foreignStartTag(at, end, element);
    const counts = this.#tree.startTag(element, bytes, at, end);
    if (element === null || !counts) return skipTag(bytes, end);
    const after = element.wanted === 0 ? skipTag(bytes, end) : this.#copyTag(element, end);
    if (after >= bytes.length) return after;
    switch (element.content) {
      case 'raw':
        return skipTag(bytes, skipRawText(bytes, after, element.name));
      case 'script':
        return skipTag(bytes, skipScript(bytes, after));
      case 'plaintext':
        return bytes.length;
      case 'foreign':
        if (!isSelfClosing(bytes, end, after)) foreign.push(bytes, at, end);
        return after;
      default:
        return after;
    }
  }

  #foreignStartTag(at: number, end: number, element: Element | null): number {
    const bytes = this.#bytes;
    const after = element?.label === 'a' ? this.#copyTag(element, end) : skipTag(bytes, end);
    if (after <= bytes.length && !isSelfClosing(bytes, end, after)) this.#foreign.push(bytes, at, end);
    return after;
  }

  #endTag(at: number): number {
    const bytes = this.#bytes;
    if (at >= bytes.length) return bytes.length;
    if (!isLetter(bytes[at]!)) return skipBogusComment(bytes, at);
    const end = tagNameEnd(bytes, at);
    if (this.#isXml) return skipTag(bytes, end);
    const element = knownElement(bytes, at, end);
    if (element === null && !this.#foreign.open && !this.#tree.inSelect) return skipTag(bytes, end);
    if (this.#foreign.open) {
      const isRawText = element?.content === 'raw' || element?.content === 'script';
      this.#foreign.endTag(bytes, at, end, isRawText);
    } else this.#tree.endTag(element, bytes, at, end);
    return skipTag(bytes, end);
  }

  /** What follows `<!`. */
  #declaration(at: number): number {
    const bytes = this.#bytes;
    if (at + 1 < bytes.length && bytes[at] === DASH && bytes[at + 1] === DASH) {
      return this.#isXml ? skipPast(bytes, '-->', at + 2) : skipComment(bytes, at + 2);
    }
    const inCdata = (this.#isXml || this.#foreign.open) && bytes[at + 1] === 0x43;
    if (inCdata && matchesWord(bytes, at, CDATA)) return skipPast(bytes, ']]>', at + CDATA.length);
    return this.#isXml ? skipDoctype(bytes, at) : skipBogusComment(bytes, at);
  }

  #copyTag(element: Element, at: number): number {
    this.#batch.open(element);
    const after = this.#readTag(at);
    // A tag that the page's end cuts short is none.
    if (after <= this.#bytes.length) this.#batch.close(this.#bytes);
    return after;
  }

  /** As `skipTag`, giving each attribute to the batch. */
  #readTag(at: number): number {
    const bytes = this.#bytes;
    const batch = this.#batch;
    const limit = bytes.length;
    while (at < limit) {
      let byte = bytes[at]!;
      if (byte === GREATER) return at + 1;
      if (isSpace(byte) || byte === SLASH) {
        at++;
        continue;
      }
      const nameStart = at++;
      while (at < limit) {
        byte = bytes[at]!;
        if (endsAttributeName(byte)) break;
        at++;
      }
      const nameEnd = at;
      while (at < limit && isSpace(bytes[at]!)) at++;
      if (at === limit) break;
      if (bytes[at] !== EQUALS) {
        batch.attribute(bytes, nameStart, nameEnd, at, at, DOUBLE_QUOTE);
        continue;
      }
      at++;
      while (at < limit && isSpace(bytes[at]!)) at++;
      if (at === limit) break;
      byte = bytes[at]!;
      const valueStart = at + 1;
      if (byte === DOUBLE_QUOTE || byte === SINGLE_QUOTE) {
        at = findByte(bytes, byte, valueStart);
        if (at === limit) break;
        batch.attribute(bytes, nameStart, nameEnd, valueStart, at, byte);
        at++;
      } else if (byte === GREATER) {
        batch.attribute(bytes, nameStart, nameEnd, at, at, DOUBLE_QUOTE);
      } else {
        at = unquotedEnd(bytes, valueStart);
        batch.attribute(bytes, nameStart, nameEnd, valueStart - 1, at, 0);
      }
    }
    return limit + 1;
  }
}
