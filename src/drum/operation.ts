/** Operations as they wait to be answered. */
export const CHECK = 0;
export const UPDATE = 1;
export const CHECK_UPDATE = 2;
export type OperationKind = typeof CHECK | typeof UPDATE | typeof CHECK_UPDATE;

/** A kind shares a 32-bit word with a length or a number, and has the last bits of it. */
export const KIND_BITS = 2;
export const KIND_MASK = 3;

/** Operations in the order they came. The arrays may be longer. */
export interface Operations {
  readonly count: number;
  /** Low and high half of the key of operation i at 2i and 2i + 1. */
  readonly keys: Uint32Array;
  /** Length of aux x 4 + kind. */
  readonly heads: Uint32Array;
  /** Back to back. */
  readonly aux: Uint8Array;
}
