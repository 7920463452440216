/**
 * The rings of a crawl: one for each ordered pair of threads, and a doorbell for each thread. Agents are 0 to n - 1,
 * the coordinator is n.
 */

import { assert } from '../model/assert.js';
import type { Disk } from '../model/disk.js';
import { SMALLEST_RING } from '../model/memory-plan.js';
import type { RecordVisitor } from '../model/record.js';
import { MAX_RECORD } from '../model/record.js';
import { SpillQueue } from '../spill/spill-queue.js';
import { DOORBELL_BYTES, Doorbell } from './doorbell.js';
import { Outbox } from './outbox.js';
import { allocateRings, type RingSlabs, readEmptyHeads, ringAt } from './ring-slabs.js';
import { SpscConsumer, SpscProducer } from './spsc-ring.js';

/** Sent to every thread; shared memory is shared, not copied. */
export interface MeshMemory {
  readonly threads: number;
  readonly bells: SharedArrayBuffer;
  /** The ring from thread i to thread j is number `i * threads + j`. */
  readonly rings: RingSlabs;
}

if (MAX_RECORD + 4 > SMALLEST_RING) throw new Error('a record does not fit the smallest ring');

export function allocateMesh(threads: number, ringBytes: number): MeshMemory {
  const bells = new SharedArrayBuffer(threads * DOORBELL_BYTES);
  return { threads, bells, rings: allocateRings(threads * threads, ringBytes) };
}

export interface OutboxStorage {
  readonly disk: Disk;
  /** The file for what waits for a thread. */
  path(to: number): string;
  /** Memory for all outboxes of this thread together. */
  readonly memoryBytes: number;
}

/** For `readHeads`. */
export const newHeads = ({ rings }: MeshMemory): Int32Array => new Int32Array(rings.count);

/**
 * Has everything that was published been taken? If so, `heads[i]` is how much ever went through ring i, so that a later
 * look can tell whether anything did in between.
 */
export const readHeads = ({ rings }: MeshMemory, heads: Int32Array): boolean => readEmptyHeads(rings, heads);

interface Inbox {
  readonly ring: SpscConsumer;
  readonly sender: Doorbell;
}

function drain(
  { ring, sender }: Inbox,
  limit: number,
  visit: RecordVisitor,
  beforeFree?: () => void,
): number {
  const taken = ring.drain(limit, visit, beforeFree);
  if (taken > 0 && ring.takeBlocked()) sender.ring();
  return taken;
}

/** One thread's end of every ring it sends to and receives from. */
export class MeshEnd {
  readonly #self: number;
  readonly #bells: Doorbell[];
  readonly #inboxes: Inbox[] = [];
  /** The same by sender; null for the thread itself. */
  readonly #inboxOf: (Inbox | null)[] = [];
  readonly #outboxes: (Outbox | null)[] = [];

  constructor(memory: MeshMemory, self: number, storage: OutboxStorage) {
    const { threads } = memory;
    this.#self = self;
    this.#bells = Array.from({ length: threads }, (_, i) => new Doorbell(memory.bells, i * DOORBELL_BYTES));
    const share = Math.floor(storage.memoryBytes / Math.max(1, threads - 1));
    for (let other = 0; other < threads; other++) {
      if (other === self) {
        this.#inboxOf.push(null);
        this.#outboxes.push(null);
        continue;
      }
      const sender = this.#bells[other]!;
      const inbox = { ring: new SpscConsumer(ringAt(memory.rings, other * threads + self)), sender };
      this.#inboxOf.push(inbox);
      this.#inboxes.push(inbox);
      const ring = new SpscProducer(ringAt(memory.rings, self * threads + other));
      this.#outboxes.push(new Outbox(ring, sender, new SpillQueue(storage.disk, storage.path(other), share)));
    }
  }

  get bell(): Doorbell {
    return this.#bells[this.#self]!;
  }

  send(to: number, bytes: Uint8Array, start: number, end: number): void {
    const outbox = this.#outboxes[to];
    assert(
      outbox !== null && outbox !== undefined,
      'a thread that something is sent to is another one of the mesh',
    );
    outbox.send(bytes, start, end);
  }

  /** Publishes what was sent; what does not fit is tried again at the next call. */
  deliver(): void {
    for (const outbox of this.#outboxes) outbox?.deliver();
  }

  /** Publishes what was sent to one thread. */
  deliverTo(to: number): void {
    this.#outboxes[to]?.deliver();
  }

  /**
   * Visits records from every sender, at most `limit` from each; returns how many. `beforeFree` is called when those of a
   * sender were visited and are still in the ring.
   */
  receive(limit: number, visit: RecordVisitor, beforeFree?: () => void): number {
    let count = 0;
    for (const inbox of this.#inboxes) count += drain(inbox, limit, visit, beforeFree);
    return count;
  }

  /** The same for one sender. */
  receiveFrom(sender: number, limit: number, visit: RecordVisitor, beforeFree?: () => void): number {
    const inbox = this.#inboxOf[sender];
    return inbox === null || inbox === undefined ? 0 : drain(inbox, limit, visit, beforeFree);
  }

  get hasMail(): boolean {
    return this.#inboxes.some(({ ring }) => !ring.isEmpty);
  }

  /** Something that waits to be sent may fit now. */
  get canDeliver(): boolean {
    return this.#outboxes.some((outbox) => outbox?.canDeliver);
  }

  /** Records sent that are not in a ring yet. */
  get waiting(): number {
    let waiting = 0;
    for (const outbox of this.#outboxes) waiting += outbox?.waiting ?? 0;
    return waiting;
  }

  /** Wakes another thread for a reason other than a record. */
  wake(thread: number): void {
    this.#bells[thread]!.ring();
  }

  wakeAll(): void {
    for (const bell of this.#bells) bell.ring();
  }

  close(): void {
    for (const outbox of this.#outboxes) outbox?.close();
  }
}
