/**
 * A WARC 1.1 record as it goes to a file: one gzip member.
 *
 *   WARC/1.1 CRLF, header lines, CRLF, Content-Length bytes of block, CRLF CRLF
 */
import { randomUUID } from 'node:crypto';
import { base32, sha1 } from './digest.js';
import { compressedMember, isWorthCompressing, partlyCompressedMember } from './gzip-member.js';

export type RecordType = 'warcinfo' | 'request' | 'response' | 'revisit' | 'metadata';

export interface NewRecord {
  readonly type: RecordType;
  readonly id: string;
  /** ISO 8601, UTC. */
  readonly date: string;
  /** Of the block. */
  readonly contentType: string;
  /** More headers, each with its CRLF. */
  readonly headers: string;
  /** The block in one or more parts. */
  readonly block: readonly Uint8Array[];
  /** The last part is compressed already. */
  readonly isCoded?: boolean;
}

/** A header of our own: where the crawl cut the body, in bytes without its content coding. */
export const DECODED_LENGTH = 'Drumline-Decoded-Length';

const LINE_END = Buffer.from('\r\n\r\n');

export const newRecordId = (): string => `<urn:uuid:${randomUUID()}>`;

/** Puts records together in memory that is used again. */
export class RecordEncoder {
  readonly #level: number;
  #buffer = Buffer.allocUnsafeSlow(1 << 16);

  /** `level` is zlib's. */
  constructor(level: number) {
    this.#level = level;
  }

  /** The record as a gzip member. */
  encode({ type, id, date, contentType, headers, block, isCoded }: NewRecord): Buffer {
    const length = block.reduce((sum, part) => sum + part.length, 0);
    const head =
      `WARC/1.1\r\nWARC-Type: ${type}\r\nWARC-Record-ID: ${id}\r\nWARC-Date: ${date}\r\n${headers}` +
      `WARC-Block-Digest: sha1:${base32(sha1(...block))}\r\n` +
      `Content-Type: ${contentType}\r\nContent-Length: ${length}\r\n\r\n`;
    const size = head.length + length + LINE_END.length;
    if (size > this.#buffer.length) this.#buffer = Buffer.allocUnsafeSlow(2 * size);
    const buffer = this.#buffer;
    let at = buffer.write(head, 0, 'latin1');
    for (const part of block) {
      buffer.set(part, at);
      at += part.length;
    }
    buffer.set(LINE_END, at);
    const last = block.at(-1)!;
    const isPlain = isCoded || !isWorthCompressing(last);
    const bytes = buffer.subarray(0, size);
    const member = isPlain
      ? partlyCompressedMember(bytes, at - last.length, this.#level)
      : compressedMember(bytes, this.#level);
    if (size > LARGEST_KEPT) this.#buffer = Buffer.allocUnsafeSlow(1 << 16);
    return member;
  }
}

/** A larger buffer is given back, so that one large body does not keep its memory for the rest of the crawl. */
const LARGEST_KEPT = 1 << 20;
