/**
 * An agent's view of the site partition (fc2l-udcbot, section 3.3, the site partition information module): the table
 * in shared memory, and behind it a DRUM (site key -> agent) for the sites that the table has no room for.
 */

import { Drum, UNIQUE } from '../drum/drum.js';
import { DrumBatch, fullBatchBytes } from '../drum/drum-batch.js';
import { assert } from '../model/assert.js';
import type { SampledTime } from '../model/counters.js';
import type { Disk } from '../model/disk.js';
import { recordOwner, recordSiteHigh, recordSiteLow } from '../model/record.js';
import { SiteTableReader, UNKNOWN } from './site-table.js';

/** The owner of a PAGE_URL record's site was found out: an agent, NOBODY or UNKNOWN. */
export type OwnerVisitor = (owner: number, bytes: Uint8Array, start: number, end: number) => void;

const OWNER_BYTES = 2;

export interface SitePartitionOptions {
  /** The coordinator's. */
  readonly table: SharedArrayBuffer;
  readonly disk: Disk;
  readonly directory: string;
  readonly memoryBytes: number;
  /** A saved state of the DRUM to go on from. */
  readonly manifest?: string | undefined;
  readonly onOwner: OwnerVisitor;
  readonly lookups: SampledTime;
  /** Called while a merge takes long. */
  readonly alive: () => void;
}

export class SitePartition {
  readonly #table: SiteTableReader;
  readonly #drum: Drum;
  readonly #checks = new DrumBatch(OWNER_BYTES);
  readonly #updates = new DrumBatch(OWNER_BYTES);
  /** Bytes of a batch that is handed over. */
  readonly #fullBatch: number;
  readonly #owner = new Uint8Array(OWNER_BYTES);
  readonly #onOwner: OwnerVisitor;
  readonly #lookups: SampledTime;
  /** Owners that came by record; together with the table's version it says whether something is new. */
  #learned = 0;

  constructor(given: SitePartitionOptions) {
    const { alive, directory, disk, manifest, onOwner } = given;
    this.#table = new SiteTableReader(given.table);
    this.#onOwner = onOwner;
    this.#fullBatch = fullBatchBytes(given.memoryBytes / 2);
    const memoryBytes = given.memoryBytes - 4 * this.#fullBatch;
    this.#lookups = given.lookups;
    const options = { disk, directory, memoryBytes, valueBytes: OWNER_BYTES, manifest, alive };
    this.#drum = Drum.open(options, (answers) => {
      for (let i = 0; i < answers.count; i++) {
        const start = answers.auxStarts[i]!;
        const end = answers.auxEnds[i]!;
        // An update has no aux: nothing waits for its answer.
        if (start === end) continue;
        const at = OWNER_BYTES * i;
        const known = answers.outcomes[i] !== UNIQUE;
        const owner = known ? answers.values[at]! | (answers.values[at + 1]! << 8) : UNKNOWN;
        onOwner(owner, answers.aux, start, end);
      }
    });
  }

  /** Changes whenever a site got an owner that this agent can see. */
  get version(): number {
    return this.#table.version + this.#learned;
  }

  get pending(): number {
    return this.#checks.count + this.#updates.count + this.#drum.pending;
  }

  get statistics() {
    return this.#drum.statistics;
  }

  /** Does the table know the site's owner? The DRUM behind it is not asked. */
  isKnown(siteLow: number, siteHigh: number): boolean {
    return this.#table.ownerOf(siteLow, siteHigh) !== UNKNOWN;
  }

  /** Finds the owner of a PAGE_URL record's site: at once, or after the DRUM was asked. */
  find(bytes: Uint8Array, start: number, end: number): void {
    const siteLow = recordSiteLow(bytes, start);
    const siteHigh = recordSiteHigh(bytes, start);
    const begun = this.#lookups.begin();
    const owner = this.#table.ownerOf(siteLow, siteHigh);
    this.#lookups.end(begun);
    if (owner !== UNKNOWN || !this.#table.isOverflown) this.#onOwner(owner, bytes, start, end);
    else {
      this.#checks.add(siteLow, siteHigh, bytes, start, end);
      if (this.#checks.bytes >= this.#fullBatch) this.#submit();
    }
  }

  /** Takes a SITE_OWNER record. */
  learn(bytes: Uint8Array, start: number): void {
    const owner = recordOwner(bytes, start);
    this.#owner[0] = owner;
    this.#owner[1] = owner >>> 8;
    this.#updates.addWithValue(
      recordSiteLow(bytes, start),
      recordSiteHigh(bytes, start),
      this.#owner,
      bytes,
      0,
      0,
    );
    this.#learned++;
    if (this.#updates.bytes >= this.#fullBatch) this.#submit();
  }

  /** Answers all that is pending; returns false if nothing was. */
  flush(): boolean {
    if (this.pending === 0) return false;
    this.#submit();
    this.#drum.flush();
    return true;
  }

  #submit(): void {
    if (this.#updates.count > 0) this.#drum.update(this.#updates);
    this.#updates.clear();
    if (this.#checks.count > 0) this.#drum.check(this.#checks);
    this.#checks.clear();
  }

  /** REQUIRES: nothing is pending. */
  save(manifest: string): void {
    assert(this.pending === 0, 'no site is asked for when a partition is saved');
    this.#drum.save(manifest);
  }

  confirm(): void {
    this.#drum.confirm();
  }

  close(): void {
    this.#drum.close();
  }
}
