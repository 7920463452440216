/**
 * A body as it comes in pieces. In one piece it stays where it is, if it may; others are joined in buffers of the memory. It
 * asks for more before it needs it, so that little is held that there is no room for.
 */
import type { BodyMemory, Claimant } from './body-memory.js';
import { discard } from './discard.js';

/** Below this, nothing is counted: most pages. */
const SMALL = 64 * 1024;
/** What a connection reads at once. */
const NEXT = 32 * 1024;
const LEAST = 8 * 1024;
/** A length announced is believed to this. */
const BELIEVED = 1024 * 1024;
const NOTHING = new Uint8Array(0);

export class Body implements Claimant {
  bytes: Uint8Array = NOTHING;
  length = 0;
  isTruncated = false;
  reserved = 0;
  wanted = 0;
  isWaiting = false;
  readonly #memory: BodyMemory;
  readonly #bound: number;
  /** `bytes`, where that is a buffer of the memory, and its size. */
  #buffer: Uint8Array<ArrayBuffer> | null = null;
  #capacity = 0;
  /** Bytes of the whole, or Infinity where that was not said. */
  #announced = Number.POSITIVE_INFINITY;
  /** Came, and has no room. */
  #held: Uint8Array = NOTHING;
  #resume: () => void = () => {};
  /** What it is decoded to. */
  #isExtended = false;
  readonly #adopted: Uint8Array<ArrayBuffer>[] = [];

  constructor(memory: BodyMemory, bound: number) {
    this.#memory = memory;
    this.#bound = bound;
  }

  /**
   * `announced` bytes are to come, or -1; `resume` lets the connection go on after it was paused. False if it must pause:
   * where others wait, a large body does so before it has anything.
   */
  begin(announced: number, resume: () => void): boolean {
    if (announced >= 0) this.#announced = announced;
    this.#resume = resume;
    return announced <= SMALL || this.#bound <= SMALL || this.#memory.waiting === 0 || this.#ask(SMALL + 1);
  }

  /**
   * False if the connection must pause. Bytes beyond the bound are dropped, and the body is truncated. `mayKeep`: the chunk
   * is not written over.
   */
  append(chunk: Uint8Array, mayKeep: boolean): boolean {
    const left = this.#bound - this.length - this.#held.length;
    if (chunk.length > left) this.isTruncated = true;
    const part = chunk.length > left ? chunk.subarray(0, left) : chunk;
    if (this.length === 0 && mayKeep) {
      this.bytes = part;
      this.length = part.length;
    } else this.#take(part);
    if ((this.isTruncated && this.#held.length === 0) || this.#allows(this.#next)) return true;
    return this.#ask(this.#next);
  }

  /** What the body waited for is there. */
  goOn(): void {
    this.isWaiting = false;
    if (this.#isExtended) this.reserved += this.wanted;
    else this.#grow();
    this.#resume();
  }

  /** All came, and is to be decoded to `bytes`: calls back, at once or later, when there is memory for that. */
  extend(bytes: number, then: () => void): void {
    this.#isExtended = true;
    this.wanted = bytes;
    this.#resume = then;
    if (this.#memory.claim(this)) this.goOn();
    else this.isWaiting = true;
  }

  /** A buffer that the body was decoded to is its own from here. */
  adopt(buffer: Uint8Array<ArrayBuffer>): void {
    this.#adopted.push(buffer);
  }

  /** The rest will not come, and what came is of no use. */
  drop(): void {
    this.release();
    this.isTruncated = true;
  }

  /** Gives the memory back; the bytes are no longer the body's. */
  release(): void {
    if (this.reserved > 0 || this.isWaiting) this.#memory.release(this);
    this.#giveBuffer();
    for (const buffer of this.#adopted) discard(buffer);
    this.#adopted.length = 0;
    this.reserved = 0;
    this.isWaiting = false;
    this.#held = NOTHING;
    this.bytes = NOTHING;
    this.length = 0;
  }

  /** Bytes that there must be room for before more is read. */
  get #next(): number {
    const here = this.length + this.#held.length;
    return Math.min(this.#bound, Math.max(here, Math.min(here + NEXT, this.#announced)));
  }

  /** Asks for so many bytes in all; false if they must be waited for. */
  #ask(size: number): boolean {
    this.wanted = this.#sizeFor(size) - this.reserved;
    if (this.#memory.claim(this)) this.#grow();
    else this.isWaiting = true;
    return !this.isWaiting;
  }

  #allows(size: number): boolean {
    return size <= Math.max(SMALL, this.reserved);
  }

  /** What `wanted` asked for is the body's. */
  #grow(): void {
    this.reserved = this.#memory.isHolder(this) ? this.#bound : this.reserved + this.wanted;
    const held = this.#held;
    this.#held = NOTHING;
    if (held.length > 0) this.#take(held);
  }

  /** Appends as much as there is room for, and holds the rest, which is none where pieces are as large as expected. */
  #take(part: Uint8Array): void {
    const room = Math.max(SMALL, this.reserved);
    const fits = Math.min(part.length, room - this.length);
    if (fits < part.length) this.#held = Uint8Array.from(part.subarray(fits));
    if (this.length + fits > this.#capacity)
      this.#move(this.reserved > 0 ? this.reserved : Math.min(SMALL, this.#sizeFor(this.length + fits)));
    this.bytes.set(fits < part.length ? part.subarray(0, fits) : part, this.length);
    this.length += fits;
  }

  /** The size of a buffer for so many bytes, and for what is to come soon. */
  #sizeFor(needed: number): number {
    const most = Math.min(this.#bound, Math.max(needed, this.#announced));
    const expected = this.#announced <= BELIEVED ? this.#announced : needed;
    let size = LEAST;
    while (size < needed || size < expected) size *= 2;
    return Math.min(size, most);
  }

  #move(size: number): void {
    const larger = this.#memory.take(size);
    larger.set(this.bytes.subarray(0, this.length));
    this.#giveBuffer();
    this.bytes = this.#buffer = larger;
    this.#capacity = larger.length;
  }

  #giveBuffer(): void {
    if (this.#buffer !== null) this.#memory.give(this.#buffer);
    this.#buffer = null;
    this.#capacity = 0;
  }
}
