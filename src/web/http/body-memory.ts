/**
 * Memory of the bodies under way in one thread. Invariants:
 * 1. What all bodies but one have reserved is within the budget. The one, the holder, may have as much as its bound allows:
 *    so all together have the budget and one body.
 * 2. A body has all of its memory until it is over. Nobody becomes the holder while another one is.
 * 3. The holder never waits. While there is none, nobody waits for longer than it takes to name one: the first that waits.
 *    So whoever waits goes on after all that waited before it are over, at the latest.
 */

import { discard } from './discard.js';

/** A body, as its memory is concerned with it. */
export interface Claimant {
  /** Bytes it has, and bytes it waits for. */
  readonly reserved: number;
  readonly wanted: number;
  /** It has what it waited for. Called from the event loop. */
  goOn(): void;
}

export class BodyMemory {
  readonly #budget: number;
  /** Free buffers by their size. */
  readonly #free = new Map<number, Uint8Array<ArrayBuffer>[]>();
  #freeBytes = 0;
  /** The buffer of the last holder: too large for the others, and used again by the next. */
  #spare: Uint8Array<ArrayBuffer> | null = null;
  /** Bytes of all but the holder. */
  #within = 0;
  #holder: Claimant | null = null;
  /** First come, first served. */
  readonly #waiting = new Set<Claimant>();
  #isWaking = false;

  constructor(budget: number) {
    this.#budget = budget;
  }

  /** Bytes of all bodies. */
  get reserved(): number {
    return this.#within + (this.#holder?.reserved ?? 0);
  }

  /** Bodies that wait. */
  get waiting(): number {
    return this.#waiting.size;
  }

  isHolder(body: Claimant): boolean {
    return this.#holder === body;
  }

  /** At least so many bytes. */
  take(size: number): Uint8Array<ArrayBuffer> {
    if (size > this.#budget && this.#spare !== null && this.#spare.length >= size) {
      const spare = this.#spare;
      this.#spare = null;
      return spare;
    }
    const buffer = this.#free.get(size)?.pop();
    if (buffer === undefined) return new Uint8Array(size);
    this.#freeBytes -= size;
    return buffer;
  }

  give(buffer: Uint8Array<ArrayBuffer>): void {
    const size = buffer.length;
    if (size > this.#budget && this.#spare === null) {
      this.#spare = buffer;
      return;
    }
    if (this.#freeBytes + size > this.#budget / 4) {
      discard(buffer);
      return;
    }
    this.#freeBytes += size;
    const same = this.#free.get(size);
    if (same === undefined) this.#free.set(size, [buffer]);
    else same.push(buffer);
  }

  /** May the body have what it wants now? If not, it waits and is told to go on. */
  claim(body: Claimant): boolean {
    if (this.#holder === body) return true;
    if (this.#within + body.wanted <= this.#budget) {
      this.#within += body.wanted;
      return true;
    }
    this.#waiting.add(body);
    this.#wakeSoon();
    return false;
  }

  /** The body is over, waiting or not. */
  release(body: Claimant): void {
    if (this.#holder === body) this.#holder = null;
    else this.#within -= body.reserved;
    this.#waiting.delete(body);
    this.#wakeSoon();
  }

  /** Not from within a parser's callback: it does not stand being resumed there. */
  #wakeSoon(): void {
    if (this.#isWaking || this.#waiting.size === 0) return;
    this.#isWaking = true;
    setImmediate(() => {
      this.#isWaking = false;
      this.#wake();
    });
  }

  /** Those go on that fit; if some do not and there is no holder, the first of them is. */
  #wake(): void {
    for (const body of this.#waiting) {
      const fits = this.#within + body.wanted <= this.#budget;
      if (!fits && this.#holder !== null) continue;
      if (fits) this.#within += body.wanted;
      else {
        this.#within -= body.reserved;
        this.#holder = body;
      }
      this.#waiting.delete(body);
      body.goOn();
    }
  }
}
