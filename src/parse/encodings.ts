/** Encodings by their names in the Encoding standard, as far as `TextDecoder` knows them. */
import { singleByteCharacters } from '../model/canonical-url-query.js';

/** Bytes of ASCII can be part of a character here, so a page is decoded as a whole before it is scanned. */
const DECODED_FIRST = new Set([
  'utf-16le',
  'utf-16be',
  'shift_jis',
  'euc-jp',
  'iso-2022-jp',
  'euc-kr',
  'big5',
  'gbk',
  'gb18030',
]);

const names = new Map<string, string | null>();
const MAX_LABELS = 256;
const tables = new Map<string, readonly Uint8Array[]>();

/** The name of the encoding that a label stands for, or null if it stands for none that can be decoded. */
export function encodingOf(label: string): string | null {
  let name = names.get(label);
  if (name === undefined) {
    try {
      name = new TextDecoder(label).encoding;
    } catch {
      name = null;
    }
    // Labels come from pages: what is remembered is bounded.
    if (names.size < MAX_LABELS) names.set(label, name);
  }
  return name;
}

export function isDecodedFirst(encoding: string): boolean {
  return DECODED_FIRST.has(encoding);
}

/** The characters of the bytes from 0x80 on in a single-byte encoding, as UTF-8. */
export function singleByteTable(encoding: string): readonly Uint8Array[] {
  let table = tables.get(encoding);
  if (table === undefined) {
    const encoder = new TextEncoder();
    table = singleByteCharacters(encoding).map((character) => encoder.encode(character));
    tables.set(encoding, table);
  }
  return table;
}
