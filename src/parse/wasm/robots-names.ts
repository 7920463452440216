/**
 * What `<meta name>` is where it speaks to this crawler. JavaScript writes the names before the first page: of each the
 * length, a byte, and the name, in lower case; a length of 0 behind the last.
 */

/** For three names of 255 bytes. */
export const robotsNames = memory.data(1024);

/** Whether the token [at, end) is one of the names, in any case. */
export function isRobotsName(at: usize, end: usize): bool {
  let name = robotsNames;
  for (let length: usize = load<u8>(name); length > 0; length = load<u8>(name)) {
    if (length === end - at && isSame(at, name + 1, length)) return true;
    name += length + 1;
  }
  return false;
}

function isSame(at: usize, name: usize, length: usize): bool {
  for (let i: usize = 0; i < length; i++) {
    const byte = load<u8>(at + i);
    const folded = byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte;
    if (folded !== load<u8>(name + i)) return false;
  }
  return true;
}
