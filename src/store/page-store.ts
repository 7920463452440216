/** What a crawler does with what it fetched: the interface of stores. */
import { count, fields, named, type Shape, text } from '../model/shape.js';
import type { FetchedPage } from '../model/web.js';

/** A request and what came back. Valid during the call only. */
export interface Exchange {
  /** Canonical. */
  readonly url: string;
  readonly page: FetchedPage;
  /** When the request was sent, in ms since 1970, and how long it took, in ms. */
  readonly date: number;
  readonly fetchTime: number;
  /** The address connected to; '' if there was none. */
  readonly ip: string;
  /** The page that the URL was found on ('' if that is not known), and the hops from a seed. */
  readonly via: string;
  readonly hops: number;
  /** Links in the page. */
  readonly outlinks: number;
  /** It may be asked for more than once, as robots.txt is. */
  readonly isRepeated: boolean;
}

/** Where an exchange is stored. */
export interface StoredAt {
  /** Of the payload, with the name of its algorithm. */
  readonly digest: string;
  readonly file: string;
  /** Of the response's or revisit's record. */
  readonly offset: number;
}

export interface StoreCounts {
  readonly files: number;
  readonly records: Readonly<Record<string, number>>;
  /** Of the files. */
  readonly bytes: number;
  /** Payloads that were stored before, and bytes that were not stored again. */
  readonly duplicates: number;
  readonly duplicateBytes: number;
}

/** What is durable, all of it JSON: a crawl that goes on from here has lost nothing of it, and nothing of what came after. */
export interface StoreState {
  /** Where the next record goes. */
  readonly file: string;
  readonly serial: number;
  readonly offset: number;
  /** Bytes of the agent's part of the index. */
  readonly index: number;
  readonly counts: StoreCounts;
}

export const STORE_STATE: Shape<StoreState> = fields({
  file: text,
  serial: count,
  offset: count,
  index: count,
  counts: fields<StoreCounts>({
    files: count,
    records: named(count),
    bytes: count,
    duplicates: count,
    duplicateBytes: count,
  }),
});

export interface PageStore {
  /**
   * Stores an exchange and calls back when it is in the file: before returning, unless the disk is full. Then it is kept
   * in memory and `isBlocked` is true until `retry` finds room.
   */
  store(exchange: Exchange, done: (at: StoredAt) => void): void;
  readonly isBlocked: boolean;
  /** Tries to write what is kept in memory; false if there is still no room. */
  retry(): boolean;
  /**
   * Makes all that was stored durable for the checkpoint `generation`, the digests of it under a manifest at `digests`.
   * Throws if there is no room.
   */
  save(digests: string, generation: number): StoreState;
  /** Nobody will go back to what was saved before the last time. */
  confirm(): void;
  readonly counts: StoreCounts;
  close(): void;
}

/** Where a record is: whose files, which of them, where in it. Numbers are below 2^16, 2^23 and 2^40. */
export interface StoredPlace {
  readonly agent: number;
  readonly serial: number;
  readonly offset: number;
}

export const isSamePlace = (a: StoredPlace, b: StoredPlace): boolean =>
  a.agent === b.agent && a.serial === b.serial && a.offset === b.offset;

/** Finds payloads that were stored before, by whatever agent. */
export interface StoredDigests {
  /** The next `find` will be for this digest and place, with nothing wrong: the answer may be sought meanwhile. */
  announce(digest: Uint8Array, place: StoredPlace): void;
  /**
   * The place of the payload with this SHA-1, or null: then it is noted at `place`. Where nothing was found, at `wrong`,
   * it is not.
   */
  find(digest: Uint8Array, place: StoredPlace, wrong: StoredPlace | null): StoredPlace | null;
  /** Makes what was noted durable under a manifest at `path`. */
  save(path: string): void;
  /** Nobody will open a manifest older than the last one that was saved. */
  confirm(): void;
  close(): void;
}

/** What agents tell each other of their files. */
export interface WrittenPlaces {
  /** All records before `offset` in the file are whole, and the counts are of them. */
  post(serial: number, offset: number, counts: StoreCounts): void;
  /** It was so at the checkpoint `generation`. */
  postSaved(generation: number, serial: number, offset: number, counts: StoreCounts): void;
  /** Is another agent's record at the place whole? If it is about to be, that is waited for. */
  isWritten(place: StoredPlace): boolean;
}
