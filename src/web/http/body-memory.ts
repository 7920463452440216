/**
 * Memory of the bodies being received. Invariants:
 * 1. A body in one piece stays where the socket put it: nothing is copied.
 * 2. Others are joined in buffers that are used again. Those above SMALL are counted, and together they stay within
 *    the budget plus one body: what would pass it waits, with its connection paused, until others are done.
 * 3. While bodies wait, one at least does not: if all would, the first goes on beyond the budget.
 */
const SMALL = 128 * 1024;
const LEAST = 32 * 1024;
/** A length announced is believed to this. */
const BELIEVED = 1024 * 1024;
const NOTHING = new Uint8Array(0);

export class BodyMemory {
  readonly #budget: number;
  /** Free buffers by their size. */
  readonly #free = new Map<number, Uint8Array[]>();
  #freeBytes = 0;
  #reserved = 0;
  /** Large bodies that do not wait. */
  #going = 0;
  #waiting: Body[] = [];
  #isWaking = false;

  constructor(budget: number) {
    this.#budget = budget;
  }

  /** Bytes of large bodies under way. */
  get reserved(): number {
    return this.#reserved;
  }

  take(size: number): Uint8Array {
    const buffer = this.#free.get(size)?.pop();
    if (buffer === undefined) return new Uint8Array(size);
    this.#freeBytes -= size;
    return buffer;
  }

  give(buffer: Uint8Array): void {
    const size = buffer.length;
    if (this.#freeBytes + size > this.#budget / 4) return;
    this.#freeBytes += size;
    const same = this.#free.get(size);
    if (same === undefined) this.#free.set(size, [buffer]);
    else same.push(buffer);
  }

  /** May the body have `more` bytes now? If not, it waits and is told to go on. */
  reserve(body: Body, more: number, isLarge: boolean): boolean {
    if (isLarge) this.#going--;
    if (this.#waiting.length === 0 && this.#fits(more)) {
      this.#reserved += more;
      this.#going++;
      return true;
    }
    this.#waiting.push(body);
    this.#wakeSoon();
    return false;
  }

  /** The body is done with the `bytes` it had reserved. */
  release(body: Body, bytes: number): void {
    this.#reserved -= bytes;
    const at = body.isWaiting ? this.#waiting.indexOf(body) : -1;
    if (at >= 0) this.#waiting.splice(at, 1);
    else if (bytes > 0) this.#going--;
    this.#wakeSoon();
  }

  #fits(more: number): boolean {
    return this.#going === 0 || this.#reserved + more <= this.#budget;
  }

  /** Not from within a parser's callback: it does not stand being resumed there. */
  #wakeSoon(): void {
    if (this.#isWaking || this.#waiting.length === 0) return;
    this.#isWaking = true;
    setImmediate(() => {
      this.#isWaking = false;
      while (this.#waiting.length > 0 && this.#fits(this.#waiting[0]!.wanted)) {
        const body = this.#waiting.shift()!;
        this.#reserved += body.wanted;
        this.#going++;
        body.goOn();
      }
    });
  }
}

export class Body {
  bytes: Uint8Array = NOTHING;
  length = 0;
  isTruncated = false;
  /** Bytes it waits for. */
  wanted = 0;
  readonly #memory: BodyMemory;
  readonly #bound: number;
  /** Where `bytes` is a buffer of the memory, its size. */
  #capacity = 0;
  #reserved = 0;
  #expected = 0;
  #held: Uint8Array | null = null;
  #resume: () => void = () => {};

  constructor(memory: BodyMemory, bound: number) {
    this.#memory = memory;
    this.#bound = bound;
  }

  get isWaiting(): boolean {
    return this.#held !== null;
  }

  /** `expected` bytes are announced, or -1; `resume` lets the connection go on after it was paused. */
  begin(expected: number, resume: () => void): void {
    this.#expected = Math.min(expected, BELIEVED);
    this.#resume = resume;
  }

  /** False if the connection must pause. Bytes beyond the bound are dropped, and the body is truncated. */
  append(chunk: Uint8Array): boolean {
    const room = this.#bound - this.length;
    if (chunk.length > room) this.isTruncated = true;
    const part = chunk.length > room ? chunk.subarray(0, room) : chunk;
    if (part.length === 0) return true;
    if (this.length === 0) {
      this.bytes = part;
      this.length = part.length;
      return true;
    }
    if (!this.#makeRoom(this.length + part.length)) {
      this.#held = part;
      return false;
    }
    this.bytes.set(part, this.length);
    this.length += part.length;
    return true;
  }

  /** What the body waited for is there. */
  goOn(): void {
    const part = this.#held!;
    this.#held = null;
    this.#reserved += this.wanted;
    this.#move(this.#sizeFor(this.length + part.length));
    this.bytes.set(part, this.length);
    this.length += part.length;
    this.#resume();
  }

  /** The rest will not come, and what came is of no use. */
  drop(): void {
    this.release();
    this.isTruncated = true;
  }

  /** Gives the memory back; the bytes are no longer the body's. */
  release(): void {
    if (this.#reserved > 0 || this.isWaiting) this.#memory.release(this, this.#reserved);
    if (this.#capacity > 0) this.#memory.give(this.bytes);
    this.#reserved = 0;
    this.#capacity = 0;
    this.#held = null;
    this.bytes = NOTHING;
    this.length = 0;
  }

  #makeRoom(needed: number): boolean {
    if (needed <= this.#capacity) return true;
    const size = this.#sizeFor(needed);
    if (size > SMALL) {
      this.wanted = size - this.#reserved;
      if (!this.#memory.reserve(this, this.wanted, this.#reserved > 0)) return false;
      this.#reserved = size;
    }
    this.#move(size);
    return true;
  }

  #sizeFor(needed: number): number {
    let size = LEAST;
    while (size < needed || size < this.#expected) size *= 2;
    return Math.min(size, Math.max(needed, this.#bound));
  }

  #move(size: number): void {
    const larger = this.#memory.take(size);
    larger.set(this.bytes.subarray(0, this.length));
    if (this.#capacity > 0) this.#memory.give(this.bytes);
    this.bytes = larger;
    this.#capacity = size;
  }
}
