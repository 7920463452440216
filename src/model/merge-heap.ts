/**
 * Merges sorted sources: the one whose next item comes first stands in front. A binary heap, so that an item costs the
 * logarithm of the number of sources. Of equal items that of the earlier source comes first.
 */
interface Entry<T> {
  readonly source: T;
  readonly rank: number;
}

export class MergeHeap<T> {
  readonly #entries: Entry<T>[];
  readonly #compare: (a: T, b: T) => number;

  /** REQUIRES: each source has an item; `compare` looks at their next ones. */
  constructor(sources: readonly T[], compare: (a: T, b: T) => number) {
    this.#compare = compare;
    this.#entries = sources.map((source, rank) => ({ source, rank }));
    this.#entries.sort((a, b) => this.#order(a, b));
  }

  /** The source with the first item of all; undefined if no source is left. */
  get first(): T | undefined {
    return this.#entries[0]?.source;
  }

  /** The first source went on to its next item, or has none any more. */
  settle(hasMore: boolean): void {
    const entries = this.#entries;
    const first = hasMore ? entries[0]! : entries.pop()!;
    if (entries.length > 0) this.#sink(first);
  }

  /** Puts an entry where it belongs, from the front. */
  #sink(entry: Entry<T>): void {
    const entries = this.#entries;
    for (let at = 0; ; ) {
      let child = 2 * at + 1;
      if (child + 1 < entries.length && this.#order(entries[child + 1]!, entries[child]!) < 0) child++;
      if (child >= entries.length || this.#order(entry, entries[child]!) <= 0) {
        entries[at] = entry;
        return;
      }
      entries[at] = entries[child]!;
      at = child;
    }
  }

  #order(a: Entry<T>, b: Entry<T>): number {
    return this.#compare(a.source, b.source) || a.rank - b.rank;
  }
}
