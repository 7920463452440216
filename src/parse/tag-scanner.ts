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
  endsTagName,
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
  skipCdata,
  skipComment,
  skipRawText,
  skipScript,
} from './skipped-text.js';
import type { TagBatch } from './tag-batch.js';
import { TreeRules } from './tree-rules.js';

const CDATA = asciiBytes('[cdata[');

export class TagScanner {
  readonly #batch: TagBatch;
  readonly #foreign = new ForeignContent();
  readonly #tree = new TreeRules();
  #bytes: Buffer = Buffer.alloc(0);
  /** Set by `#readTag`: whether the tag ended in `/>`. */
  #selfClosing = false;

  constructor(batch: TagBatch) {
    this.#batch = batch;
  }

  /** Scans a whole page; `xml` reads it as XHTML, where no element's content is raw text. */
  scan(bytes: Buffer, xml: boolean): void {
    this.#bytes = bytes;
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
      if (isLetter(byte)) at = this.#startTag(at, xml);
      else if (byte === SLASH) at = this.#endTag(at + 1);
      else if (byte === BANG) at = this.#declaration(at + 1, xml);
      else if (byte === QUESTION) at = skipBogusComment(bytes, at);
    }
  }

  #startTag(at: number, xml: boolean): number {
    const bytes = this.#bytes;
    const end = this.#nameEnd(at);
    const element = knownElement(bytes, at, end);
    const foreign = this.#foreign;
    if (foreign.open && !foreign.startsHtml(bytes, at, end)) return this.#foreignStartTag(at, end, element);
    const counts = this.#tree.startTag(element, bytes, at, end);
    if (element === null || !counts) return this.#skipTag(end);
    const after = element.wanted === 0 ? this.#skipTag(end) : this.#copyTag(element, end);
    if (xml || after >= bytes.length) return after;
    switch (element.content) {
      case 'raw':
        return this.#skipTag(skipRawText(bytes, after, element.name));
      case 'script':
        return this.#skipTag(skipScript(bytes, after));
      case 'plaintext':
        return bytes.length;
      case 'foreign':
        if (!this.#selfClosing) foreign.push(bytes, at, end);
        return after;
      default:
        return after;
    }
  }

  #foreignStartTag(at: number, end: number, element: Element | null): number {
    const after = element?.label === 'a' ? this.#copyTag(element, end) : this.#skipTag(end);
    if (!this.#selfClosing && after <= this.#bytes.length) this.#foreign.push(this.#bytes, at, end);
    return after;
  }

  #endTag(at: number): number {
    const bytes = this.#bytes;
    if (at >= bytes.length) return bytes.length;
    if (!isLetter(bytes[at]!)) return skipBogusComment(bytes, at);
    const end = this.#nameEnd(at);
    const element = knownElement(bytes, at, end);
    if (this.#foreign.open) {
      const isRawText = element?.content === 'raw' || element?.content === 'script';
      this.#foreign.endTag(bytes, at, end, isRawText);
    } else this.#tree.endTag(element, bytes, at, end);
    return this.#skipTag(end);
  }

  /** What follows `<!`. */
  #declaration(at: number, xml: boolean): number {
    const bytes = this.#bytes;
    if (at + 1 < bytes.length && bytes[at] === DASH && bytes[at + 1] === DASH) {
      return skipComment(bytes, at + 2);
    }
    const inCdata = (xml || this.#foreign.open) && bytes[at + 1] === 0x43;
    if (inCdata && matchesWord(bytes, at, CDATA)) return skipCdata(bytes, at + CDATA.length);
    return skipBogusComment(bytes, at);
  }

  #nameEnd(at: number): number {
    const bytes = this.#bytes;
    const limit = bytes.length;
    while (at < limit) {
      const byte = bytes[at]!;
      if (endsTagName(byte)) break;
      at++;
    }
    return at;
  }

  /**
   * Goes through the attributes from the end of a tag's name. Returns the place after the tag's `>`, or one past the
   * page's end if it has none.
   */
  #skipTag(at: number): number {
    const bytes = this.#bytes;
    const limit = bytes.length;
    this.#selfClosing = false;
    while (at < limit) {
      const byte = bytes[at++]!;
      if (byte === GREATER) return at;
      if (isSpace(byte)) continue;
      if (byte === SLASH) {
        this.#selfClosing = at < limit && bytes[at] === GREATER;
        continue;
      }
      while (at < limit && !endsAttributeName(bytes[at]!)) at++;
      while (at < limit && isSpace(bytes[at]!)) at++;
      if (at >= limit || bytes[at] !== EQUALS) continue;
      at++;
      while (at < limit && isSpace(bytes[at]!)) at++;
      if (at >= limit) break;
      const quote = bytes[at]!;
      if (quote === DOUBLE_QUOTE || quote === SINGLE_QUOTE) at = findByte(bytes, quote, at + 1) + 1;
      else if (quote !== GREATER) at = this.#unquotedEnd(at + 1);
    }
    return limit + 1;
  }

  #copyTag(element: Element, at: number): number {
    this.#batch.open(element);
    const after = this.#readTag(at);
    // A tag that the page's end cuts short is none.
    if (after <= this.#bytes.length) this.#batch.close(this.#bytes);
    return after;
  }

  /** As `#skipTag`, giving each attribute to the batch. */
  #readTag(at: number): number {
    const bytes = this.#bytes;
    const batch = this.#batch;
    const limit = bytes.length;
    this.#selfClosing = false;
    while (at < limit) {
      let byte = bytes[at]!;
      if (byte === GREATER) return at + 1;
      if (isSpace(byte)) {
        at++;
        continue;
      }
      if (byte === SLASH) {
        this.#selfClosing = ++at < limit && bytes[at] === GREATER;
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
        at = this.#unquotedEnd(valueStart);
        batch.attribute(bytes, nameStart, nameEnd, valueStart - 1, at, 0);
      }
    }
    return limit + 1;
  }

  #unquotedEnd(at: number): number {
    const bytes = this.#bytes;
    const limit = bytes.length;
    while (at < limit && bytes[at] !== GREATER && !isSpace(bytes[at]!)) at++;
    return at;
  }
}
