/**
 * When the next request to an IP address may start, in memory that all agents share: `--ip-delay` holds over all of
 * them.
 *
 * | offset    | size | name    | writes                      | reads |
 * |-----------|------|---------|-----------------------------|-------|
 * | 0         | 8    | origin  | allocateIpTable, once       | all   |
 * | 8 + 4 i   | 4    | cell i  | any agent, compare-exchange | all   |
 *
 * A cell is the time from which a request to any address that falls on it may start: milliseconds since the origin,
 * modulo 2^32. Addresses are not kept: two of them on one cell only wait for each other, so a crowded table is slower
 * than it need be and never less polite, and nothing has to be evicted.
 *
 * Invariants
 * 1. A cell is moved on by a compare-exchange from a time that has passed: of agents that race for it one wins.
 * 2. A cell lies at most MAX_DELAY_MS ahead of the time it was written at. One that seems further ahead was written
 *    more than 2^31 ms ago, and has passed.
 */
import { assert } from '../model/assert.js';

const HEADER_BYTES = 8;
export const MAX_DELAY_MS = 3600e3;

/** `bytes` of shared memory at most; `now` is the shared clock's. */
export function allocateIpTable(bytes: number, now: number): SharedArrayBuffer {
  const cells = 2 ** Math.floor(Math.log2(Math.max(64, (bytes - HEADER_BYTES) / 4)));
  const memory = new SharedArrayBuffer(HEADER_BYTES + 4 * cells);
  new Float64Array(memory, 0, 1)[0] = now;
  return memory;
}

/** Stands for an address in the table, the same in every thread. */
export function ipKey(address: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < address.length; i++) hash = Math.imul(hash ^ address.charCodeAt(i), 0x01000193);
  // Neighbouring addresses differ in their last characters: spread these over all bits.
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

export class IpTable {
  readonly #origin: number;
  readonly #cells: Int32Array;

  constructor(memory: SharedArrayBuffer) {
    this.#origin = new Float64Array(memory, 0, 1)[0]!;
    this.#cells = new Int32Array(memory, HEADER_BYTES);
  }

  /**
   * 0 if a request to the address may start now: then the next may not for `delay` ms. Else the milliseconds after
   * which to ask again; nothing is reserved. REQUIRES: 0 <= delay <= MAX_DELAY_MS; `now` is the shared clock's.
   */
  reserve(key: number, now: number, delay: number): number {
    assert(delay >= 0 && delay <= MAX_DELAY_MS, 'a pause fits the table of addresses');
    const cell = key & (this.#cells.length - 1);
    const time = now - this.#origin;
    const whole = Math.floor(time);
    for (;;) {
      const next = Atomics.load(this.#cells, cell);
      const ahead = (next - whole) | 0;
      if (ahead > 0 && ahead <= MAX_DELAY_MS + 1) return ahead - (time - whole);
      // Publishes the reservation to all agents.
      if (Atomics.compareExchange(this.#cells, cell, next, Math.ceil(time + delay) | 0) === next) return 0;
    }
  }
}
