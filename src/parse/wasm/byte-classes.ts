/**
 * The bytes that stand for themselves in a part of a URL. A class is told by 16 bytes: for each value of a byte's low four
 * bits, the high four bits with which it belongs to the class, a bit each.
 */

const LOW_BITS = i8x16.splat(0x0f);
/** A bit for each value of the high four bits, none for those of no ASCII. */
const HIGH_BITS = i8x16(1, 2, 4, 8, 16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0, 0);

export const pathBytes = memory.data(16);
export const queryBytes = memory.data(16);
export const hostBytes = memory.data(16);
export const schemeBytes = memory.data(16);

function put(byte: i32, bytes: usize): void {
  const at = bytes + ((byte & 0x0f) as usize);
  store<u8>(at, (load<u8>(at) as i32) | (1 << (byte >> 4)));
}

function putAll(text: string, bytes: usize): void {
  for (let i = 0; i < text.length; i++) put(text.charCodeAt(i), bytes);
}

const ALPHANUMERICS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
putAll(ALPHANUMERICS, pathBytes);
putAll("-._~!$&'()*+,;=:@/", pathBytes);
putAll(ALPHANUMERICS, hostBytes);
putAll('-._', hostBytes);
putAll(ALPHANUMERICS, schemeBytes);
putAll('+-.', schemeBytes);
for (let byte = 0x21; byte < 0x7f; byte++)
  if (byte !== 0x22 && byte !== 0x23 && byte !== 0x27 && byte !== 0x3c && byte !== 0x3e)
    put(byte, queryBytes);

/** Which of 16 bytes are not in the class, a bit each. */
export function others(bytes: v128, inClass: usize): i32 {
  const low = i8x16.swizzle(v128.load(inClass), v128.and(bytes, LOW_BITS));
  const high = i8x16.swizzle(HIGH_BITS, i8x16.shr_u(bytes, 4));
  return i8x16.bitmask(i8x16.eq(v128.and(low, high), i8x16.splat(0)));
}

export function isIn(byte: i32, inClass: usize): bool {
  return byte < 0x80 && (load<u8>(inClass + ((byte & 0x0f) as usize)) & (1 << (byte >> 4))) !== 0;
}
