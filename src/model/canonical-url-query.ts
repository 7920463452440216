/**
 * The URL standard encodes a link's query in the encoding of its page; the `URL` class knows UTF-8 alone. Here a
 * query's other characters are percent-encoded first. Encoders are made by turning `TextDecoder` around.
 */

/** What 0x80 to 0x9F are in windows-1252: some versions of Node decode it as ISO-8859-1. */
const WINDOWS_1252 =
  '\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f' +
  '\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178';

/** The character of each byte from 0x80 on, in a single-byte encoding; U+FFFD where there is none. */
export function singleByteCharacters(encoding: string): string[] {
  const decoder = new TextDecoder(encoding);
  return Array.from({ length: 128 }, (_, i) =>
    encoding === 'windows-1252' && i < 32 ? WINDOWS_1252[i]! : decoder.decode(Uint8Array.of(0x80 + i)),
  );
}

/** Lead bytes of the two-byte characters that an encoder may produce, where it is not all of 0x81 to 0xFE. */
const LEADS: Readonly<Record<string, (lead: number) => boolean>> = {
  // The encoder's index leaves out what came with Hong Kong's extension.
  big5: (lead) => lead >= 0xa1,
  // Rows that repeat characters of other rows.
  shift_jis: (lead) => lead < 0xed || lead > 0xee,
};
const TWO_BYTES = new Set(['shift_jis', 'euc-jp', 'euc-kr', 'big5', 'gbk', 'gb18030']);

type Encoder = ReadonlyMap<string, readonly number[]>;
const encoders = new Map<string, Encoder>();

function makeEncoder(encoding: string): Encoder {
  const map = new Map<string, number[]>();
  const isTwoBytes = TWO_BYTES.has(encoding);
  const decoder = new TextDecoder(encoding);
  const add = (character: string, bytes: number[]) => {
    if (character.length > 0 && !character.includes('\ufffd') && !map.has(character))
      map.set(character, bytes);
  };
  const singles = isTwoBytes
    ? Array.from({ length: 128 }, (_, i) => decoder.decode(Uint8Array.of(0x80 + i)))
    : singleByteCharacters(encoding);
  for (const [i, character] of singles.entries()) add(character, [0x80 + i]);
  if (!isTwoBytes) return map;
  const isLead = LEADS[encoding] ?? (() => true);
  for (let lead = 0x81; lead <= 0xfe; lead++) {
    if (!isLead(lead)) continue;
    for (let trail = 0x40; trail <= 0xfe; trail++) {
      const character = decoder.decode(Uint8Array.of(lead, trail));
      // A pair that is no character decodes as more than one.
      if ([...character].length === 1) add(character, [lead, trail]);
    }
  }
  return map;
}

/**
 * `href` with the characters of its query that are not ASCII percent-encoded in `encoding`. A character that the
 * encoding lacks becomes a numeric reference, as the standard says.
 */
export function encodeQuery(href: string, encoding: string): string {
  const hash = href.indexOf('#');
  const end = hash < 0 ? href.length : hash;
  const start = href.indexOf('?');
  if (start < 0 || start > end || encoding.startsWith('utf-') || encoding === 'iso-2022-jp') return href;
  let encoder = encoders.get(encoding);
  if (encoder === undefined) {
    encoder = makeEncoder(encoding);
    encoders.set(encoding, encoder);
  }
  let query = '';
  for (const character of href.slice(start, end)) {
    const point = character.codePointAt(0)!;
    if (point < 0x80) query += character;
    else {
      const bytes = encoder.get(character);
      query += bytes === undefined ? `%26%23${point}%3B` : bytes.map(percentEncode).join('');
    }
  }
  return href.slice(0, start) + query + href.slice(end);
}

/** Trail bytes can be ASCII, and then stand for themselves. */
function percentEncode(byte: number): string {
  return byte < 0x80 ? String.fromCharCode(byte) : `%${byte.toString(16).toUpperCase()}`;
}
