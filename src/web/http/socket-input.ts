/**
 * What a connection reads, as undici's parser gets it. By itself a socket allocates 64 KiB for each read, and while its body
 * waits for memory it goes on reading some more: with hundreds of large bodies that is most of the memory taken. Here
 * 1. all connections of a thread read into one buffer;
 * 2. of what may hold headers, which undici keeps slices of, the parser gets a copy of its own; of what follows in a body it
 *    gets the buffer itself, and must be done with it when it returns;
 * 3. nothing is read while something that was read is not parsed.
 *
 * A connection that does not read here, as through a tunnel, hands out its own buffers.
 */
import type { Socket } from 'node:net';

/** Most pages come in one read; large bodies that wait hold one or two. */
const READ_BYTES = 32 * 1024;
const shared = new Uint8Array(READ_BYTES);

/** Takes what a socket reads, as an option of `connect`. */
export interface OnRead {
  readonly buffer: Uint8Array;
  callback(bytes: number, buffer: Uint8Array): boolean;
}

export class SocketInput {
  /** Only body is read from here until the response ends. */
  isBody = false;
  #socket: Socket | null = null;
  /** Read, and not parsed yet. */
  #chunk: Buffer | null = null;
  /** Is it, or what the parser got last, the buffer that all share? */
  #isShared = false;

  /** What the parser got last is gone when it returns. */
  get isShared(): boolean {
    return this.#isShared;
  }

  /** For `connect`: reads into the shared buffer. REQUIRES: `attach` is called with the socket before it is ready. */
  readonly onRead: OnRead = {
    buffer: shared,
    callback: (bytes) => {
      this.#isShared = this.isBody;
      this.#chunk = this.isBody
        ? Buffer.from(shared.buffer, 0, bytes)
        : Buffer.from(shared.subarray(0, bytes));
      this.#socket!.emit('readable');
      this.#keep();
      return this.#chunk === null;
    },
  };

  /** Hands out what `onRead` took instead of the socket's own. */
  attach(socket: Socket): void {
    this.#socket = socket;
    const read = socket.read.bind(socket);
    socket.read = (size?: number) => {
      const chunk = this.#chunk;
      if (chunk === null) return read(size) as Buffer | null;
      if (size === 0) {
        // Nobody listened when it came.
        process.nextTick(() => socket.emit('readable'));
        return null;
      }
      this.#chunk = null;
      return chunk;
    };
    socket.unshift = (rest: Buffer) => {
      this.#chunk = rest;
      this.#keep();
    };
  }

  /** What is not parsed now must outlive the next read of another connection. */
  #keep(): void {
    if (this.#chunk === null || !this.#isShared) return;
    this.#chunk = Buffer.from(this.#chunk);
    this.#isShared = false;
  }
}
