/**
 * Reads a sitemap as it comes in: XML (`urlset`, `sitemapindex`) or a plain text list, packed with gzip or not, in any
 * encoding that its first bytes tell. Memory is bounded whatever comes: of a sitemap that unpacks to more than it may
 * have, the rest is not read.
 */
import { pipeline, Readable } from 'node:stream';
import { TextDecoder } from 'node:util';
import { createGunzip } from 'node:zlib';
import { DrumlineError, oneLine } from '../model/errors.js';
import { byteOrderMark, declaredEncoding } from './charset.js';
import {
  MAX_SITEMAP_BYTES,
  MAX_SITEMAP_ENTRIES,
  SitemapEntries,
  type SitemapListener,
} from './sitemap-entries.js';
import { SitemapLines } from './sitemap-lines.js';
import { SitemapXml } from './sitemap-xml.js';

/** What tells gzip, the encoding and the kind of document lies in the first so many bytes. */
const HEAD_BYTES = 512;
/** What is decoded at once. */
const PIECE_BYTES = 64 * 1024;

export type SitemapBody = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

export interface SitemapLimits {
  readonly entries: number;
  /** Unpacked. */
  readonly bytes: number;
}

export interface SitemapSummary {
  readonly entries: number;
  /** Entries over the limit, or whose URL is longer than any that is crawled. */
  readonly dropped: number;
  /** Unpacked bytes read. */
  readonly bytes: number;
  /** Whether there was more than the limit lets read. */
  readonly isCut: boolean;
}

/** Called after each piece, with its bytes; reading goes on when the promise is kept. */
export type AfterPiece = (bytes: number) => Promise<unknown> | null;

export class SitemapReader {
  readonly #listener: SitemapListener;
  readonly #limits: SitemapLimits;

  constructor(
    listener: SitemapListener,
    limits: SitemapLimits = { entries: MAX_SITEMAP_ENTRIES, bytes: MAX_SITEMAP_BYTES },
  ) {
    this.#listener = listener;
    this.#limits = limits;
  }

  /**
   * Reads one sitemap, telling its entries as they come. Throws a DrumlineError with the disposition `drop-url` if it
   * can't be unpacked or brings the markup parser down, and whatever the body throws; entries told before that stand.
   */
  async read(body: SitemapBody, afterPiece: AfterPiece = () => null): Promise<SitemapSummary> {
    const entries = new SitemapEntries(this.#listener, this.#limits.entries);
    let document: SitemapDocument | null = null;
    let bytes = 0;
    let isCut = false;
    for await (const chunk of withHead(unpacked(body))) {
      document ??= new SitemapDocument(chunk, entries);
      const room = this.#limits.bytes - bytes;
      isCut = chunk.length > room;
      const length = Math.min(chunk.length, room);
      bytes += length;
      document.write(chunk.subarray(0, length));
      const others = afterPiece(length);
      if (others !== null) await others;
      if (isCut) break;
    }
    document?.end();
    return { entries: entries.count, dropped: entries.dropped, bytes, isCut };
  }
}

/** The text of one sitemap, made UTF-8 and given to the reader of its kind. */
class SitemapDocument {
  readonly #decoder: TextDecoder;
  readonly #encoder = new TextEncoder();
  readonly #reader: SitemapXml | SitemapLines;

  constructor(head: Uint8Array, entries: SitemapEntries) {
    this.#decoder = new TextDecoder(byteOrderMark(head) ?? declaredEncoding(head) ?? 'utf-8');
    const start = this.#decoder.decode(head.subarray(0, HEAD_BYTES)).trimStart();
    this.#reader = start.startsWith('<') ? new SitemapXml(entries) : new SitemapLines(entries);
  }

  write(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length; at += PIECE_BYTES) {
      const text = this.#decoder.decode(chunk.subarray(at, at + PIECE_BYTES), { stream: true });
      this.#reader.write(this.#encoder.encode(text));
    }
  }

  end(): void {
    this.#reader.write(this.#encoder.encode(this.#decoder.decode()));
    this.#reader.end();
  }
}

/** The same bytes, the first HEAD_BYTES of them together. */
async function* withHead(body: SitemapBody): AsyncGenerator<Uint8Array> {
  let head: Uint8Array[] | null = [];
  let length = 0;
  for await (const chunk of body) {
    if (head === null) {
      yield chunk;
      continue;
    }
    head.push(chunk);
    length += chunk.length;
    if (length < HEAD_BYTES) continue;
    yield Buffer.concat(head);
    head = null;
  }
  if (head !== null && length > 0) yield Buffer.concat(head);
}

async function* unpacked(body: SitemapBody): AsyncGenerator<Uint8Array> {
  const chunks = withHead(body);
  const first = await chunks.next();
  if (first.done) return;
  const all = startingWith(first.value, chunks);
  if (first.value[0] !== 0x1f || first.value[1] !== 0x8b) {
    yield* all;
    return;
  }
  const gunzip = createGunzip();
  // An error of either ends the loop below.
  pipeline(Readable.from(all), gunzip, () => {});
  try {
    yield* gunzip as AsyncIterable<Uint8Array>;
  } catch (error) {
    if (!isZlibError(error)) throw error;
    throw new DrumlineError('GZIP', `sitemap can't be unpacked: ${oneLine(error)}`, 'drop-url', {
      cause: error,
    });
  } finally {
    gunzip.destroy();
  }
}

function isZlibError(error: unknown): boolean {
  return String((error as { code?: unknown }).code).startsWith('Z_');
}

async function* startingWith(first: Uint8Array, rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first;
  yield* rest;
}
