/** Makes the record of a site from a URL of it: a site is known by its key and visited from the root page of the URL's origin. */

import { RecentlySeen } from '../drum/recently-seen.js';
import type { KeyPlaces } from '../model/key-hash.js';
import type { RecordVisitor } from '../model/record.js';
import { MAX_RECORD, setDepths } from '../model/record.js';
import { writeRootRecord } from '../model/root-record.js';

export class SiteReporter {
  readonly #recent: RecentlySeen;
  readonly #type: number;
  readonly #report: RecordVisitor;
  readonly #record = new Uint8Array(MAX_RECORD + 1);
  readonly #key = new Uint32Array(2);

  /** `type` is that of the records handed to `report`; a site reported lately is not reported again. */
  constructor(memoryBytes: number, type: number, report: RecordVisitor, hash?: KeyPlaces) {
    this.#recent = new RecentlySeen(memoryBytes, hash);
    this.#type = type;
    this.#report = report;
  }

  /** REQUIRES: url[start, end) is a canonical URL of the site, `depth` hops from a seed. */
  report(
    siteLow: number,
    siteHigh: number,
    url: Uint8Array,
    start: number,
    end: number,
    depth: number,
  ): void {
    if (this.#recent.testAndAdd(siteLow, siteHigh)) return;
    const length = writeRootRecord(this.#record, this.#type, siteLow, siteHigh, url, start, end, this.#key);
    // A site's root page is found by way of another URL of the site.
    setDepths(this.#record, 0, Math.max(1, depth), 0);
    this.#report(this.#record, 0, length);
  }
}
