/**
 * The randomness of the synthetic web: 32-bit integer hashes, so that the same spec is the same web on
 * every machine. Shares become thresholds on 32 bits; multiplying by a power of two is exact.
 */

const GOLDEN = 0x9e3779b9;

/** A bijection of 32 bits in which every bit of the input sways every bit of the result. */
function scramble(value: number): number {
  let z = value | 0;
  z = Math.imul(z ^ (z >>> 16), 0x21f0aaad);
  z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
  return (z ^ (z >>> 15)) >>> 0;
}

/** 32 bits for a number; one `salt` per use, so that two uses of a number are unrelated. */
export function mix(salt: number, value: number): number {
  return scramble(scramble(value + Math.imul(salt, GOLDEN)) ^ salt);
}

/** `draw32() < threshold(share)` holds for that share of the draws. */
export function threshold(share: number): number {
  return share * 0x1_0000_0000;
}

/** A stream of draws that begins anew for each page. */
export class Draws {
  #state = 0;

  begin(salt: number, value: number): void {
    this.#state = mix(salt, value);
  }

  /** An unsigned 32-bit number. */
  draw32(): number {
    this.#state = (this.#state + GOLDEN) | 0;
    return scramble(this.#state);
  }

  /** A number in [0, 1). */
  draw(): number {
    return this.draw32() / 0x1_0000_0000;
  }
}
