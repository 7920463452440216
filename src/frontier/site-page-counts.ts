/**
 * How many pages each site has had, for `--pages-per-site`: 12 bytes a site in an open-addressing table, kept only when
 * the option is given.
 */
const SLOT_WORDS = 3;

export class SitePageCounts {
  readonly #limit: number;
  #slots = new Uint32Array(64 * SLOT_WORDS);
  #used = 0;

  /** `limit` may be Infinity: then nothing is kept. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** May one more page of the site be fetched? If so, it is counted. */
  admit(siteLow: number, siteHigh: number): boolean {
    if (this.#limit === Number.POSITIVE_INFINITY) return true;
    const at = this.#probe(siteLow, siteHigh);
    const isNew = this.#slots[at] === 0 && this.#slots[at + 1] === 0;
    const count = this.#slots[at + 2]!;
    if (count >= this.#limit) return false;
    this.#slots[at] = siteLow;
    this.#slots[at + 1] = siteHigh;
    this.#slots[at + 2] = count + 1;
    if (isNew && ++this.#used * 4 > (this.#slots.length / SLOT_WORDS) * 3) this.#grow();
    return true;
  }

  /** Gives a page back that did not come. REQUIRES: it was admitted. */
  release(siteLow: number, siteHigh: number): void {
    if (this.#limit === Number.POSITIVE_INFINITY) return;
    const at = this.#probe(siteLow, siteHigh) + 2;
    // A slot stays taken at count 0: later probes run over it.
    this.#slots[at] = this.#slots[at]! - 1;
  }

  #probe(siteLow: number, siteHigh: number): number {
    const slots = this.#slots;
    const mask = slots.length / SLOT_WORDS - 1;
    for (let slot = siteLow & mask; ; slot = (slot + 1) & mask) {
      const at = slot * SLOT_WORDS;
      if (slots[at] === siteLow && slots[at + 1] === siteHigh) return at;
      if (slots[at] === 0 && slots[at + 1] === 0) return at;
    }
  }

  #grow(): void {
    const old = this.#slots;
    this.#slots = new Uint32Array(2 * old.length);
    for (let at = 0; at < old.length; at += SLOT_WORDS) {
      if (old[at] === 0 && old[at + 1] === 0) continue;
      this.#slots.set(old.subarray(at, at + SLOT_WORDS), this.#probe(old[at]!, old[at + 1]!));
    }
  }
}
