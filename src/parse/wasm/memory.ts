/** The memory behind the module's own tables: laid out anew for each page, and grown as needed. */
import { SLACK } from './bytes';

const PAGE_BYTES = 65536;
const BLOCK = 16;

/** Where the first region begins. */
export function firstRegion(): usize {
  return __heap_base;
}

/** Where a region may begin that follows one of `length` bytes at `at`. */
export function regionAfter(at: usize, length: usize): usize {
  return (at + length + SLACK + BLOCK - 1) & ~(BLOCK - 1);
}

/** Makes sure that there is memory before `end`, and behind it as much as stores may reach. Traps if there can't be. */
export function ensureMemory(end: usize): void {
  const pages = ((end + SLACK + PAGE_BYTES - 1) / PAGE_BYTES) as i32;
  const missing = pages - memory.size();
  // By a quarter at least, so that bytes are moved seldom.
  if (missing > 0 && memory.grow(max(missing, memory.size() >> 2)) < 0) unreachable();
}
