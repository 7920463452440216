/** A sitemap that is a plain text list: one URL a line. A line that is no http or https URL is no entry. */
import { CR, LF } from './byte-values.js';
import { asciiBytes, isSpace, matchesWord } from './markup-bytes.js';
import { MAX_LOC_BYTES, type SitemapEntries } from './sitemap-entries.js';

const SCHEMES = ['http://', 'https://'].map(asciiBytes);

export class SitemapLines {
  readonly #entries: SitemapEntries;
  readonly #line = new Uint8Array(MAX_LOC_BYTES);
  /** Of a line too long its length alone is kept. */
  #length = 0;

  constructor(entries: SitemapEntries) {
    this.#entries = entries;
  }

  write(piece: Uint8Array): void {
    for (const byte of piece) {
      if (byte === LF || byte === CR) this.#endLine();
      else if (this.#length > 0 || !isSpace(byte)) {
        if (this.#length < MAX_LOC_BYTES) this.#line[this.#length] = byte;
        this.#length++;
      }
    }
  }

  end(): void {
    this.#endLine();
  }

  #endLine(): void {
    let length = this.#length;
    this.#length = 0;
    if (length <= MAX_LOC_BYTES) while (length > 0 && isSpace(this.#line[length - 1]!)) length--;
    if (length > 0 && SCHEMES.some((scheme) => matchesWord(this.#line, 0, scheme)))
      this.#entries.add(this.#line, length, Number.NaN, false);
  }
}
