/**
 * Many rings of one size, side by side in a few large pieces of memory: what is sent to a thread is paid for by the piece,
 * and the rings of 500 agents are a quarter of a million. Memory that no ring comes to use is never touched, and costs
 * nothing.
 */
import { checkCapacity, headOfEmpty, RING_HEADER, type RingMemory } from './spsc-ring.js';

/** Sent to every thread. */
export interface RingSlabs {
  readonly count: number;
  /** Of each ring. */
  readonly capacity: number;
  /** Ring i is the `i % perSlab`-th of slab `floor(i / perSlab)`. */
  readonly perSlab: number;
  readonly slabs: readonly SharedArrayBuffer[];
}

const SLAB_BYTES = 2 ** 30;

export function allocateRings(count: number, capacity: number, slabBytes = SLAB_BYTES): RingSlabs {
  checkCapacity(capacity);
  const size = RING_HEADER + capacity;
  const perSlab = Math.max(1, Math.floor(slabBytes / size));
  const slabs: SharedArrayBuffer[] = [];
  for (let left = count; left > 0; left -= perSlab)
    slabs.push(new SharedArrayBuffer(size * Math.min(left, perSlab)));
  return { count, capacity, perSlab, slabs };
}

export function ringAt({ capacity, count, perSlab, slabs }: RingSlabs, i: number): RingMemory {
  if (i < 0 || i >= count) throw new RangeError(`ring ${i} of ${count}`);
  const offset = (i % perSlab) * (RING_HEADER + capacity);
  return { buffer: slabs[Math.floor(i / perSlab)]!, offset, capacity };
}

/** Is there nothing in any ring now? If so, `heads[i]` is how much ever went through ring i. For a third thread to ask. */
export function readEmptyHeads({ capacity, count, perSlab, slabs }: RingSlabs, heads: Int32Array): boolean {
  const stride = (RING_HEADER + capacity) / 4;
  for (let first = 0; first < count; first += perSlab) {
    const words = new Int32Array(slabs[first / perSlab]!);
    for (let i = first; i < Math.min(count, first + perSlab); i++) {
      const head = headOfEmpty(words, (i - first) * stride);
      if (head === null) return false;
      heads[i] = head;
    }
  }
  return true;
}
