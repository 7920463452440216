/** Distinct keys in ascending order, and what the store knows of them. Grows to the fullest bucket. */
export class SortedKeys {
  count = 0;
  high = new Uint32Array(0);
  low = new Uint32Array(0);
  /** 1 if key i is stored. */
  found = new Uint8Array(0);
  /** The stored value of key i, if it is. */
  values = new Uint8Array(0);
  readonly valueBytes: number;

  constructor(valueBytes: number) {
    this.valueBytes = valueBytes;
  }

  /** Room for `capacity` keys; what was in it is lost. */
  reserve(capacity: number): void {
    if (capacity <= this.found.length) return;
    this.high = new Uint32Array(capacity);
    this.low = new Uint32Array(capacity);
    this.found = new Uint8Array(capacity);
    this.values = new Uint8Array(capacity * this.valueBytes);
  }
}
