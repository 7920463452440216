/**
 * Which encoding a page is in: byte order mark, Content-Type, the HTML standard's prescan of the first 1,024
 * bytes, else UTF-8 where the bytes are valid UTF-8 and windows-1252 where not. In XHTML the XML declaration stands
 * for the prescan, and UTF-8 is what is left.
 */
import { isUtf8 } from 'node:buffer';
import { encodingOf } from './encodings.js';

const MAX_DECLARATION_BYTES = 256;

/** `prescan` is asked where it decides, for the encoding that the page's beginning names. */
export function charsetOf(
  page: Uint8Array,
  contentType: string,
  isXml: boolean,
  prescan: () => string | null,
): string {
  const told = byteOrderMark(page) ?? headerCharset(contentType);
  if (isXml) return told ?? declaredEncoding(page) ?? 'utf-8';
  return told ?? prescan() ?? (isUtf8ToTheCut(page) ? 'utf-8' : 'windows-1252');
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

/** The encoding that a `meta` element means by a label in lower case, or null if it is none that can be decoded. */
export function metaEncoding(label: string): string | null {
  if (/^\s*x-user-defined\s*$/.test(label)) return 'windows-1252';
  const encoding = encodingOf(label);
  return encoding?.startsWith('utf-16') ? 'utf-8' : encoding;
}
