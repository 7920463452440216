/**
 * The site partition in shared memory: site key -> agent. The coordinator writes it, every agent reads it, so that an
 * assignment is published once instead of being sent to each agent (fc2l-udcbot broadcasts it; that cost grows with
 * the number of agents). Sites beyond its capacity go to each agent's SitePartitionDrum.
 *
 * | offset | size | name      | writes      | reads  |
 * |--------|------|-----------|-------------|--------|
 * | 0      | 4    | version   | coordinator | agents | grows with every site that got an owner, here or by a record
 * | 4      | 4    | overflown | coordinator | agents | 1: some sites are not in this table
 * | 8      | 16   | seed      | allocateSiteTable, once | all | of the hash that says where a key's slot is
 * | 64     | 12 n | slots     | coordinator | agents | key low, key high, owner + 1 (0: free); linear probing
 *
 * Invariants
 * 1. A slot's key is written before its owner is stored atomically; a slot with an owner never changes.
 * 2. At most three quarters of the slots are taken, so a probe always ends.
 * 3. `overflown` is set before the first site that is not in the table gets its owner.
 */
import { assert } from '../model/assert.js';
import { KeyHash, newTableSeed } from '../model/key-hash.js';

const VERSION = 0;
const OVERFLOWN = 1;
const SEED_OFFSET = 8;
const SEED_WORDS = 4;
const SLOTS_OFFSET = 64;
const SLOT_WORDS = 3;
const OWNER = 2;
const CHUNK_ROWS = 4096;

/** The owner of a site that will not be visited: its host does not exist or was refused. */
export const NOBODY = 0xffff;
/** What `ownerOf` says of a site that is not in the table. */
export const UNKNOWN = -1;

/** Room for as many sites as fit `memoryBytes`, at least a dozen. */
export function allocateSiteTable(memoryBytes: number, seed = newTableSeed()): SharedArrayBuffer {
  const slots = 2 ** Math.floor(Math.log2(Math.max(16, memoryBytes / (4 * SLOT_WORDS))));
  const memory = new SharedArrayBuffer(SLOTS_OFFSET + slots * 4 * SLOT_WORDS);
  new Uint32Array(memory, SEED_OFFSET, SEED_WORDS).set(seed);
  return memory;
}

class SiteTable {
  protected readonly header: Int32Array;
  protected readonly slots: Int32Array;
  protected readonly mask: number;
  readonly #hash: KeyHash;

  constructor(memory: SharedArrayBuffer) {
    this.header = new Int32Array(memory, 0, 2);
    this.slots = new Int32Array(memory, SLOTS_OFFSET);
    this.mask = this.slots.length / SLOT_WORDS - 1;
    this.#hash = new KeyHash(Array.from(new Uint32Array(memory, SEED_OFFSET, SEED_WORDS)));
  }

  /** The slot of a key, or the free slot where it would go. */
  protected probe(siteLow: number, siteHigh: number): number {
    const low = siteLow | 0;
    const high = siteHigh | 0;
    for (let slot = this.#hash.of(low, high) & this.mask; ; slot = (slot + 1) & this.mask) {
      const at = slot * SLOT_WORDS;
      if (Atomics.load(this.slots, at + OWNER) === 0) return at;
      if (this.slots[at] === low && this.slots[at + 1] === high) return at;
    }
  }

  /** An agent's number, NOBODY, or UNKNOWN. */
  ownerOf(siteLow: number, siteHigh: number): number {
    return Atomics.load(this.slots, this.probe(siteLow, siteHigh) + OWNER) - 1;
  }
}

export class SiteTableWriter extends SiteTable {
  #free: number;

  constructor(memory: SharedArrayBuffer) {
    super(memory);
    this.#free = Math.floor(((this.mask + 1) * 3) / 4);
  }

  /** Publishes a site's owner; false if there is no room, and then the caller sends it to every agent. */
  tryPublish(siteLow: number, siteHigh: number, owner: number): boolean {
    if (this.#free === 0) {
      this.setOverflown();
      return false;
    }
    const at = this.probe(siteLow, siteHigh);
    assert(this.slots[at + OWNER] === 0, 'a site gets an owner once');
    assert(owner !== UNKNOWN, 'an owner that is published is known');
    this.slots[at] = siteLow;
    this.slots[at + 1] = siteHigh;
    // Publishes the key; readers that see an owner see its key.
    Atomics.store(this.slots, at + OWNER, owner + 1);
    this.#free--;
    return true;
  }

  get isOverflown(): boolean {
    return Atomics.load(this.header, OVERFLOWN) === 1;
  }

  /** Some sites are known to the agents alone. */
  setOverflown(): void {
    Atomics.store(this.header, OVERFLOWN, 1);
  }

  /** All sites and their owners, as chunks of rows: key low, key high, owner + 1, 4 bytes each. */
  forEachChunk(visit: (bytes: Uint8Array, start: number, end: number) => void): void {
    const chunk = new Int32Array(CHUNK_ROWS * SLOT_WORDS);
    const bytes = new Uint8Array(chunk.buffer);
    let used = 0;
    for (let at = 0; at < this.slots.length; at += SLOT_WORDS) {
      if (this.slots[at + OWNER] === 0) continue;
      for (let i = 0; i < SLOT_WORDS; i++) chunk[used++] = this.slots[at + i]!;
      if (used < chunk.length) continue;
      visit(bytes, 0, bytes.length);
      used = 0;
    }
    if (used > 0) visit(bytes, 0, 4 * used);
  }

  /** Takes a chunk back. */
  restoreChunk(bytes: Uint8Array, start: number, end: number): void {
    const rows = new Int32Array(bytes.slice(start, end).buffer);
    for (let at = 0; at < rows.length; at += SLOT_WORDS) {
      if (!this.tryPublish(rows[at]! >>> 0, rows[at + 1]! >>> 0, rows[at + OWNER]! - 1))
        throw new RangeError('the site table is smaller than it was');
    }
  }

  /** Tells readers that there is something new to look for. */
  announce(): void {
    Atomics.add(this.header, VERSION, 1);
  }
}

export class SiteTableReader extends SiteTable {
  get version(): number {
    return Atomics.load(this.header, VERSION);
  }

  get isOverflown(): boolean {
    return Atomics.load(this.header, OVERFLOWN) === 1;
  }
}
