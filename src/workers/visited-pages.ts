/**
 * The books of an emulated web's crawl: one bit per page number, shared by all agents. Independent of the DRUMs, so
 * that coverage and overlap measure them.
 */
export const allocateVisitedPages = (pages: number): SharedArrayBuffer =>
  new SharedArrayBuffer(Math.ceil(pages / 32) * 4);

export class VisitedPages {
  readonly #words: Int32Array;

  constructor(memory: SharedArrayBuffer) {
    this.#words = new Int32Array(memory);
  }

  /** Books a download; false if the page was booked before. */
  book(page: number): boolean {
    const bit = 1 << (page & 31);
    return (Atomics.or(this.#words, page >>> 5, bit) & bit) === 0;
  }

  has(page: number): boolean {
    return (this.#words[page >>> 5]! & (1 << (page & 31))) !== 0;
  }
}
