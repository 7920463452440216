/**
 * What one thread sends to another. A full ring never blocks the sender, for two agents waiting on each other's full
 * rings would stop for ever: what does not fit waits here, in order, in memory and then on disk.
 */
import type { SpillQueue } from '../spill/spill-queue.js';
import type { Doorbell } from './doorbell.js';
import type { SpscProducer } from './spsc-ring.js';

export class Outbox {
  readonly #ring: SpscProducer;
  readonly #bell: Doorbell;
  readonly #waiting: SpillQueue;
  /** The oldest waiting record was taken from the queue and did not fit the ring yet. */
  #held = false;

  constructor(ring: SpscProducer, receiverBell: Doorbell, waiting: SpillQueue) {
    this.#ring = ring;
    this.#bell = receiverBell;
    this.#waiting = waiting;
  }

  /** Records that are not in the ring yet. */
  get waiting(): number {
    return this.#waiting.count + (this.#held ? 1 : 0);
  }

  /** Something waits and the receiver made room since. */
  get canDeliver(): boolean {
    return this.waiting > 0 && !this.#ring.isBlocked;
  }

  /** Takes a copy of `bytes[start, end)`. The receiver sees it after the next `deliver`. */
  send(bytes: Uint8Array, start: number, end: number): void {
    if (this.waiting > 0 || !this.#ring.tryWrite(bytes, start, end)) this.#waiting.push(bytes, start, end);
  }

  /** Moves what waits into the ring as far as it goes, and publishes all with one store and one ring of the bell. */
  deliver(): void {
    const queue = this.#waiting;
    while (this.#held || queue.take()) {
      this.#held = !this.#ring.tryWrite(queue.bytes, queue.start, queue.end);
      if (this.#held) break;
    }
    if (this.#ring.publish()) this.#bell.ring();
  }

  close(): void {
    this.#waiting.close();
  }
}
