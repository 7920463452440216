/** The links of the page: their values back to back as UTF-8 in the last region, with their ends and kinds beside it. */
import { ensureMemory } from './memory';
import { testAndAdd } from './repeated-links';
import { MAX_GROWTH, writeValue } from './values';

/** Longer values are not looked at: they are no URLs that the crawler would take. */
const MAX_VALUE_BYTES: usize = 32 * 1024;
/** Up to here a link is looked up among those that stood before. */
const MAX_REPEATED_BYTES: usize = 2048;

/** How many links were found and kept. */
export let count = 0;
/** Links left out because the list was full or their values too long. */
export let dropped = 0;
/** Links left out because they stood in the page before. */
export let repeated = 0;
let capacity = 0;
let keepsRepeated: bool = true;
let ends: usize = 0;
let kinds: usize = 0;
/** The last region, and where the next link begins in it. */
let first: usize = 0;
let next: usize = 0;
/** What ends are counted from. */
let origin: usize = 0;

/** For another page. The region at `bytes` must be the last; `from` is where in a list its first byte comes to be. */
export function beginLinks(
  endsAt: usize,
  kindsAt: usize,
  bytes: usize,
  from: usize,
  room: i32,
  keeps: bool,
): void {
  count = 0;
  dropped = 0;
  repeated = 0;
  ends = endsAt;
  kinds = kindsAt;
  first = bytes;
  next = bytes;
  origin = bytes - from;
  capacity = room;
  keepsRepeated = keeps;
}

export function linkBytes(): usize {
  return next - first;
}

export function isShort(bytes: usize): bool {
  return bytes <= MAX_VALUE_BYTES;
}

/** Whether a value of so many bytes is short enough; the link of a longer one is left out, and counted. */
export function fits(bytes: usize): bool {
  if (isShort(bytes)) return true;
  dropped++;
  return false;
}

/** Whether the link of an `a` element stood in the page before and is left out. */
export function isRepeated(at: usize, end: usize): bool {
  if (keepsRepeated || end - at > MAX_REPEATED_BYTES || !testAndAdd(at, end)) return false;
  repeated++;
  return true;
}

/** Decodes a value to where the next link will be, and returns its end there. It is only kept by `keep`. */
export function decode(at: usize, end: usize): usize {
  ensureMemory(next + MAX_GROWTH * (end - at));
  return writeValue(at, end, next);
}

/** Where `decode` decodes to. */
export function decodedStart(): usize {
  return next;
}

/** Keeps what was decoded last, up to `end`, as a link. */
export function keep(end: usize, kind: i32): void {
  next = end;
  store<u32>(ends + 4 * (count as usize), (end - origin) as u32);
  store<u8>(kinds + (count as usize), kind);
  count++;
}

/** Adds the link [at, end) as it stands in the page. */
export function addLink(at: usize, end: usize, kind: i32): void {
  if (hasRoom()) keep(decode(at, end), kind);
}

/** Whether one more link may be kept; else it counts as dropped. */
export function hasRoom(): bool {
  if (count < capacity) return true;
  dropped++;
  return false;
}
