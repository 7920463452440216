/**
 * Stable radix sort of pending entries: triples of high half, low half and tag in one Uint32Array, so that
 * moving an entry touches one cache line.
 */
export const ENTRY_WORDS = 3;

const DIGIT_BITS = 11;
const DIGITS = 1 << DIGIT_BITS;
const MASK = DIGITS - 1;
const SMALL = 40;

const offsets = new Uint32Array(DIGITS);

/**
 * Sorts entries `[0, count)` by key; equal keys keep their order. `scratch` is as long as `entries`, and
 * overwritten. All keys begin with the same `prefixBits` bits.
 *
 * Keys are hashes, so 22 bits order a bucket of some thousands but for a few neighbours, which an insertion
 * sort puts right. Keys that are no hashes make it give up and sort by all 64 bits.
 */
export function sortEntries(
  entries: Uint32Array,
  scratch: Uint32Array,
  count: number,
  prefixBits: number,
): void {
  if (count > SMALL) {
    const shift = Math.max(0, 32 - prefixBits - 2 * DIGIT_BITS);
    pass(entries, scratch, count, 0, shift);
    pass(scratch, entries, count, 0, shift + DIGIT_BITS);
  }
  if (insertionSort(entries, count, count > SMALL ? 4 * count : SMALL * SMALL)) return;
  for (let word = 1; word >= 0; word--) {
    pass(entries, scratch, count, word, 0);
    pass(scratch, entries, count, word, DIGIT_BITS);
    pass(entries, scratch, count, word, 2 * DIGIT_BITS);
    entries.set(scratch.subarray(0, ENTRY_WORDS * count));
  }
}

/** One stable pass by the 11 bits of `word` from `shift` up. */
function pass(from: Uint32Array, into: Uint32Array, count: number, word: number, shift: number): void {
  offsets.fill(0);
  const end = count * ENTRY_WORDS;
  for (let i = word; i < end; i += ENTRY_WORDS) {
    const digit = (from[i]! >>> shift) & MASK;
    offsets[digit] = offsets[digit]! + ENTRY_WORDS;
  }
  let sum = 0;
  for (let digit = 0; digit < DIGITS; digit++) {
    const size = offsets[digit]!;
    offsets[digit] = sum;
    sum += size;
  }
  for (let i = 0; i < end; i += ENTRY_WORDS) {
    const digit = (from[i + word]! >>> shift) & MASK;
    const to = offsets[digit]!;
    offsets[digit] = to + ENTRY_WORDS;
    into[to] = from[i]!;
    into[to + 1] = from[i + 1]!;
    into[to + 2] = from[i + 2]!;
  }
}

/** Returns false if it gave up after `moves` moves; equal keys are in order then, too. */
function insertionSort(entries: Uint32Array, count: number, moves: number): boolean {
  const end = count * ENTRY_WORDS;
  let left = moves;
  for (let i = ENTRY_WORDS; i < end; i += ENTRY_WORDS) {
    const high = entries[i]!;
    const low = entries[i + 1]!;
    let to = i - ENTRY_WORDS;
    if (entries[to]! < high || (entries[to] === high && entries[to + 1]! <= low)) continue;
    const tag = entries[i + 2]!;
    while (to >= 0 && (entries[to]! > high || (entries[to] === high && entries[to + 1]! > low))) {
      entries[to + 3] = entries[to]!;
      entries[to + 4] = entries[to + 1]!;
      entries[to + 5] = entries[to + 2]!;
      to -= ENTRY_WORDS;
      left--;
    }
    entries[to + 3] = high;
    entries[to + 4] = low;
    entries[to + 5] = tag;
    if (left < 0) return false;
  }
  return true;
}
