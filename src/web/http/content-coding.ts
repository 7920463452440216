/**
 * Undoes content codings. A page is decoded at once, which costs half of what a stream does; only where the result is large,
 * or the body was cut before its end, a stream decodes as much as fits into memory that the body has to ask for.
 */
import {
  brotliDecompressSync,
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  gunzipSync,
  inflateRawSync,
  inflateSync,
} from 'node:zlib';
import { dataStart, gunzipMembers } from './gzip-members.js';

/** What a server may use: what this module undoes. */
export const ACCEPT_ENCODING = 'gzip, deflate, br';

export type DecodeCallback = (
  body: Uint8Array,
  length: number,
  outcome: 'whole' | 'truncated' | 'bad',
) => void;

export interface CodedBody {
  readonly bytes: Uint8Array;
  readonly length: number;
  /** Calls back, at once or later, when there is memory to decode the body to `bytes`. */
  extend(bytes: number, then: () => void): void;
  /** Takes a buffer that the body was decoded to. */
  adopt(buffer: Uint8Array<ArrayBuffer>): void;
}

type Format = 'gzip' | 'zlib' | 'deflate' | 'br';

const SYNC = { gzip: gunzipSync, zlib: inflateSync, deflate: inflateRawSync, br: brotliDecompressSync };
const STREAM = {
  gzip: createGunzip,
  zlib: createInflate,
  deflate: createInflateRaw,
  br: createBrotliDecompress,
};
const NOTHING = new Uint8Array(0);
/** Codings that are known and not offered: a body in one of them can't be read. */
const NOT_READ = new Set(['compress', 'x-compress', 'zstd', 'dcb', 'dcz']);
/** Nobody means more, and each may multiply the size. */
const MOST_CODINGS = 2;
const LEAST_CHUNK = 16 * 1024;
/** What is decoded to no more than this is not counted: one body at a time has it, until its page is delivered. */
const SMALL = 256 * 1024;
/** Deflate can't multiply by more. */
const LARGEST_RATIO = 1032;

/** The codings to undo, last applied first; null if one of them can't be read. Unknown names are no codings. */
export function codingsOf(contentEncoding: string): readonly string[] | null {
  const codings: string[] = [];
  for (const name of contentEncoding.toLowerCase().split(',')) {
    const coding = name.trim().replace(/^x-gzip$/, 'gzip');
    if (NOT_READ.has(coding)) return null;
    if (coding === 'gzip' || coding === 'deflate' || coding === 'br') codings.unshift(coding);
  }
  return codings.length > MOST_CODINGS ? null : codings;
}

type Job = (done: () => void) => void;

export class ContentDecoder {
  /** Streams run one at a time, so that each has its threads' time. All of them have their memory. */
  readonly #jobs: Job[] = [];

  /**
   * Decodes `bytes[0, length)` to `bound` bytes at most and calls back, at once where the body is whole and small. `isCut`
   * says that its end is missing. REQUIRES: the body is not changed until then.
   */
  decode(
    codings: readonly string[],
    body: CodedBody,
    isCut: boolean,
    bound: number,
    done: DecodeCallback,
  ): void {
    const { bytes, length } = body;
    if (codings.length === 0 || length === 0) {
      done(bytes, length, isCut ? 'truncated' : 'whole');
      return;
    }
    const input = bytes.subarray(0, length);
    const format = formatOf(codings[0]!, input);
    const goOn: DecodeCallback = (decoded, decodedLength, outcome) => {
      if (outcome === 'bad') done(NOTHING, 0, 'bad');
      else {
        const inner = {
          bytes: decoded,
          length: decodedLength,
          extend: body.extend.bind(body),
          adopt: body.adopt.bind(body),
        };
        this.decode(codings.slice(1), inner, outcome === 'truncated', bound, done);
      }
    };
    const whole = isCut ? null : decodeWhole(format, input, Math.min(bound, SMALL));
    if (whole === 'bad') goOn(NOTHING, 0, 'bad');
    else if (whole !== null) goOn(whole, whole.length, 'whole');
    else {
      const told = format === 'gzip' ? toldLength(input) : 0;
      this.#decodeLarge(format, input, body, told > 0 ? Math.min(bound, told) : bound, bound, isCut, goOn);
    }
  }

  /** Decodes to `size` bytes, at once if that is the whole; where it was too little, to `bound`. */
  #decodeLarge(
    format: Format,
    input: Uint8Array,
    body: CodedBody,
    size: number,
    bound: number,
    isCut: boolean,
    done: DecodeCallback,
  ): void {
    body.extend(size, () => {
      const whole = isCut ? null : decodeWhole(format, input, size, size);
      if (whole === 'bad') done(NOTHING, 0, 'bad');
      else if (whole !== null) {
        body.adopt(whole);
        done(whole, whole.length, 'whole');
      } else if (size < bound) this.#decodeLarge(format, input, body, bound, bound, isCut, done);
      else {
        const output = new Uint8Array(bound);
        body.adopt(output);
        this.#enqueue((ended) => {
          decodeSome(format, input, output, isCut, (decoded, length, outcome) => {
            ended();
            done(decoded, length, outcome);
          });
        });
      }
    });
  }

  #enqueue(job: Job): void {
    if (this.#jobs.push(job) === 1) this.#runNext();
  }

  #runNext(): void {
    this.#jobs[0]?.(() => {
      this.#jobs.shift();
      this.#runNext();
    });
  }
}

/** The whole body, or as much of it as a cut left; null if it is damaged, or the result longer than `bound`. */
export function decodeStored(
  coding: string,
  body: Uint8Array,
  isCut: boolean,
  bound: number,
): Uint8Array | null {
  const format = formatOf(coding, body);
  try {
    return SYNC[format](body, { maxOutputLength: bound, ...(isCut ? finishAtCut(format) : {}) });
  } catch {
    const members = format === 'gzip' ? gunzipMembers(body, bound) : null;
    return members === 'bad' ? null : members;
  }
}

/** A body that was cut ends in the middle of its coding, which is no error with this. */
function finishAtCut(format: Format): { finishFlush: number } {
  const { BROTLI_OPERATION_FLUSH, Z_SYNC_FLUSH } = constants;
  return { finishFlush: format === 'br' ? BROTLI_OPERATION_FLUSH : Z_SYNC_FLUSH };
}

/** Null if the result is too large. */
function decodeWhole(
  format: Format,
  input: Uint8Array,
  bound: number,
  expected = 4 * input.length,
): Buffer<ArrayBuffer> | 'bad' | null {
  const told = format === 'gzip' ? toldLength(input) : 0;
  if (told > bound) return null;
  // One chunk that holds the whole result, with a byte to spare, saves joining several.
  const wanted = Math.min(bound, Math.max(LEAST_CHUNK, told > 0 ? told : expected)) + 1;
  // What zlib refuses to take is not the body's fault.
  const chunkSize = Math.max(constants.Z_MIN_CHUNK, wanted);
  try {
    return SYNC[format](input, { chunkSize, maxOutputLength: bound });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') return null;
    return format === 'gzip' ? gunzipMembers(input, bound) : 'bad';
  }
}

/** Fills `output` with as much as fits. */
function decodeSome(
  format: Format,
  input: Uint8Array,
  output: Uint8Array,
  isCut: boolean,
  done: DecodeCallback,
): void {
  const stream = STREAM[format](isCut ? finishAtCut(format) : {});
  let length = 0;
  let isFinished = false;
  const finish = (outcome: 'whole' | 'truncated' | 'bad'): void => {
    if (isFinished) return;
    isFinished = true;
    stream.destroy();
    if (outcome === 'bad') done(NOTHING, 0, 'bad');
    else done(output, length, outcome);
  };
  stream.on('data', (chunk: Buffer) => {
    const room = output.length - length;
    output.set(chunk.length > room ? chunk.subarray(0, room) : chunk, length);
    length += Math.min(room, chunk.length);
    if (chunk.length > room) finish('truncated');
  });
  stream.on('error', () => {
    const start = format === 'gzip' && !isFinished ? dataStart(input, 0) : -1;
    const members = start < 0 ? 'bad' : gunzipMembers(input, output.length);
    if (members === 'bad') finish('bad');
    else if (members === null) {
      // More than fits, and what stands behind the end would be an error: data alone has none.
      isFinished = true;
      decodeSome('deflate', input.subarray(start), output, true, done);
    } else {
      output.set(members);
      length = members.length;
      finish('whole');
    }
  });
  stream.on('end', () => finish(isCut ? 'truncated' : 'whole'));
  stream.end(input);
}

/** `deflate` is the zlib format by the standard and raw deflate by habit of some servers. */
function formatOf(coding: string, input: Uint8Array): Format {
  if (coding !== 'deflate') return coding as Format;
  const isZlib = (input[0]! & 0x0f) === 8 && (256 * input[0]! + (input[1] ?? 0)) % 31 === 0;
  return isZlib ? 'zlib' : 'deflate';
}

/** A gzip member ends with the length of what it holds; 0 where that can't be true. */
function toldLength(input: Uint8Array): number {
  const end = input.length;
  if (end < 18) return 0;
  const told = input[end - 4]! + 256 * (input[end - 3]! + 256 * (input[end - 2]! + 256 * input[end - 1]!));
  return told <= LARGEST_RATIO * end ? told : 0;
}
