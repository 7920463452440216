/** SHA-1 digests as archives write them: 32 characters of base 32. */
import { createHash } from 'node:crypto';

export const DIGEST_BYTES = 20;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Of the parts, one after the other. */
export function sha1(...parts: readonly Uint8Array[]): Buffer {
  const hash = createHash('sha1');
  for (const part of parts) hash.update(part);
  return hash.digest();
}

/** REQUIRES: the length is a multiple of 5. */
export function base32(bytes: Uint8Array): string {
  let text = '';
  let bits = 0;
  let held = 0;
  for (const byte of bytes) {
    held = ((held & 0x1f) << 8) | byte;
    bits += 8;
    for (; bits >= 5; bits -= 5) text += ALPHABET[(held >>> (bits - 5)) & 0x1f];
  }
  return text;
}
