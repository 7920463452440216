/**
 * Which encoding a page is in: byte order mark, Content-Type, the HTML standard's prescan of the first 1,024
 * bytes, else UTF-8 where the bytes are valid UTF-8 and windows-1252 where not. In XHTML the XML declaration stands
 * for the prescan, and UTF-8 is what is left.
 */
import { isUtf8 } from 'node:buffer';
import {
  BANG,
  DASH,
  DOUBLE_QUOTE,
  EQUALS,
  GREATER,
  LESS,
  QUESTION,
  SINGLE_QUOTE,
  SLASH,
} from './byte-values.js';
import { encodingOf } from './encodings.js';
import { asciiBytes, endsAttributeName, isLetter, isSpace, matchesWord } from './markup-bytes.js';

const PRESCAN_BYTES = 1024;
const MAX_DECLARATION_BYTES = 256;
const META = asciiBytes('meta');

export function charsetOf(page: Uint8Array, contentType: string, isXml: boolean): string {
  const head = page.subarray(0, PRESCAN_BYTES);
  const told = byteOrderMark(page) ?? headerCharset(contentType);
  if (isXml) return told ?? declaredEncoding(head) ?? 'utf-8';
  return told ?? prescan(head) ?? (isUtf8ToTheCut(page) ? 'utf-8' : 'windows-1252');
}

/** The encoding that an XML declaration names, or null if there is none that can be decoded. */
export function declaredEncoding(head: Uint8Array): string | null {
  const text = String.fromCharCode(...head.subarray(0, MAX_DECLARATION_BYTES));
  const found = /^<\?xml\s[^>]*?\sencoding\s*=\s*["']([\w.:-]+)["']/.exec(text);
  const encoding = found === null ? null : encodingOf(found[1]!);
  // Who could read the declaration as ASCII is not reading UTF-16.
  return encoding?.startsWith('utf-16') ? 'utf-8' : encoding;
}

export function byteOrderMark(page: Uint8Array): string | null {
  if (page[0] === 0xef && page[1] === 0xbb && page[2] === 0xbf) return 'utf-8';
  if (page[0] === 0xfe && page[1] === 0xff) return 'utf-16be';
  if (page[0] === 0xff && page[1] === 0xfe) return 'utf-16le';
  return null;
}

function headerCharset(contentType: string): string | null {
  const found = /;\s*charset\s*=\s*(?:"([^"]*)"|([^;\s]*))/i.exec(contentType);
  return found === null ? null : encodingOf(found[1] ?? found[2] ?? '');
}

/** Valid UTF-8, but for a last character that the bound on a page's size may have cut. */
function isUtf8ToTheCut(page: Uint8Array): boolean {
  let end = page.length;
  for (let back = 1; back <= 3 && back <= page.length; back++) {
    const byte = page[page.length - back]!;
    if (byte < 0x80) break;
    if (byte >= 0xc2 && byte <= 0xf4) {
      const size = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      if (back < size) end = page.length - back;
      break;
    }
  }
  return isUtf8(page.subarray(0, end));
}

/** The standard's own small parser: it differs from the tokenizer, and pages are told apart by it. */
function prescan(head: Uint8Array): string | null {
  const reader = new HeadReader(head);
  while (!reader.atEnd) {
    if (reader.byte !== LESS) reader.at++;
    else if (reader.isComment()) reader.skipComment();
    else if (reader.isMeta()) {
      const encoding = metaCharset(reader);
      if (encoding !== null) return encoding;
    } else if (reader.isTag()) {
      reader.skipName();
      while (reader.nextAttribute());
      reader.at++;
    } else if (reader.isBogus()) reader.skipPast(GREATER);
    else reader.at++;
  }
  return null;
}

function metaCharset(reader: HeadReader): string | null {
  reader.at += 1 + META.length;
  const seen = new Set<string>();
  let isContentType = false;
  let needsPragma: boolean | null = null;
  let label: string | null = null;
  while (reader.nextAttribute()) {
    const { name } = reader;
    if (seen.has(name)) continue;
    seen.add(name);
    if (name === 'http-equiv') isContentType ||= reader.value === 'content-type';
    else if (name === 'charset') {
      label = reader.value;
      needsPragma = false;
    } else if (name === 'content' && label === null) {
      label = charsetInContent(reader.value);
      if (label !== null) needsPragma = true;
    }
  }
  reader.at++;
  if (needsPragma === null || (needsPragma && !isContentType)) return null;
  if (/^\s*x-user-defined\s*$/.test(label ?? '')) return 'windows-1252';
  const encoding = encodingOf(label ?? '');
  return encoding?.startsWith('utf-16') ? 'utf-8' : encoding;
}

/** The label in a `content` attribute's value, `text/html; charset=label`. */
function charsetInContent(value: string): string | null {
  const found =
    /charset[\t\n\f\r ]*=[\t\n\f\r ]*(?:"([^"]*)"|'([^']*)'|([^"'\t\n\f\r ;][^\t\n\f\r ;]*))/.exec(value);
  return found === null ? null : (found[1] ?? found[2] ?? found[3] ?? null);
}

class HeadReader {
  readonly #head: Uint8Array;
  at = 0;
  /** The attribute read last. */
  #nameStart = 0;
  #nameEnd = 0;
  #valueStart = 0;
  #valueEnd = 0;

  constructor(head: Uint8Array) {
    this.#head = head;
  }

  get atEnd(): boolean {
    return this.at >= this.#head.length;
  }

  get byte(): number {
    return this.#head[this.at] ?? -1;
  }

  #ahead(offset: number): number {
    return this.#head[this.at + offset] ?? -1;
  }

  isComment(): boolean {
    return this.#ahead(1) === BANG && this.#ahead(2) === DASH && this.#ahead(3) === DASH;
  }

  /** To the `>` of the first `-->`, whose dashes may be those of `<!--`. */
  skipComment(): void {
    this.at += 2;
    while (!this.atEnd) {
      if (this.byte === GREATER && this.#ahead(-1) === DASH && this.#ahead(-2) === DASH) break;
      this.at++;
    }
    this.at++;
  }

  isMeta(): boolean {
    const after = this.#ahead(1 + META.length);
    return matchesWord(this.#head, this.at + 1, META) && (isSpace(after) || after === SLASH);
  }

  isTag(): boolean {
    return isLetter(this.#ahead(1)) || (this.#ahead(1) === SLASH && isLetter(this.#ahead(2)));
  }

  isBogus(): boolean {
    return [BANG, SLASH, QUESTION].includes(this.#ahead(1));
  }

  skipPast(byte: number): void {
    while (!this.atEnd && this.byte !== byte) this.at++;
    this.at++;
  }

  skipName(): void {
    while (!this.atEnd && !isSpace(this.byte) && this.byte !== GREATER) this.at++;
  }

  get name(): string {
    return this.#text(this.#nameStart, this.#nameEnd);
  }

  get value(): string {
    return this.#text(this.#valueStart, this.#valueEnd);
  }

  /** Reads the next attribute of a tag; false at its `>`, where `at` stays. */
  nextAttribute(): boolean {
    while (isSpace(this.byte) || this.byte === SLASH) this.at++;
    if (this.atEnd || this.byte === GREATER) return false;
    this.#nameStart = this.at++;
    while (!this.atEnd && !endsAttributeName(this.byte)) this.at++;
    this.#nameEnd = this.at;
    this.#valueStart = this.at;
    this.#valueEnd = this.at;
    while (isSpace(this.byte)) this.at++;
    if (this.byte !== EQUALS) return true;
    this.at++;
    while (isSpace(this.byte)) this.at++;
    this.#readValue();
    return true;
  }

  #readValue(): void {
    const quote = this.byte;
    if (quote === DOUBLE_QUOTE || quote === SINGLE_QUOTE) {
      this.#valueStart = ++this.at;
      this.skipPast(quote);
      this.#valueEnd = this.at - 1;
      return;
    }
    this.#valueStart = this.at;
    this.skipName();
    this.#valueEnd = this.at;
  }

  #text(start: number, end: number): string {
    return String.fromCharCode(...this.#head.subarray(start, end)).toLowerCase();
  }
}
