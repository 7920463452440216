/**
 * Stores exchanges of one agent as WARC records: a response, or a revisit where the same body was stored before, its
 * request, and metadata of the crawl. Everything is synchronous: compressing a page costs the thread less than handing
 * it to another one does (docs/store.md has the figures), and where a record is, is known at once.
 */
import type { Disk } from '../model/disk.js';
import { DrumlineError } from '../model/errors.js';
import { cdxjLine, mediaType } from './cdxj.js';
import { base32, sha1 } from './digest.js';
import { isCoded, requestHead, responseHead } from './http-head.js';
import { IndexPart } from './index-part.js';
import type { Exchange, PageStore, StoreCounts, StoredAt, StoredDigests, StoreState } from './page-store.js';
import { WarcFiles } from './warc-files.js';
import { HEAD_BYTES, type RecordReference, readReference } from './warc-head.js';
import { newRecordId, RecordEncoder, type RecordType } from './warc-record.js';
import { WarcWriter } from './warc-writer.js';

export interface WarcStoreOptions {
  readonly disk: Disk;
  readonly directory: string;
  readonly indexPart: string;
  readonly agent: number;
  /** When the crawl began, in ms since 1970. */
  readonly started: number;
  readonly maxBytes: number;
  /** zlib's. */
  readonly level: number;
  readonly digests: StoredDigests;
  /** Fields of the record that every file begins with. */
  readonly info: Readonly<Record<string, string>>;
  /** What is sent behind host and connection: name, value, name, value... */
  readonly requestHeaders: readonly string[];
  /** Where to go on; without it, the store is new. The digests are as of then, too. */
  readonly state?: StoreState | undefined;
}

/** Encoded, and not in the file yet. */
interface HeldExchange {
  readonly members: Buffer;
  readonly types: readonly RecordType[];
  readonly indexLine: string;
  readonly at: StoredAt;
  readonly done: (at: StoredAt) => void;
}

const PROFILE = 'http://netpreserve.org/warc/1.1/revisit/identical-payload-digest';
const REQUEST_TYPE = 'application/http; msgtype=request';
const RESPONSE_TYPE = 'application/http; msgtype=response';
const FIELDS_TYPE = 'application/warc-fields';
const NOTHING_STORED: StoreCounts = {
  files: 0,
  records: { warcinfo: 0, request: 0, response: 0, revisit: 0, metadata: 0 },
  bytes: 0,
  duplicates: 0,
  duplicateBytes: 0,
};
/** Records that revisits most likely refer to: the last ones. */
const MOST_REFERENCES = 1024;

export class WarcStore implements PageStore {
  readonly #options: WarcStoreOptions;
  readonly #files: WarcFiles;
  readonly #writer: WarcWriter;
  readonly #index: IndexPart;
  readonly #encoder: RecordEncoder;
  /** By serial and offset, the least recently used first. */
  readonly #references = new Map<string, RecordReference>();
  readonly #head = new Uint8Array(HEAD_BYTES);
  #held: HeldExchange[] = [];
  #heldBytes = 0;
  #isBlocked = false;
  readonly #records: Record<string, number>;
  #duplicateBytes: number;

  constructor(options: WarcStoreOptions) {
    const { disk, directory, agent, started, maxBytes, state } = options;
    this.#options = options;
    this.#encoder = new RecordEncoder(options.level);
    disk.makeDirectory(directory);
    this.#files = new WarcFiles(directory, agent, started);
    const firstRecord = (name: string): Buffer => this.#firstRecord(name);
    this.#writer = new WarcWriter({ disk, files: this.#files, maxBytes, firstRecord }, state);
    this.#index = new IndexPart(disk, options.indexPart, state?.index ?? 0);
    const { counts = NOTHING_STORED } = state ?? {};
    this.#writer.fileCount = counts.files;
    this.#writer.bytes = counts.bytes;
    this.#records = { ...counts.records };
    this.#duplicateBytes = counts.duplicateBytes;
  }

  get isBlocked(): boolean {
    return this.#isBlocked;
  }

  get counts(): StoreCounts {
    return {
      files: this.#writer.fileCount,
      records: { ...this.#records, warcinfo: this.#writer.fileCount },
      bytes: this.#writer.bytes,
      duplicates: this.#records['revisit']!,
      duplicateBytes: this.#duplicateBytes,
    };
  }

  store(exchange: Exchange, done: (at: StoredAt) => void): void {
    const held = this.#encode(exchange, done);
    this.#held.push(held);
    this.#heldBytes += held.members.length;
    if (!this.#isBlocked) this.retry();
  }

  retry(): boolean {
    this.#isBlocked = !this.#hasRoom(() => {
      for (let next = this.#held[0]; next !== undefined; next = this.#held[0]) {
        this.#writer.append(next.members);
        this.#held.shift();
        this.#heldBytes -= next.members.length;
        for (const type of next.types) this.#records[type]!++;
        this.#index.add(next.indexLine);
        next.done(next.at);
      }
      if (this.#index.isFull) this.#index.flush();
    });
    return !this.#isBlocked;
  }

  save(digests: string): StoreState {
    this.#writeHeld();
    const state = { ...this.#writer.save(), index: this.#index.save(), counts: this.counts };
    this.#options.digests.save(digests);
    return state;
  }

  confirm(): void {
    this.#options.digests.confirm();
  }

  close(): void {
    try {
      this.#writeHeld();
      this.#index.save();
      this.#writer.close();
    } finally {
      this.#index.close();
      this.#options.digests.close();
    }
  }

  #writeHeld(): void {
    if (this.#held.length === 0 || this.retry()) return;
    const what = `${this.#held.length} pages could not be stored: no space left`;
    throw new DrumlineError('STORE_FULL', `${this.#files.directory}: ${what}`);
  }

  /** False if the disk was full; other failures are thrown. */
  #hasRoom(work: () => void): boolean {
    try {
      work();
      return true;
    } catch (error) {
      if (isFull(error)) return false;
      throw error;
    }
  }

  #firstRecord(name: string): Buffer {
    const fields = Object.entries(this.#options.info).map(([field, value]) => `${field}: ${value}\r\n`);
    return this.#encoder.encode({
      type: 'warcinfo',
      id: newRecordId(),
      date: new Date().toISOString(),
      contentType: FIELDS_TYPE,
      headers: `WARC-Filename: ${name}\r\n`,
      block: [Buffer.from(fields.join(''))],
    });
  }

  #encode(exchange: Exchange, done: (at: StoredAt) => void): HeldExchange {
    const { url, page } = exchange;
    // What is held has its place in the open file.
    const { file, serial, offset: next } = this.#writer.begin(this.#held.length === 0);
    const offset = next + this.#heldBytes;
    const isTruncated = page.received?.isTruncated ?? false;
    const body = page.received?.bytes ?? page.body;
    const payload = body.subarray(0, page.received?.length ?? page.bodyLength);
    const digest = sha1(payload);
    const base = base32(digest);
    const stored = payload.length === 0 ? null : this.#options.digests.find(digest, serial, offset);
    const type = stored === null ? 'response' : 'revisit';
    const id = newRecordId();
    const date = new Date(exchange.date).toISOString();
    let common = `WARC-Target-URI: ${url}\r\n`;
    if (exchange.ip !== '') common += `WARC-IP-Address: ${exchange.ip}\r\n`;
    let headers = `${common}WARC-Payload-Digest: sha1:${base}\r\n`;
    // A redirect whose body did not come whole is stored without it.
    if (isTruncated) headers += `WARC-Truncated: ${payload.length === 0 ? 'unspecified' : 'length'}\r\n`;
    if (stored === null) this.#remember(`${serial} ${offset}`, { id, url, date });
    else {
      headers += `WARC-Profile: ${PROFILE}\r\n${this.#refersTo(stored.serial, stored.offset)}`;
      this.#duplicateBytes += payload.length;
    }
    const head = responseHead(page, payload.length);
    const block = stored === null ? [head, payload] : [head];
    const response = this.#encoder.encode({
      type,
      id,
      date,
      contentType: RESPONSE_TYPE,
      headers,
      block,
      isCoded: stored === null && isCoded(page),
    });
    const members = [response, ...this.#companions(exchange, common, id, date)];
    const mime = stored === null ? mediaType(page.contentType) : 'warc/revisit';
    const capture = {
      url,
      date,
      mime,
      status: page.status,
      digest: base,
      length: response.length,
      offset,
      file,
    };
    return {
      members: Buffer.concat(members),
      types: [type, 'request', 'metadata'],
      indexLine: cdxjLine(capture),
      at: { digest: `sha1:${base}`, file, offset },
      done,
    };
  }

  /** The request, and what the crawl knows. */
  #companions(exchange: Exchange, common: string, id: string, date: string): Buffer[] {
    const { url, via, hops, fetchTime, outlinks } = exchange;
    const headers = `${common}WARC-Concurrent-To: ${id}\r\n`;
    const request = [requestHead(url, this.#options.requestHeaders)];
    const fields =
      `${via === '' ? '' : `via: ${via}\r\n`}hops: ${hops}\r\n` +
      `fetchTimeMs: ${Math.round(fetchTime)}\r\noutlinks: ${outlinks}\r\n`;
    const block = [Buffer.from(fields)];
    const encoder = this.#encoder;
    return [
      encoder.encode({
        type: 'request',
        id: newRecordId(),
        date,
        contentType: REQUEST_TYPE,
        headers,
        block: request,
      }),
      encoder.encode({ type: 'metadata', id: newRecordId(), date, contentType: FIELDS_TYPE, headers, block }),
    ];
  }

  /** Headers that say which record has the body. */
  #refersTo(serial: number, offset: number): string {
    const key = `${serial} ${offset}`;
    const reference = this.#references.get(key) ?? this.#readReference(serial, offset);
    if (reference === null) return '';
    this.#remember(key, reference);
    return (
      `WARC-Refers-To: ${reference.id}\r\nWARC-Refers-To-Target-URI: ${reference.url}\r\n` +
      `WARC-Refers-To-Date: ${reference.date}\r\n`
    );
  }

  #readReference(serial: number, offset: number): RecordReference | null {
    if (serial === this.#writer.openSerial) {
      return readReference(this.#head.subarray(0, this.#writer.read(this.#head, offset)));
    }
    const { disk } = this.#options;
    const name = disk.list(this.#files.directory).find((file) => this.#files.serialOf(file) === serial);
    if (name === undefined) return null;
    const file = disk.open(this.#files.path(name), 'read');
    try {
      return readReference(this.#head.subarray(0, file.read(this.#head, 0, HEAD_BYTES, offset)));
    } finally {
      file.close();
    }
  }

  #remember(key: string, reference: RecordReference): void {
    this.#references.delete(key);
    this.#references.set(key, reference);
    if (this.#references.size <= MOST_REFERENCES) return;
    for (const oldest of this.#references.keys()) {
      this.#references.delete(oldest);
      return;
    }
  }
}

/** The disk has no room, or the user may not have more of it. */
function isFull(error: unknown): boolean {
  const { code, cause } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EDQUOT') return true;
  return cause !== undefined && cause !== error && isFull(cause);
}
