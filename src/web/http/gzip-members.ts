/**
 * Gzip bodies with something behind their end that is no gzip: servers append a page's tail or a log line, browsers pass
 * over it, zlib refuses the whole. The members are undone one by one until what follows is none.
 */
import { crc32, inflateRawSync } from 'node:zlib';

const FIXED_HEADER = 10;
const TRAILER = 8;
const HAS_CHECKSUM = 2;
const HAS_EXTRA = 4;
const HAS_NAME = 8;
const HAS_COMMENT = 16;

/** What the members hold: 'bad' if there is none or one is damaged, null if it is more than `bound` bytes. */
export function gunzipMembers(input: Uint8Array, bound: number): Buffer<ArrayBuffer> | 'bad' | null {
  const parts: Buffer<ArrayBuffer>[] = [];
  let length = 0;
  for (let at = 0; ; ) {
    const start = dataStart(input, at);
    if (start < 0) return parts.length === 0 ? 'bad' : Buffer.concat(parts);
    if (length >= bound) return null;
    const member = inflateMember(input.subarray(start), bound - length);
    if (member === 'bad' || member === null) return member;
    parts.push(member.data);
    length += member.data.length;
    at = start + member.bytes;
  }
}

interface Member {
  readonly data: Buffer<ArrayBuffer>;
  /** Bytes it takes in the input, with its trailer. */
  readonly bytes: number;
}

/** One member behind its header. */
function inflateMember(input: Uint8Array, bound: number): Member | 'bad' | null {
  try {
    // The types of Node know nothing of `info`.
    const { buffer, engine } = inflateRawSync(input, { info: true, maxOutputLength: bound }) as unknown as {
      buffer: Buffer<ArrayBuffer>;
      engine: { bytesWritten: number };
    };
    const end = engine.bytesWritten;
    if (end + TRAILER > input.length) return 'bad';
    const trailer = new DataView(input.buffer, input.byteOffset + end, TRAILER);
    const isGood =
      trailer.getUint32(0, true) === crc32(buffer) && trailer.getUint32(4, true) === buffer.length;
    return isGood ? { data: buffer, bytes: end + TRAILER } : 'bad';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? null : 'bad';
  }
}

/** Where the data of the member at `at` begins (RFC 1952, section 2.3); -1 if there is no member. */
export function dataStart(input: Uint8Array, at: number): number {
  if (input[at] !== 0x1f || input[at + 1] !== 0x8b || input[at + 2] !== 8) return -1;
  const flags = input[at + 3]!;
  let start = at + FIXED_HEADER;
  if ((flags & HAS_EXTRA) !== 0) start += 2 + input[start]! + 256 * input[start + 1]!;
  for (const flag of [HAS_NAME, HAS_COMMENT]) {
    if ((flags & flag) === 0) continue;
    const end = input.indexOf(0, start);
    if (end < 0) return -1;
    start = end + 1;
  }
  if ((flags & HAS_CHECKSUM) !== 0) start += 2;
  return start < input.length ? start : -1;
}
