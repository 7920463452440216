/**
 * Page-level URL duplication checking (fc2l-udcbot, section 3.3): the recently-seen filter and behind it the PageUrlDrum.
 * URLs go in as found, in batches; the new ones come out, in that order, as PAGE_URL records.
 *
 * What is out of the crawl's scope does not count as seen: a crawl that goes on with a wider scope, or a seed, may want it.
 * It is remembered by another key, so that each such URL comes out once too, with the reason.
 */

import { Drum, UNIQUE } from '../drum/drum.js';
import { DrumBatch, fullBatchBytes } from '../drum/drum-batch.js';
import { RecentlySeen } from '../drum/recently-seen.js';
import { assert } from '../model/assert.js';
import type { Disk } from '../model/disk.js';
import type { KeyPlaces } from '../model/key-hash.js';
import type { RecordVisitor } from '../model/record.js';
import {
  cutTail,
  LEFT_OUT,
  PAGE_URL,
  RECORD_HEADER,
  recordKeyHigh,
  recordKeyLow,
  recordType,
  recordUrlEnd,
  SITE_VISIT,
  setDepths,
  setRedirects,
  viaRoom,
  writeHeader,
  writeVia,
} from '../model/record.js';
import type { UrlList } from '../model/url-list.js';

/** '' if the URL of the PAGE_URL record `bytes[start, end)` belongs to the crawl, else why not; that of a LEFT_OUT record never does. */
export type ScopeRule = (bytes: Uint8Array, start: number, end: number) => string;

/** A URL was left out for the first time. */
export type LeftOutVisitor = (bytes: Uint8Array, start: number, end: number, reason: string) => void;

export interface PageUrlCheckerOptions {
  readonly disk: Disk;
  readonly directory: string;
  /** A saved state of the DRUM to go on from. */
  readonly manifest?: string | undefined;
  readonly drumBytes: number;
  readonly recentlySeenBytes: number;
  /** Should each URL keep the page that it was found on? */
  readonly remembersVia: boolean;
  /** Of the tables in memory. */
  readonly hash?: KeyPlaces;
  /** A sign of life, between the steps of what takes long. */
  readonly alive?: () => void;
  readonly scope: ScopeRule;
  readonly onLeftOut: LeftOutVisitor;
}

/** What the key of a URL that is left out is changed by: a URL and its other self never meet in the low half. */
const OUTSIDE_LOW = 0x9e3779b9;
const OUTSIDE_HIGH = 0x85ebca6b;

export class PageUrlChecker {
  readonly #recent: RecentlySeen;
  readonly #drum: Drum;
  readonly #batch = new DrumBatch();
  /** Bytes of a batch that is handed over, however much the page has left. */
  readonly #fullBatch: number;
  readonly #remembersVia: boolean;
  readonly #scope: ScopeRule;

  constructor(options: PageUrlCheckerOptions, onUnique: RecordVisitor) {
    this.#remembersVia = options.remembersVia;
    this.#recent = new RecentlySeen(options.recentlySeenBytes, options.hash);
    const { alive, disk, directory, drumBytes, hash, manifest, onLeftOut, scope } = options;
    this.#scope = scope;
    this.#fullBatch = fullBatchBytes(drumBytes);
    this.#drum = Drum.open(
      { disk, directory, memoryBytes: drumBytes - 2 * this.#fullBatch, manifest, alive, hash },
      (answers) => {
        for (let i = 0; i < answers.count; i++) {
          if (answers.outcomes[i] !== UNIQUE) continue;
          const start = answers.auxStarts[i]!;
          const end = answers.auxEnds[i]!;
          if (answers.keys[2 * i] === recordKeyLow(answers.aux, start)) onUnique(answers.aux, start, end);
          else onLeftOut(answers.aux, start, end, scope(answers.aux, start, end));
        }
      },
    );
  }

  /** URLs that were not answered yet. */
  get pending(): number {
    return this.#batch.count + this.#drum.pending;
  }

  get statistics() {
    return this.#drum.statistics;
  }

  /**
   * Checks URL i of a list, found on the page `via[viaStart, viaEnd)`, which goes along if pages are remembered.
   */
  offer(
    urls: UrlList,
    i: number,
    depth: number,
    siteDepth: number,
    redirects: number,
    isSitemap: boolean,
    via: Uint8Array,
    viaStart: number,
    viaEnd: number,
  ): void {
    const low = urls.keys[2 * i]!;
    const high = urls.keys[2 * i + 1]!;
    if (this.#recent.has(low, high)) return;
    const start = urls.start(i);
    const length = urls.ends[i]! - start;
    const batch = this.#batch;
    const room = RECORD_HEADER + length + (this.#remembersVia ? viaRoom(viaEnd - viaStart) : 0);
    const at = batch.reserve(room);
    const aux = batch.aux;
    writeHeader(aux, at, PAGE_URL, urls.siteKeys[2 * i]!, urls.siteKeys[2 * i + 1]!, low, high);
    setDepths(aux, at, depth, siteDepth);
    setRedirects(aux, at, redirects, isSitemap);
    const { bytes } = urls;
    let end = at + RECORD_HEADER;
    for (let from = start; from < start + length; ) aux[end++] = bytes[from++]!;
    if (this.#remembersVia) end = writeVia(aux, at, end, via, viaStart, viaEnd);
    this.#commit(low, high, at, end);
  }

  /** Checks the URL of a record that came from elsewhere (PAGE_URL, SITE_VISIT or LEFT_OUT). */
  offerRecord(bytes: Uint8Array, start: number, end: number): void {
    const low = recordKeyLow(bytes, start);
    const high = recordKeyHigh(bytes, start);
    const type = recordType(bytes, start);
    // That a URL is known as one of the crawl's says nothing about its other self.
    if (type !== LEFT_OUT && this.#recent.has(low, high)) return;
    const isVisit = type === SITE_VISIT;
    const length = (isVisit ? recordUrlEnd(bytes, start, end) : end) - start;
    const at = this.#batch.reserve(length);
    const { aux } = this.#batch;
    aux.set(bytes.subarray(start, start + length), at);
    if (isVisit) {
      aux[at] = PAGE_URL;
      cutTail(aux, at);
    }
    this.#commit(low, high, at, at + length);
  }

  /** The record is in the batch's `aux[at, end)`, and becomes a part of it unless it was offered a moment ago. */
  #commit(low: number, high: number, at: number, end: number): void {
    const isOutside = this.#scope(this.#batch.aux, at, end) !== '';
    const keyLow = isOutside ? (low ^ OUTSIDE_LOW) >>> 0 : low;
    const keyHigh = isOutside ? (high ^ OUTSIDE_HIGH) >>> 0 : high;
    if (this.#recent.testAndAdd(keyLow, keyHigh)) return;
    this.#batch.commitAux(keyLow, keyHigh, end - at);
    if (this.#batch.bytes >= this.#fullBatch) this.submit();
  }

  /** Hands over what was offered; the answers may come now or later. */
  submit(): void {
    if (this.#batch.count === 0) return;
    this.#drum.checkUpdate(this.#batch);
    this.#batch.clear();
  }

  /** Answers all that is pending. */
  flush(): void {
    this.submit();
    if (this.#drum.pending > 0) this.#drum.flush();
  }

  /** REQUIRES: nothing is pending. */
  save(manifest: string): void {
    assert(this.pending === 0, 'no URL is asked for when a checker is saved');
    this.#drum.save(manifest);
  }

  confirm(): void {
    this.#drum.confirm();
  }

  close(): void {
    this.#drum.close();
  }
}
