/**
 * Undoes content codings. A whole body is decoded at once, which costs half of what a stream does for a page; only
 * where the result passes its bound, or the body was cut before its end, a stream decodes as much as fits.
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
  /** Streams run one at a time: each may fill its bound. */
  readonly #jobs: Job[] = [];

  /**
   * Decodes `bytes[0, length)` to `bound` bytes at most and calls back, at once where the body is whole and fits. `isCut`
   * says that its end is missing. REQUIRES: the body is not changed until then.
   */
  decode(
    codings: readonly string[],
    { bytes, length }: CodedBody,
    isCut: boolean,
    bound: number,
    done: DecodeCallback,
  ): void {
    if (codings.length === 0 || length === 0) {
      done(bytes, length, isCut ? 'truncated' : 'whole');
      return;
    }
    const input = bytes.subarray(0, length);
    const format = formatOf(codings[0]!, input);
    const goOn: DecodeCallback = (decoded, decodedLength, outcome) => {
      if (outcome === 'bad') done(NOTHING, 0, 'bad');
      else {
        const inner = { bytes: decoded, length: decodedLength };
        this.decode(codings.slice(1), inner, outcome === 'truncated', bound, done);
      }
    };
    const whole = isCut ? null : decodeWhole(format, input, bound);
    if (whole === 'bad') goOn(NOTHING, 0, 'bad');
    else if (whole !== null) goOn(whole, whole.length, 'whole');
    else {
      this.#enqueue((ended) => {
        decodeSome(format, input, bound, isCut, (decoded, decodedLength, outcome) => {
          ended();
          goOn(decoded, decodedLength, outcome);
        });
      });
    }
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
function decodeWhole(format: Format, input: Uint8Array, bound: number): Buffer | 'bad' | null {
  const told = format === 'gzip' ? toldLength(input) : 0;
  if (told > bound) return null;
  // One chunk that holds the whole result, with a byte to spare, saves joining several.
  const chunkSize = Math.min(bound, Math.max(LEAST_CHUNK, told > 0 ? told : 4 * input.length)) + 1;
  try {
    return SYNC[format](input, { chunkSize, maxOutputLength: bound });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') return null;
    return format === 'gzip' ? gunzipMembers(input, bound) : 'bad';
  }
}

function decodeSome(
  format: Format,
  input: Uint8Array,
  bound: number,
  isCut: boolean,
  done: DecodeCallback,
): void {
  const stream = STREAM[format](isCut ? finishAtCut(format) : {});
  let output = Buffer.allocUnsafe(Math.min(bound, 4 * LEAST_CHUNK));
  let length = 0;
  stream.on('data', (chunk: Buffer) => {
    const wanted = Math.min(bound, length + chunk.length);
    if (wanted > output.length) {
      const larger = Buffer.allocUnsafe(Math.min(bound, Math.max(wanted, 2 * output.length)));
      output.copy(larger, 0, 0, length);
      output = larger;
    }
    chunk.copy(output, length, 0, wanted - length);
    const isOver = length + chunk.length > bound;
    length = wanted;
    if (isOver) finish('truncated');
  });
  let isFinished = false;
  const finish = (outcome: 'whole' | 'truncated' | 'bad'): void => {
    if (isFinished) return;
    isFinished = true;
    stream.destroy();
    if (outcome === 'bad') done(NOTHING, 0, 'bad');
    else done(output, length, outcome);
  };
  stream.on('error', () => {
    const members = format === 'gzip' ? gunzipMembers(input, bound) : 'bad';
    if (isFinished || members === 'bad') finish('bad');
    else if (members === null) {
      // More than fits, and what stands behind the end would be an error: data alone has none.
      isFinished = true;
      decodeSome('deflate', input.subarray(dataStart(input, 0)), bound, true, done);
    } else {
      output = members;
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
