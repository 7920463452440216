/**
 * Operations handed to a Drum together: keys, values and aux bytes back to back in typed arrays. The caller
 * fills it, hands it over, clears it and fills it again, so nothing is allocated per operation.
 */
import { assert } from '../model/assert.js';

/** A length shares a 32-bit word with the kind of operation in the pending log. */
export const MAX_AUX_BYTES = 0x3fff_ffff;

const KEY_BYTES = 8;
const END_BYTES = 4;

/** Of a DRUM's memory: what callers collect before they hand it over, twice, as arrays grow by doubling. */
const BATCH_SHARE = 1 / 32;
const LARGEST_BATCH = 1 << 20;

/** A batch of so many bytes is handed over: its share of what a DRUM and its batches may take together. */
export function fullBatchBytes(memoryBytes: number): number {
  return Math.min(LARGEST_BATCH, BATCH_SHARE * memoryBytes);
}

export class DrumBatch {
  count = 0;
  /** Low and high half of the key of operation i at 2i and 2i + 1. */
  keys = new Uint32Array(64);
  /** The value of operation i is `values[i * valueBytes, (i + 1) * valueBytes)`. */
  values: Uint8Array;
  aux = new Uint8Array(1024);
  /** The aux of operation i is `aux[i === 0 ? 0 : auxEnds[i - 1], auxEnds[i])`. */
  auxEnds = new Uint32Array(32);
  readonly valueBytes: number;

  constructor(valueBytes = 0) {
    this.valueBytes = valueBytes;
    this.values = new Uint8Array(32 * valueBytes);
  }

  clear(): void {
    this.count = 0;
  }

  /** Of memory, for what was added. */
  get bytes(): number {
    return this.auxLength + this.count * (KEY_BYTES + END_BYTES + this.valueBytes);
  }

  /** Where the next operation's aux begins. */
  get auxLength(): number {
    return this.count === 0 ? 0 : this.auxEnds[this.count - 1]!;
  }

  /** Adds an operation with a value of zeros and a copy of `aux[start, end)`. */
  add(keyLow: number, keyHigh: number, aux: Uint8Array, start: number, end: number): void {
    const at = this.reserve(end - start);
    copyBytes(aux, start, end, this.aux, at);
    this.commitAux(keyLow, keyHigh, end - start);
  }

  /** As `add`, with `value[0, valueBytes)`. */
  addWithValue(
    keyLow: number,
    keyHigh: number,
    value: Uint8Array,
    aux: Uint8Array,
    start: number,
    end: number,
  ): void {
    this.add(keyLow, keyHigh, aux, start, end);
    const at = (this.count - 1) * this.valueBytes;
    for (let i = 0; i < this.valueBytes; i++) this.values[at + i] = value[i]!;
  }

  /**
   * Makes room for `bytes` of aux and returns where they go in `aux` (which may be replaced by this call).
   * Write them, then call `commitAux`; without that, nothing was added.
   */
  reserve(bytes: number): number {
    const at = this.auxLength;
    if (at + bytes > this.aux.length) {
      const larger = new Uint8Array(Math.max(2 * this.aux.length, at + bytes));
      larger.set(this.aux.subarray(0, at));
      this.aux = larger;
    }
    return at;
  }

  /**
   * Adds an operation whose aux is the `length` bytes at the place that `reserve` returned, its value zeros.
   * REQUIRES: `length` is at most what was reserved, and at most MAX_AUX_BYTES.
   */
  commitAux(keyLow: number, keyHigh: number, length: number): void {
    assert(this.auxLength + length <= this.aux.length, 'there is room in a batch for what is added');
    const i = this.count;
    if (i === this.auxEnds.length) this.#grow();
    this.keys[2 * i] = keyLow;
    this.keys[2 * i + 1] = keyHigh;
    this.auxEnds[i] = this.auxLength + length;
    if (this.valueBytes !== 0) this.values.fill(0, i * this.valueBytes, (i + 1) * this.valueBytes);
    this.count = i + 1;
  }

  #grow(): void {
    const capacity = 2 * this.auxEnds.length;
    const keys = new Uint32Array(2 * capacity);
    keys.set(this.keys);
    this.keys = keys;
    const ends = new Uint32Array(capacity);
    ends.set(this.auxEnds);
    this.auxEnds = ends;
    const values = new Uint8Array(capacity * this.valueBytes);
    values.set(this.values);
    this.values = values;
  }
}

/** A loop beats the call and the view that `set` needs while the range is short, as URLs are. */
function copyBytes(from: Uint8Array, start: number, end: number, into: Uint8Array, at: number): void {
  if (end - start > 96) {
    into.set(from.subarray(start, end), at);
    return;
  }
  for (let i = start; i < end; i++) into[at + i - start] = from[i]!;
}
