/**
 * Stores exchanges of one agent as WARC records: a response, or a revisit where the same body was stored before, by
 * whatever agent, its request, and metadata of the crawl. Everything is synchronous: compressing a page costs the thread less than handing
 * it to another one does (docs/store.md has the figures), and where a record is, is known at once.
 */
import { type Disk, isDiskFull } from '../model/disk.js';
import { DrumlineError } from '../model/errors.js';
import { cdxjLine, mediaType } from './cdxj.js';
import { base32, sha1 } from './digest.js';
import { type ExchangeRecordOptions, ExchangeRecords, payloadOf } from './exchange-records.js';
import { IndexPart } from './index-part.js';
import type {
  Exchange,
  PageStore,
  StoreCounts,
  StoredAt,
  StoredDigests,
  StoredPlace,
  StoreState,
  WrittenPlaces,
} from './page-store.js';
import { RecordReferences } from './record-references.js';
import { RepeatedTail, type TailStart } from './repeated-tail.js';
import type { WarcFiles } from './warc-files.js';
import type { RecordReference } from './warc-head.js';
import { newRecordId, type RecordType } from './warc-record.js';
import { WarcWriter } from './warc-writer.js';

export interface WarcStoreOptions extends ExchangeRecordOptions {
  readonly disk: Disk;
  readonly files: WarcFiles;
  readonly indexPart: string;
  readonly maxBytes: number;
  readonly digests: StoredDigests;
  readonly written: WrittenPlaces;
  /** Where to go on; without it, the store is new. The digests are as of then, too. */
  readonly state?: StoreState | undefined;
  /** From here to there, the files hold what is fetched once more. */
  readonly tail?: TailStart | undefined;
}

interface StoredResponse extends RecordReference {
  readonly place: StoredPlace;
}

/** Encoded, and not in the file yet. */
interface HeldExchange {
  readonly members: Buffer;
  readonly types: readonly RecordType[];
  /** Of a body that was stored before. */
  readonly duplicateBytes: number;
  readonly indexLine: string;
  readonly at: StoredAt;
  readonly done: (at: StoredAt) => void;
}

const NOTHING_STORED: StoreCounts = {
  files: 0,
  records: { warcinfo: 0, request: 0, response: 0, revisit: 0, metadata: 0 },
  bytes: 0,
  duplicates: 0,
  duplicateBytes: 0,
};

export class WarcStore implements PageStore {
  readonly #options: WarcStoreOptions;
  readonly #writer: WarcWriter;
  readonly #index: IndexPart;
  readonly #exchangeRecords: ExchangeRecords;
  readonly #references: RecordReferences;
  #held: HeldExchange[] = [];
  #heldBytes = 0;
  #isBlocked = false;
  readonly #tail: RepeatedTail | null;
  readonly #records: Record<string, number>;
  #duplicateBytes: number;

  constructor(options: WarcStoreOptions) {
    const { disk, files, maxBytes, state } = options;
    this.#options = options;
    this.#exchangeRecords = new ExchangeRecords(options);
    disk.makeDirectory(files.directory);
    const firstRecord = (name: string): Buffer => this.#exchangeRecords.firstRecord(name);
    this.#writer = new WarcWriter({ disk, files, maxBytes, firstRecord }, state);
    this.#references = new RecordReferences(disk, files, this.#writer, options.written);
    this.#index = new IndexPart(disk, options.indexPart, state?.index ?? 0);
    const { serial, offset } = this.#writer;
    this.#tail =
      options.tail === undefined
        ? null
        : new RepeatedTail(disk, files, this.#index, options.tail, { serial, offset });
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
    if (held === null) return;
    this.#held.push(held);
    this.#heldBytes += held.members.length;
    if (!this.#isBlocked) this.retry();
  }

  retry(): boolean {
    this.#isBlocked = !this.#writeSome();
    return !this.#isBlocked;
  }

  /** False if the disk was full. What is done with a page that is stored is not asked for room here. */
  #writeSome(): boolean {
    for (let next = this.#held[0]; next !== undefined; next = this.#held[0]) {
      const { members } = next;
      if (!this.#hasRoom(() => this.#writer.append(members))) return false;
      this.#held.shift();
      this.#heldBytes -= members.length;
      for (const type of next.types) this.#records[type]!++;
      this.#duplicateBytes += next.duplicateBytes;
      this.#options.written.post(this.#writer.serial, this.#writer.offset, this.counts);
      this.#index.add(next.indexLine);
      next.done(next.at);
    }
    return !this.#index.isFull || this.#hasRoom(() => this.#index.flush());
  }

  save(digests: string, generation: number): StoreState {
    this.#writeHeld();
    const { serial } = this.#writer;
    const state = { ...this.#writer.save(), serial, index: this.#index.save(), counts: this.counts };
    this.#options.digests.save(digests);
    const before = this.#tail?.savedFor(generation);
    if (before) return before;
    this.#options.written.postSaved(generation, serial, state.offset, state.counts);
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
    throw new DrumlineError('STORE_FULL', `${this.#options.files.directory}: ${what}`);
  }

  /** False if the disk was full; other failures are thrown. */
  #hasRoom(work: () => void): boolean {
    try {
      work();
      return true;
    } catch (error) {
      if (isDiskFull(error)) return false;
      throw error;
    }
  }

  /** Null if it is stored already, and done. */
  #encode(exchange: Exchange, done: (at: StoredAt) => void): HeldExchange | null {
    const { url, page } = exchange;
    // What is held has its place in the open file.
    const { file, serial, offset: next } = this.#writer.begin(this.#held.length === 0);
    const offset = next + this.#heldBytes;
    const payload = payloadOf(page);
    const sha = sha1(payload);
    const base = base32(sha);
    const digest = `sha1:${base}`;
    const place = { agent: this.#options.files.agent, serial, offset };
    const isEmpty = payload.length === 0;
    if (!isEmpty) this.#options.digests.announce(sha, place);
    const reference = { id: newRecordId(), url, date: new Date(exchange.date).toISOString(), digest };
    // Whoever keeps the digests may look this one up meanwhile.
    const companions = this.#exchangeRecords.companions(exchange, reference);
    const stored = isEmpty ? null : this.#findStored(sha, digest, place);
    // A crawl fetches a page once: this was stored by another life of the agent, and is in the index.
    if (stored?.url === url && stored.place.agent === place.agent && !exchange.isRepeated) {
      done({ digest, file: this.#references.nameOf(stored.place), offset: stored.place.offset });
      return null;
    }
    if (stored === null) this.#references.remember(place, reference);
    const response = this.#exchangeRecords.response(exchange, reference, payload, stored);
    const mime = stored === null ? mediaType(page.contentType) : 'warc/revisit';
    const { date } = reference;
    const { length } = response;
    const { status } = page;
    return {
      members: Buffer.concat([response, ...companions]),
      types: [stored === null ? 'response' : 'revisit', 'request', 'metadata'],
      duplicateBytes: stored === null ? 0 : payload.length,
      indexLine: cdxjLine({ url, date, mime, status, digest: base, length, offset, file }),
      at: { digest, file, offset },
      done,
    };
  }

  /** The response that has this payload; if there is none, the next one at `place` is noted as such. */
  #findStored(digest: Uint8Array, name: string, place: StoredPlace): StoredResponse | null {
    for (let wrong: StoredPlace | null = null; ; ) {
      const found = this.#options.digests.find(digest, place, wrong);
      if (found === null) return null;
      const reference = this.#references.find(found, name);
      if (reference !== null) return { ...reference, place: found };
      wrong = found;
    }
  }
}
