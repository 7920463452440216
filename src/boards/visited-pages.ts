/**
 * The books of an emulated web's crawl: one bit per page number for each agent. Independent of the DRUMs, so that
 * coverage and overlap measure them. An agent's bits are its own, so that they can be set back with everything else of
 * it.
 */
const BITS = 32;
const wordsFor = (pages: number): number => Math.ceil(pages / BITS);

export const allocateVisitedPages = (pages: number, agents: number): SharedArrayBuffer =>
  new SharedArrayBuffer(agents * wordsFor(pages) * 4);

/** One agent's. */
export class VisitedPages {
  readonly #words: Int32Array;

  constructor(memory: SharedArrayBuffer, agent: number, agents: number) {
    const bytes = memory.byteLength / agents;
    this.#words = new Int32Array(memory, agent * bytes, bytes / 4);
  }

  /** For a checkpoint. */
  get bytes(): Uint8Array {
    return new Uint8Array(this.#words.buffer, this.#words.byteOffset, this.#words.byteLength);
  }

  /** Books a download; false if the page was booked before. */
  book(page: number): boolean {
    const bit = 1 << (page & (BITS - 1));
    const word = this.#words[page >>> 5]!;
    this.#words[page >>> 5] = word | bit;
    return (word & bit) === 0;
  }
}

/** Has any agent visited the page? */
export function hasVisited(memory: SharedArrayBuffer, agents: number, page: number): boolean {
  const words = new Int32Array(memory);
  for (let at = page >>> 5; at < words.length; at += words.length / agents) {
    if ((words[at]! & (1 << (page & (BITS - 1)))) !== 0) return true;
  }
  return false;
}

/** Pages that more than one agent visited, counted once for each agent but the first. */
export function visitedByOthers(memory: SharedArrayBuffer, agents: number): number {
  const words = new Int32Array(memory);
  const each = words.length / agents;
  let repeated = 0;
  for (let at = 0; at < each; at++) {
    let seen = 0;
    for (let agent = 0; agent < agents; agent++) {
      const word = words[agent * each + at]!;
      repeated += countBits(seen & word);
      seen |= word;
    }
  }
  return repeated;
}

function countBits(word: number): number {
  let count = 0;
  for (let rest = word; rest !== 0; rest &= rest - 1) count++;
  return count;
}
